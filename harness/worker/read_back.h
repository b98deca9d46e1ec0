/*
 * read_back.h - is on a device what copy_in and fill were asked to write there? A few random words
 * are read
 */
#ifndef SCANBENCH_WORKER_READ_BACK_H
#define SCANBENCH_WORKER_READ_BACK_H

#include <stdbool.h>

struct trial;

/* Each returns false if it set a fault; true for memory of the host. */

/* The input, which was just copied in. */
bool read_back_input(struct trial *e);
/* The output, which was just filled with poison. */
bool read_back_poison(struct trial *e);

#endif
