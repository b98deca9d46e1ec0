/*
 * write_all.h - writes until all is written
 */
#ifndef SCANBENCH_SYSTEM_WRITE_ALL_H
#define SCANBENCH_SYSTEM_WRITE_ALL_H

#include <stddef.h>

/* 0, or errno. */
int write_all(int fd, const char *bytes, size_t count);

#endif
