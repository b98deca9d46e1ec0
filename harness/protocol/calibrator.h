/*
 * calibrator.h - the harness's own scan and copy, which stand in every round of a group
 *
 * They do the same work in every version of scanbench, so a plugin's time divided by theirs, round
 * by round, can be compared between runs: what slows the machine down slows both. They are plugins
 * inside the program, in a worker of their own; their rows have the role "calibrator".
 */
#ifndef SCANBENCH_PROTOCOL_CALIBRATOR_H
#define SCANBENCH_PROTOCOL_CALIBRATOR_H

typedef enum calibrator { CALIBRATOR_SCAN, CALIBRATOR_COPY, CALIBRATOR_COUNT } calibrator;

#define CALIBRATOR_SCAN_ID "frozen_scan"
#define CALIBRATOR_COPY_ID "frozen_copy"

/* What a worker is given to load them instead of a file; and their backend, which no plugin has:
 * no row is compared with them as with a ceiling. */
#define CALIBRATOR_FILE ""
#define CALIBRATOR_BACKEND "harness"

#endif
