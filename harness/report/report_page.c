#include "report/report_page.h"

scan_status report_page_write(const report *r, const char *path, errmsg *error)
{
    (void)r;
    return errmsg_set(error, SCAN_ERROR, "-o %s: this build writes no pages", path);
}
