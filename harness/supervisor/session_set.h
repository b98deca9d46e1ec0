/*
 * session_set.h - finds and describes the plugin files, selects plugins and opens one session per
 * plugin and device
 */
#ifndef SCANBENCH_SUPERVISOR_SESSION_SET_H
#define SCANBENCH_SUPERVISOR_SESSION_SET_H

#include "supervisor/session.h"
#include "text/errmsg.h"

/* Which sessions to open. */
typedef struct session_config {
    const char *plugins; /* a list as in text/plugin_list.h */
    const char *device;  /* a list of indices, parts of names, "all"; "cuda:1" for one backend */
    bool pinned;         /* bind the workers of CPU plugins to cores */
    int core;            /* to this one; -1: one is chosen */
    double timeout_s;
    bool verbose;
    bool calibrated; /* open the calibrators, too */
    bool named_only; /* where `plugins` names files, look for no others; so it is, too, where it
                        names nothing else, unless: */
    bool all_known;  /* another option may name any plugin */
    const char *launcher; /* starts `ranks` ranks of a worker, where {parts} stands for them */
    unsigned ranks;       /* 0 or 1: none are started */
    const char *python;   /* the interpreter of plugins in Python; NULL: as WORKER_PYTHON says */
} session_config;

typedef struct session_set {
    registry registry; /* all that was found */
    session *sessions; /* for the selected plugins, in the registry's order */
    size_t count;
    size_t calibrators; /* behind those, in the order of `calibrator`: all of them, or 0 */
    char *launcher;     /* what starts the ranks, with their number; or NULL */
} session_set;

/*
 * SCAN_OK and *session_set_p, released with session_set_close; SCAN_INVALID (a list or a device
 * that matches nothing) or SCAN_NO_MEMORY, with the reason in `error`; SCAN_ERROR with "" in
 * `error` when interrupted.
 */
scan_status session_set_open(const session_config *config, session_set *session_set_p,
                             errmsg *error);
/* The same without workers: describes the plugins and probes no device. */
scan_status session_set_select(const session_config *config, session_set *session_set_p,
                               errmsg *error);
void session_set_close(session_set *r);

/* Is the session's id or backend an item of a comma-separated list (NULL: of none)? */
bool session_set_names(const char *list, const session *s);
/* Is every item of the list the id or backend of a session? If not, `error` names the item. */
bool session_set_lists(const session_set *r, const char *list, errmsg *error);
/* Is every item of a comma-separated list the id or backend of an available session? If not,
 * `error` says which one is missing and why. */
bool session_set_has(const session_set *r, const char *list, errmsg *error);

#endif
