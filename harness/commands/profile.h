/*
 * profile.h - run --profile: each configuration once, for a profiler around the program
 */
#ifndef SCANBENCH_COMMANDS_PROFILE_H
#define SCANBENCH_COMMANDS_PROFILE_H

#include "commands/study.h"

/* Runs the plan of an open study: each configuration is compared as for measuring, and has one run
 * that warms up and one in a range named after it. No time is taken and no file written. The exit
 * status; failures go to stderr. */
int profile_main(const options *o, study *s);

#endif
