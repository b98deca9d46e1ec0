/*
 * duration.h - durations as people read them
 */
#ifndef SCANBENCH_OUTPUT_DURATION_H
#define SCANBENCH_OUTPUT_DURATION_H

enum { DURATION_BYTES = 40 };

/* "4:20", "1:02:03". Each returns `text`. */
const char *duration_clock(double seconds, char text[DURATION_BYTES]);
/* "9 s", "4 min 20 s", "2 h 10 min". */
const char *duration_words(double seconds, char text[DURATION_BYTES]);

#endif
