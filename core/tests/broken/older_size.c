/* As an older plugin: its struct ends before get_extension, and what lies there is
 * none of the host's business. */
#include "scan_plugin.h"

static const void *not_to_be_read(const scan_plugin *plugin, const char *name)
{
    (void)plugin;
    return name;
}

#define BROKEN_SIZE offsetof(scan_plugin, get_extension)
#define BROKEN_EXTENSION not_to_be_read
#include "broken.h"
