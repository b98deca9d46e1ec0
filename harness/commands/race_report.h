/*
 * race_report.h - the outcome of a race, for people: the best setting, its margin, what cannot be
 * told from it, and what the plugin's own setting costs
 */
#ifndef SCANBENCH_COMMANDS_RACE_REPORT_H
#define SCANBENCH_COMMANDS_RACE_REPORT_H

#include "sweep/group.h"

/* Of each session of a group that was raced. */
void race_report_print(const group *g, size_t columns, FILE *out);

#endif
