/*
 * duel.h - two studies that are measured together: of the same problems, each with the plugin and
 * the settings of its side
 */
#ifndef SCANBENCH_COMMANDS_DUEL_H
#define SCANBENCH_COMMANDS_DUEL_H

#include "commands/study.h"

enum { DUEL_SIDES = 2 };

/* "PLUGIN" or "PLUGIN:NAME=VALUE,...": an id or a file, with tunables to set. */
typedef struct duel_side {
    char *text; /* the operand, cut into the parts below */
    options options;
    study study;
    size_t first; /* of its sessions among those of both */
} duel_side;

typedef struct duel {
    duel_side sides[DUEL_SIDES];
    session *sessions; /* of both sides */
    size_t session_count;
} duel;

/* Opens both sides of the arguments. EXIT_GOOD; or another exit status with the reason in `error`,
 * which is "" after a signal. Released with duel_close in either case. */
int duel_open(const options *o, duel *duel_p, errmsg *error);
void duel_close(duel *d);

/* A configuration of each side with the same problem: their places in the plans. */
typedef struct duel_pair {
    size_t at[DUEL_SIDES];
} duel_pair;

/*
 * Pairs the configurations of all problems, in the order of the plans: those of one problem in
 * their order, or all of one side with the only one of the other. SCAN_OK and *pairs_p, for the
 * caller to free; SCAN_INVALID if their numbers do not fit; SCAN_NO_MEMORY.
 */
scan_status duel_match(const duel *d, duel_pair **pairs_p, size_t *count_p, errmsg *error);

#endif
