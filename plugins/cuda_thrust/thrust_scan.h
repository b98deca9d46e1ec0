/*
 * thrust_scan.h - creates a Thrust scan for a functor and types
 *
 * Defined in thrust_scan.cuh and compiled in several files, because Thrust compiles slowly.
 */
#ifndef THRUST_SCAN_H
#define THRUST_SCAN_H

#include "cuda_common.h"
#include "cuda_wide.cuh"

/* An instance for cuda_instance_run and cuda_instance_destroy; with `cached`, Thrust's
 * temporary storage is allocated here. As the contract's create. */
template <typename Functor, typename T, typename From, typename To>
scan_status thrust_create(cuda_context *cuda, const scan_problem *problem, Functor functor,
                          T identity, cuda_wide<From, To> pair, bool cached, void **self_p);

#endif
