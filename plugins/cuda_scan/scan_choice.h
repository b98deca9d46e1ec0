/*
 * scan_choice.h - which method scans an array, from a table
 */
#ifndef SCAN_CHOICE_H
#define SCAN_CHOICE_H

#include "lookahead_shape.h"
#include "lookback_scan.h"
#include "rows_beside.cuh"
#include "scan_cuda.h"
#include "single_scan.h"
#include "wave_scan.h"

enum { SCAN_MOST_CHOICES = 5 };
#define SCAN_ANY_BYTES UINT64_MAX

/* For arrays that are not longer than this, and longer than those of the choice before. Of the
 * settings only those of its method count. */
struct scan_choice {
    uint64_t most_bytes;
    scan_cuda_method method;
    single_shape single;
    lookback_settings lookback;
    lookahead_settings lookahead;
    rows_settings rows = {};
    wave_settings wave = {};
};

struct scan_choices {
    const scan_choice *at; /* by most_bytes */
    unsigned count;        /* 1 ... SCAN_MOST_CHOICES */
};

struct scan_table {
    scan_choices with_bulk_copies; /* code for compute capability 9.0 or later */
    scan_choices with_bulk_copies_in_order;
    scan_choices without;
    scan_choices without_in_order;
    const scan_choice *asked; /* a choice for each method from SCAN_CUDA_SINGLE on */
};

/* `in_order`: the order of additions must not depend on timing. */
inline scan_choices scan_choices_for(const scan_table &table, scan_cuda_method method,
                                     int code_version, bool in_order)
{
    if (method != SCAN_CUDA_BY_TABLE)
        return {table.asked + (method - SCAN_CUDA_SINGLE), 1};
    if (code_version >= 90)
        return in_order ? table.with_bulk_copies_in_order : table.with_bulk_copies;
    return in_order ? table.without_in_order : table.without;
}

/* The index of the choice for an array; `count` if it is too long for all. */
inline unsigned scan_choices_find(const scan_choices &choices, uint64_t bytes)
{
    unsigned i = 0;
    while (i < choices.count && choices.at[i].most_bytes < bytes)
        i++;
    return i;
}

#endif
