/* Calls a function nobody defines. */
#include "scan_plugin.h"

scan_status nobody_defines_this(void *self, scan_buffer in, scan_buffer out);
#define BROKEN_RUN nobody_defines_this
#include "broken.h"
