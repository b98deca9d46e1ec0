/* Has no scan_entry; the library it is linked with, good.c, has one. */
int nothing_to_see(void);

int nothing_to_see(void)
{
    return 0;
}
