/*
 * roster.h - from the plugins asked for to open lanes: find the files, describe
 * them, select, and open one lane per plugin and device
 */
#ifndef SCANBENCH_ROSTER_H
#define SCANBENCH_ROSTER_H

#include "lane.h"
#include "options.h"

typedef struct roster {
    catalog catalog; /* all that was found */
    lane *lanes;     /* of the selected plugins, in the catalog's order */
    size_t count;
} roster;

/*
 * pinned, core: where CPU plugins run. SCAN_OK and *roster_p, released with
 * roster_close; SCAN_INVALID (a list or a device that matches nothing),
 * SCAN_NO_MEMORY, SCAN_ERROR (interrupted, "" as message), and why in `message`.
 */
scan_status roster_open(const options *o, const char *list, bool pinned, int core, roster *roster_p,
                        char *message, size_t size);
void roster_close(roster *r);

/* Is the lane's id or backend an item of a comma-separated list (NULL: of none)? */
bool roster_names(const char *list, const lane *l);
/* Is every item of the list the id or backend of a lane? If not, says in `message` which
 * is not. */
bool roster_lists(const roster *r, const char *list, char *message, size_t size);
/* Is every item of a comma-separated list the id or backend of an available lane? If
 * not, says in `message` which is missing and why. */
bool roster_has(const roster *r, const char *list, char *message, size_t size);

#endif
