/*
 * comparison_words.h - what a comparison is told in: names of configurations, changes, counts
 */
#ifndef SCANBENCH_COMPARE_COMPARISON_WORDS_H
#define SCANBENCH_COMPARE_COMPARISON_WORDS_H

#include "compare/comparison.h"
#include "compare/differences.h"

/* Which properties of a configuration differ among the pairs, and so are part of its name. */
typedef struct naming {
    bool problem, phase, cache, device;
} naming;

enum { COMPARED_NAME_BYTES = 2048, CHANGE_BYTES = 16, SUMMARY_BYTES = 256, UNMATCHED_BYTES = 4096 };
enum { CHANGE_MEANING_BYTES = 1024 };

naming naming_of(const comparison *c);
/* What has changed in a pair, written to `text`, which is returned. For rows of two runs that is
 * the configuration: "cpu_x f32 max exclusive block=64 pad=1". For one run it says against what,
 * too: "mine against cpu_x", "cpu_x block=64 against block=32", "cpu_x of after/cpu_x.so". */
const char *naming_name(const naming *n, const compared_pair *pair, char *text, size_t size);

/* What a change of the second file or plugin is: "change: how much longer ...". */
const char *change_meaning(const comparison *c, const result_file *second,
                           char text[CHANGE_MEANING_BYTES]);

/* A ratio as a change: "+4.2%", "x12.5"; "-" for one that is not known. */
const char *change_text(double ratio, char text[CHANGE_BYTES]);

/* Writes "2 only in old.csv: cpu_x cpu_y" if there are rows that only the first file has, or else
 * the second. The tables have no lines for them. */
void put_unmatched(const comparison *c, const result_file *second, bool in_first,
                   difference_sink *sink, void *to);

/* "1 slower, ...; threshold 3 %". */
const char *summary_text(const comparison *c, char text[SUMMARY_BYTES]);

#endif
