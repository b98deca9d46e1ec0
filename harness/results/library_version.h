/*
 * library_version.h - the version of a peer's library, as its users write it
 */
#ifndef SCANBENCH_RESULTS_LIBRARY_VERSION_H
#define SCANBENCH_RESULTS_LIBRARY_VERSION_H

enum { LIBRARY_VERSION_BYTES = 32 };

/*
 * "3.0.1" of "300001", "1.74" of "1_74": CSVs of older versions hold what the macros of CUB, Thrust
 * and Boost say, MAJOR * 100000 + MINOR * 100 + PATCH in six or seven digits, or underscores.
 * Returns `text`, or `version` where there is nothing to change.
 */
const char *library_version(const char *version, char text[LIBRARY_VERSION_BYTES]);

#endif
