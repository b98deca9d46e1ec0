/*
 * physics.h - can a time be true? No row may say that bytes moved faster than any cache moves them
 *
 * A scan reads each element and writes its result: these bytes go through the registers of a core
 * or of a device, whatever the caches hold.
 *
 * A core moves at most PHYSICS_BYTES_PER_CYCLE. Today's widest store 64 bytes a cycle and load 128,
 * of which a scan needs 64; twice that is allowed. How long a cycle is follows from the spin, whose
 * multiplications wait for each other for PHYSICS_MULTIPLICATION_CYCLES (3 on x86-64, 2 to 5
 * elsewhere). The shortest spin of all rounds counts, so that a slower moment changes nothing.
 *
 * A device moves at most PHYSICS_DEVICE_BYTES_PER_NS: the first caches of an H200 give 33 TB/s
 * together (132 multiprocessors, 128 bytes a cycle each, 1.98 GHz); three times that is allowed.
 */
#ifndef SCANBENCH_SWEEP_PHYSICS_H
#define SCANBENCH_SWEEP_PHYSICS_H

#include "sweep/measurement.h"

#define PHYSICS_BYTES_PER_CYCLE 256.0
#define PHYSICS_MULTIPLICATION_CYCLES 3.0
#define PHYSICS_DEVICE_BYTES_PER_NS 1e5

/* The least time in ns that a run of it can take. Where the frequency of the core is unknown, a
 * core counts as fast as a device. */
double physics_least_ns(const measurement *m);
/* Makes the result of a summarized measurement an error if one of its times is shorter, and flags
 * a device's time that leaves much of the run unexplained. */
void physics_judge(measurement *m);

#endif
