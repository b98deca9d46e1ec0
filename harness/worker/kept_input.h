/*
 * kept_input.h - the input of a proof, made once and kept
 *
 * Making an input takes longer than most scans of it, and it is needed at least twice: it is
 * written before a run, and compared behind it.
 */
#ifndef SCANBENCH_WORKER_KEPT_INPUT_H
#define SCANBENCH_WORKER_KEPT_INPUT_H

#include "worker/host.h"

/* The same input, whose elements are made unless the last one that was kept has them, and kept
 * until the next one is; as given outside a proof, or where there is no room. */
input_spec kept_input(worker_host *h, const input_spec *spec);

#endif
