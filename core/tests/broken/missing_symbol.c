/* A shared object, but no plugin. */
int nothing_to_see(void);

int nothing_to_see(void)
{
    return 0;
}
