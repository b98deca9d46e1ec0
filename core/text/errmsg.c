#include "text/errmsg.h"

#include "text/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

scan_status errmsg_set(errmsg *error, scan_status status, const char *format, ...)
{
    if (!error)
        return status;
    va_list arguments;
    va_start(arguments, format);
    char text[ERRMSG_BYTES + 4];
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    utf8_cut(text, ERRMSG_BYTES - 1);
    utf8_clean(text);
    memcpy(error->text, text, strlen(text) + 1);
    return status;
}
