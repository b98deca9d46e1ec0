/*
 * file_hash.h - the SHA-256 of a file, which tells two builds apart
 */
#ifndef SCANBENCH_SYSTEM_FILE_HASH_H
#define SCANBENCH_SYSTEM_FILE_HASH_H

/* 64 digits, with the final 0. */
enum { FILE_HASH_BYTES = 65 };

/* Writes it in hexadecimal; "" where the file cannot be read. Returns `text`. */
const char *file_hash(const char *path, char text[FILE_HASH_BYTES]);

#endif
