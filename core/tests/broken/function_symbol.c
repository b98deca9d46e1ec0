/* scan_entry is a function. */
__attribute__((visibility("default"))) int scan_entry(void);

int scan_entry(void)
{
    return 0;
}
