/*
 * opencl_types.c - element types and operators of OpenCL scans
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

const char *opencl_type_name(uint32_t dtype)
{
    static const char *const names[SCAN_DTYPE_COUNT] = {
        [SCAN_DTYPE_I8] = "char",    [SCAN_DTYPE_U8] = "uchar",   [SCAN_DTYPE_I16] = "short",
        [SCAN_DTYPE_U16] = "ushort", [SCAN_DTYPE_I32] = "int",    [SCAN_DTYPE_U32] = "uint",
        [SCAN_DTYPE_I64] = "long",   [SCAN_DTYPE_U64] = "ulong",  [SCAN_DTYPE_F32] = "float",
        [SCAN_DTYPE_F64] = "double", [SCAN_DTYPE_F16] = "ushort", [SCAN_DTYPE_BF16] = "ushort"};
    return names[dtype];
}

bool opencl_is_wide(const scan_problem *problem)
{
    return scan_result(problem) != problem->dtype;
}

void opencl_scan_definitions(const scan_problem *problem, char definitions[OPENCL_MAX_OPTIONS])
{
    const uint32_t result = scan_result(problem);
    const uint32_t dtype = problem->op == SCAN_OP_SUM ? dtype_of_sums(result) : result;
    const int used = snprintf(definitions, OPENCL_MAX_OPTIONS, "-D DTYPE_%s -D OP_%s",
                              dtype_words[dtype], op_words[problem->op]);
    if (opencl_is_wide(problem))
        snprintf(definitions + used, OPENCL_MAX_OPTIONS - (size_t)used, " -D GIVEN=%s -D FROM_%s",
                 opencl_type_name(problem->dtype), dtype_words[problem->dtype]);
}

void opencl_scan_options(const scan_problem *problem, char options[OPENCL_MAX_OPTIONS])
{
    char definitions[OPENCL_MAX_OPTIONS];
    opencl_scan_definitions(problem, definitions);
    snprintf(options, OPENCL_MAX_OPTIONS, "-cl-std=CL1.2 %.100s", definitions);
}

static bool is_half(uint32_t dtype)
{
    return (SCAN_BIT(dtype) & SCAN_HALF_1_1) != 0;
}

uint64_t opencl_held_bytes(const scan_problem *problem)
{
    return is_half(scan_result(problem)) ? sizeof(cl_float) : scan_result_bytes(problem);
}

static scan_status check_type(const opencl_context *context, uint32_t dtype)
{
    const bool f64 = dtype == SCAN_DTYPE_F64;
    const bool f32 = dtype == SCAN_DTYPE_F32 || dtype == SCAN_DTYPE_F32X2 || is_half(dtype);
    if (f64 && context->f64_config == 0)
        return context->host->fail(context->host, SCAN_UNSUPPORTED,
                                   "f64 needs cl_khr_fp64, which this device does not have");
    if ((f64 && !(context->f64_config & CL_FP_DENORM)) ||
        (f32 && !(context->f32_config & CL_FP_DENORM)))
        return context->host->fail(context->host, SCAN_UNSUPPORTED,
                                   "%s needs subnormal numbers, which this device flushes to 0 (no "
                                   "CL_FP_DENORM)",
                                   dtype_words[dtype]);
    return SCAN_OK;
}

scan_status opencl_check_dtype(const opencl_context *context, const scan_problem *problem)
{
    const scan_status status = check_type(context, problem->dtype);
    return status == SCAN_OK ? check_type(context, scan_result(problem)) : status;
}

scan_status opencl_check_block(const opencl_context *context, uint64_t block)
{
    if (block > context->max_block)
        return context->host->fail(context->host, SCAN_UNSUPPORTED,
                                   "block %llu is more than the %zu work-items the device takes",
                                   (unsigned long long)block, context->max_block);
    return SCAN_OK;
}
