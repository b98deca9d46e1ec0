/*
 * multi_nccl.h - the exchange of totals by NCCL, found when a problem asks for it
 *
 * The library is opened then and not linked, so that the plugin loads without it. In a build that
 * found no nccl.h nothing is opened, and the reason says so.
 */
#ifndef MULTI_NCCL_H
#define MULTI_NCCL_H

#include "cuda_parts.h"

struct multi_nccl; /* communicators, one per part */

/* SCAN_OK, or SCAN_UNSUPPORTED and why these parts cannot use it. */
scan_status multi_nccl_check(const cuda_parts *parts, uint32_t count);

/* SCAN_OK and *nccl_p, freed with multi_nccl_free (which accepts NULL). Takes about a second. */
scan_status multi_nccl_make(cuda_parts *parts, uint32_t count, multi_nccl **nccl_p);
void multi_nccl_free(multi_nccl *nccl);

/* On the streams of the run, after cuda_mark: `bytes` from each sent[p] into place p of all
 * gathered[q]. */
scan_status multi_nccl_gather(const multi_nccl *nccl, void *const *sent, void *const *gathered,
                              uint64_t bytes);

#endif
