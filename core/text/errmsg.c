#include "text/errmsg.h"

#include <stdarg.h>
#include <stdio.h>

scan_status errmsg_set(errmsg *error, scan_status status, const char *format, ...)
{
    if (!error)
        return status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return status;
}
