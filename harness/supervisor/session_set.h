/*
 * session_set.h - from the plugins asked for to open sessions: find the files, describe
 * them, select, and open one session per plugin and device
 */
#ifndef SCANBENCH_SUPERVISOR_SESSION_SET_H
#define SCANBENCH_SUPERVISOR_SESSION_SET_H

#include "text/errmsg.h"

#include "cli/options.h"
#include "supervisor/session.h"

typedef struct session_set {
    registry registry; /* all that was found */
    session *sessions; /* of the selected plugins, in the registry's order */
    size_t count;
} session_set;

/*
 * pinned, core: where CPU plugins run. SCAN_OK and *session_set_p, released with
 * session_set_close; SCAN_INVALID (a list or a device that matches nothing),
 * SCAN_NO_MEMORY, SCAN_ERROR (interrupted, "" as message), and why in `message`.
 */
scan_status session_set_open(const options *o, const char *list, bool pinned, int core,
                             session_set *session_set_p, errmsg *error);
void session_set_close(session_set *r);

/* Is the session's id or backend an item of a comma-separated list (NULL: of none)? */
bool session_set_names(const char *list, const session *l);
/* Is every item of the list the id or backend of a session? If not, says in `message` which
 * is not. */
bool session_set_lists(const session_set *r, const char *list, errmsg *error);
/* Is every item of a comma-separated list the id or backend of an available session? If
 * not, says in `message` which is missing and why. */
bool session_set_has(const session_set *r, const char *list, errmsg *error);

#endif
