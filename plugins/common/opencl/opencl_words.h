/*
 * opencl_words.h - what status_words.cl needs of the host: memory for the words, the numbers of the
 * runs, and the options of the compiler
 */
#ifndef OPENCL_WORDS_H
#define OPENCL_WORDS_H

#include "opencl_scan.h"

/* The text of status_words.cl, which follows opencl_scan_ops. */
extern const char *const opencl_status_words;

/* A tunable that chooses the bits of a word, for those who want to know what the choice costs. */
#define OPENCL_WORD_TUNABLE                                                                  \
    SCAN_TUNABLE_LIST("word", "bits of a status word, 32 or 64; 0: 64 if the device can", 0, \
                      opencl_word_bits)
static const int64_t opencl_word_bits[] = {0, 32, 64};

/* The options of a program with status words whose tunable `word` is `asked`, 0, 32 or 64:
 * those of opencl_scan_options, -D WORD_BITS=... and the newest version of OpenCL C that has
 * atomics for the whole device. */
void opencl_words_options(const opencl_context *context, const scan_problem *problem, int64_t asked,
                          char options[OPENCL_MAX_OPTIONS]);

/* Does the device have words of that many bits? SCAN_OK, or SCAN_UNSUPPORTED and the reason. */
scan_status opencl_words_check(const opencl_context *context, int64_t asked);

/* The status words and tickets of one instance. All zero: nothing is allocated. */
typedef struct opencl_words {
    opencl_context *context;
    cl_mem words;
    cl_mem tickets;       /* taken so far, by all runs, modulo 2^32 */
    uint64_t bytes;       /* of `words` */
    cl_uint most_runs;    /* that a tag tells apart */
    cl_uint run;          /* this run's number, from 1; 0: words and tickets are not known */
    cl_uint first_ticket; /* of this run */
    cl_uint taken;        /* tickets of this run */
} opencl_words;

/* Allocates words for `tiles` > 0 tiles. What was allocated is freed by opencl_words_free. */
scan_status opencl_words_make(opencl_words *self, opencl_context *context,
                              const scan_problem *problem, int64_t asked, uint64_t tiles);

/* Goes on to a run whose kernel takes `tickets` tickets; enqueues what clears the words if nothing
 * is known about them, or if their numbers are used up. */
scan_status opencl_words_next(opencl_words *self, opencl_run *run, cl_uint tickets);

/* Four arguments in a row of a kernel that has status words: words, tickets, run, first_ticket. */
#define OPENCL_WORDS_ARGUMENTS(self)                                                             \
    OPENCL_ARGUMENT((self).words), OPENCL_ARGUMENT((self).tickets), OPENCL_ARGUMENT((self).run), \
        OPENCL_ARGUMENT((self).first_ticket)

/* The run failed: how many tickets it took is not known. */
void opencl_words_forget(opencl_words *self);

void opencl_words_free(const opencl_words *self);

#endif
