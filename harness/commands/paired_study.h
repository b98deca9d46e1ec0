/*
 * paired_study.h - two studies that are measured together: of the same problems, each with the
 * plugin and the settings of its side
 */
#ifndef SCANBENCH_COMMANDS_PAIRED_STUDY_H
#define SCANBENCH_COMMANDS_PAIRED_STUDY_H

#include "commands/study.h"

enum { STUDY_SIDES = 2 };

/* "PLUGIN" or "PLUGIN:NAME=VALUE,...": an id or a file, with tunables to set. */
typedef struct study_side {
    char *text; /* the operand, cut into the parts below */
    options options;
    study study;
    size_t first; /* of its sessions among those of both */
} study_side;

typedef struct paired_study {
    study_side sides[STUDY_SIDES];
    session *sessions; /* of both sides */
    size_t session_count;
} paired_study;

/* Opens both sides of the arguments. EXIT_GOOD; or another exit status with the reason in `error`,
 * which is "" after a signal. Released with paired_study_close in either case. */
int paired_study_open(const options *o, paired_study *paired_p, errmsg *error);
void paired_study_close(paired_study *d);

/* A configuration of each side with the same problem: their places in the plans. */
typedef struct study_pair {
    size_t at[STUDY_SIDES];
} study_pair;

/*
 * Pairs the configurations of all problems, in the order of the plans: those of one problem in
 * their order, or all of one side with the only one of the other. SCAN_OK and *pairs_p, for the
 * caller to free; SCAN_INVALID if their numbers do not fit; SCAN_NO_MEMORY.
 */
scan_status paired_study_match(const paired_study *d, study_pair **pairs_p, size_t *count_p,
                               errmsg *error);

#endif
