/*
 * opencl_scan.c - element types and operators of OpenCL scans
 */
#include "opencl_scan.h"

#include "scan_ops.cl.h"
#include "vectors.cl.h"

#include <stdio.h>

const char *const opencl_scan_ops = scan_ops_cl;
const char *const opencl_vectors = vectors_cl;

static const char *const dtype_words[SCAN_DTYPE_COUNT] = {
#define WORD_OF(name, value, word, bytes) [SCAN_DTYPE_##name] = word,
    SCAN_DTYPE_MAP(WORD_OF)
#undef WORD_OF
};

static const char *const op_words[SCAN_OP_COUNT] = {
#define WORD_OF(name, value, word) [SCAN_OP_##name] = word,
    SCAN_OP_MAP(WORD_OF)
#undef WORD_OF
};

/* Signed and unsigned sums have the same bits: one program instead of two. */
static uint32_t dtype_of_sums(uint32_t dtype)
{
    switch (dtype) {
    case SCAN_DTYPE_I8:
        return SCAN_DTYPE_U8;
    case SCAN_DTYPE_I16:
        return SCAN_DTYPE_U16;
    case SCAN_DTYPE_I32:
        return SCAN_DTYPE_U32;
    case SCAN_DTYPE_I64:
        return SCAN_DTYPE_U64;
    default:
        return dtype;
    }
}

void opencl_scan_definitions(const scan_problem *problem, char definitions[OPENCL_MAX_OPTIONS])
{
    const uint32_t dtype =
        problem->op == SCAN_OP_SUM ? dtype_of_sums(problem->dtype) : problem->dtype;
    snprintf(definitions, OPENCL_MAX_OPTIONS, "-D DTYPE_%s -D OP_%s", dtype_words[dtype],
             op_words[problem->op]);
}

void opencl_scan_options(const scan_problem *problem, char options[OPENCL_MAX_OPTIONS])
{
    char definitions[OPENCL_MAX_OPTIONS];
    opencl_scan_definitions(problem, definitions);
    snprintf(options, OPENCL_MAX_OPTIONS, "-cl-std=CL1.2 %.100s", definitions);
}

uint64_t opencl_held_bytes(const scan_problem *problem)
{
    return (SCAN_BIT(problem->dtype) & SCAN_HALF_1_1) != 0 ? sizeof(cl_float)
                                                           : problem->element_bytes;
}

scan_status opencl_check_dtype(const opencl_context *context, const scan_problem *problem)
{
    const bool wide = problem->dtype == SCAN_DTYPE_F64;
    const bool narrow = problem->dtype == SCAN_DTYPE_F32 || problem->dtype == SCAN_DTYPE_F32X2 ||
                        (SCAN_BIT(problem->dtype) & SCAN_HALF_1_1) != 0;
    if (wide && context->f64_config == 0)
        return context->host->fail(context->host, SCAN_UNSUPPORTED,
                                   "f64 needs cl_khr_fp64, which this device does not have");
    if ((wide && !(context->f64_config & CL_FP_DENORM)) ||
        (narrow && !(context->f32_config & CL_FP_DENORM)))
        return context->host->fail(context->host, SCAN_UNSUPPORTED,
                                   "%s needs subnormal numbers, which this device flushes to 0 (no "
                                   "CL_FP_DENORM)",
                                   dtype_words[problem->dtype]);
    return SCAN_OK;
}

scan_status opencl_check_block(const opencl_context *context, uint64_t block)
{
    if (block > context->max_block)
        return context->host->fail(context->host, SCAN_UNSUPPORTED,
                                   "block %llu is more than the %zu work-items the device takes",
                                   (unsigned long long)block, context->max_block);
    return SCAN_OK;
}
