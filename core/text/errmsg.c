#include "text/errmsg.h"

#include <stdarg.h>
#include <stdio.h>

scan_status errmsg_set(char *message, size_t size, scan_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (size > 0)
        vsnprintf(message, size, format, arguments);
    va_end(arguments);
    return status;
}
