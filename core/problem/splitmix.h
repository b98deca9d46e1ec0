/*
 * splitmix.h - pseudorandom numbers of 64 bits: splitmix64 (Steele, Lea, Flood: Fast splittable
 * pseudorandom number generators, OOPSLA 2014)
 */
#ifndef SCANBENCH_PROBLEM_SPLITMIX_H
#define SCANBENCH_PROBLEM_SPLITMIX_H

#include <stdint.h>

/* What is added between two numbers. */
#define SPLITMIX_STEP UINT64_C(0x9e3779b97f4a7c15)

/* Its finaliser: a hash of z. */
static inline uint64_t splitmix_hash(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline uint64_t splitmix_next(uint64_t *state)
{
    return splitmix_hash(*state += SPLITMIX_STEP);
}

#endif
