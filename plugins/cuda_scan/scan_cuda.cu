/*
 * scan_cuda.cu - the functions of scan_cuda.h: what they check before a plan does its work
 */
#include "scan_cuda.h"

#include "scan_make.cuh"
#include "scan_table.h"

/* The header stands alone, but its numbers are the contract's. */
static_assert(+SCAN_CUDA_OK == +SCAN_OK && +SCAN_CUDA_UNSUPPORTED == +SCAN_UNSUPPORTED &&
              +SCAN_CUDA_NO_MEMORY == +SCAN_NO_MEMORY && +SCAN_CUDA_ERROR == +SCAN_ERROR &&
              +SCAN_CUDA_INVALID == +SCAN_INVALID);
static_assert(+SCAN_CUDA_I32 == +SCAN_DTYPE_I32 && +SCAN_CUDA_U32 == +SCAN_DTYPE_U32 &&
              +SCAN_CUDA_I64 == +SCAN_DTYPE_I64 && +SCAN_CUDA_U64 == +SCAN_DTYPE_U64 &&
              +SCAN_CUDA_F32 == +SCAN_DTYPE_F32 && +SCAN_CUDA_F64 == +SCAN_DTYPE_F64 &&
              +SCAN_CUDA_U32X2 == +SCAN_DTYPE_U32X2 && +SCAN_CUDA_F32X2 == +SCAN_DTYPE_F32X2 &&
              +SCAN_CUDA_I8 == +SCAN_DTYPE_I8 && +SCAN_CUDA_U8 == +SCAN_DTYPE_U8 &&
              +SCAN_CUDA_I16 == +SCAN_DTYPE_I16 && +SCAN_CUDA_U16 == +SCAN_DTYPE_U16 &&
              +SCAN_CUDA_F16 == +SCAN_DTYPE_F16 && +SCAN_CUDA_BF16 == +SCAN_DTYPE_BF16);
static_assert(+SCAN_CUDA_SUM == +SCAN_OP_SUM && +SCAN_CUDA_MAX == +SCAN_OP_MAX &&
              +SCAN_CUDA_MIN == +SCAN_OP_MIN && +SCAN_CUDA_AFFINE == +SCAN_OP_AFFINE);
static_assert(+SCAN_CUDA_EXCLUSIVE == +SCAN_KIND_EXCLUSIVE &&
              +SCAN_CUDA_INCLUSIVE == +SCAN_KIND_INCLUSIVE);
static_assert(sizeof(scan_cuda_error) == sizeof(cuda_reason));

/* Hands a failure and its reason to the caller. */
static scan_cuda_status failed(scan_cuda_error *error, const cuda_reason &reason, int status)
{
    if (error != nullptr)
        memcpy(error->text, reason.text, sizeof error->text);
    return static_cast<scan_cuda_status>(status);
}

static scan_cuda_status invalid(scan_cuda_error *error, const char *text)
{
    cuda_reason reason;
    (void)cuda_fail(&reason, SCAN_INVALID, "%s", text);
    return failed(error, reason, SCAN_INVALID);
}

static scan_cuda_status gave_up(scan_cuda_error *error, const scan_cuda_plan *plan)
{
    cuda_reason reason;
    (void)cuda_fail(&reason, SCAN_ERROR,
                    "tile %u looked %u times for words of tiles before it and did not find all",
                    cuda_words_failed_tile(&plan->words), plan->words.patience);
    return failed(error, reason, SCAN_CUDA_GAVE_UP);
}

scan_cuda_status scan_cuda_plan_create(const scan_cuda_problem *problem, scan_cuda_plan **plan_p,
                                       scan_cuda_error *error)
{
    if (problem == nullptr || plan_p == nullptr)
        return invalid(error, "no problem, or no place for the plan");
    cuda_reason reason;
    const scan_status status = scan_plan_make(scan_table_measured, *problem, plan_p, &reason);
    return status == SCAN_OK ? SCAN_CUDA_OK : failed(error, reason, status);
}

size_t scan_cuda_plan_bytes(const scan_cuda_plan *plan)
{
    return plan->bytes;
}

scan_cuda_method scan_cuda_plan_method(const scan_cuda_plan *plan, uint64_t n)
{
    const uint64_t known = n < plan->problem.most_n ? n : plan->problem.most_n;
    return plan->choices.at[scan_choices_find(plan->choices, known * plan->element_bytes)].method;
}

scan_cuda_status scan_cuda_plan_use(scan_cuda_plan *plan, void *memory, size_t bytes,
                                    scan_cuda_error *error)
{
    if (bytes < plan->bytes)
        return invalid(error, "the memory has fewer bytes than scan_cuda_plan_bytes");
    if (plan->bytes > 0 && (memory == nullptr || reinterpret_cast<uintptr_t>(memory) % 16 != 0))
        return invalid(error, "the memory does not begin at a multiple of 16 bytes, or is NULL");
    if (plan->bytes > 0)
        cuda_words_use(&plan->words, memory, plan->bytes);
    return SCAN_CUDA_OK;
}

static bool is_aligned(const void *array, unsigned bytes)
{
    return array != nullptr && reinterpret_cast<uintptr_t>(array) % bytes == 0;
}

/* What a launch with words needs beyond its arrays. */
static scan_cuda_status check_words(scan_cuda_plan *plan, cudaStream_t stream,
                                    scan_cuda_error *error)
{
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    cuda_reason reason;
    if (plan->words.memory == nullptr)
        return invalid(error, "the plan has no memory yet: scan_cuda_plan_use gives it some");
    if (cuda_words_failed_tile(&plan->words) != CUDA_NO_TILE)
        return gave_up(error, plan);
    const scan_status status =
        cuda_fail_if(&reason, cudaStreamIsCapturing(stream, &capture), "cudaStreamIsCapturing");
    if (status != SCAN_OK)
        return failed(error, reason, status);
    /* Nobody knows how often, and when, a captured launch is replayed with its number. So it begins
     * with words that are cleared, and so does every launch after it. */
    plan->captured = plan->captured || capture != cudaStreamCaptureStatusNone;
    if (plan->captured)
        plan->words.turn = {};
    return SCAN_CUDA_OK;
}

scan_cuda_status scan_cuda_plan_run(scan_cuda_plan *plan, const void *in, void *out, uint64_t n,
                                    cudaStream_t stream, scan_cuda_error *error)
{
    if (n == 0)
        return SCAN_CUDA_OK;
    if (n > plan->problem.most_n)
        return invalid(error, "n is larger than the plan's most_n");
    if (!is_aligned(in, plan->element_bytes) || !is_aligned(out, plan->result_bytes))
        return invalid(error, "an array is NULL or not aligned to its elements");
    int device = 0;
    cuda_reason reason;
    scan_status status = cuda_fail_if(&reason, cudaGetDevice(&device), "cudaGetDevice");
    if (status != SCAN_OK)
        return failed(error, reason, status);
    if (device != plan->device)
        return invalid(error, "another device is current than when the plan was made");
    const unsigned index = scan_choices_find(plan->choices, n * plan->element_bytes);
    if (plan->has_words(plan, index, in, n)) {
        const scan_cuda_status ready = check_words(plan, stream, error);
        if (ready != SCAN_CUDA_OK)
            return ready;
    }
    status = cuda_fail_if(&reason, plan->launch(plan, index, in, out, n, stream), "a launch");
    return status == SCAN_OK ? SCAN_CUDA_OK : failed(error, reason, status);
}

scan_cuda_status scan_cuda_plan_check(scan_cuda_plan *plan, scan_cuda_error *error)
{
    if (plan->bytes == 0 || cuda_words_failed_tile(&plan->words) == CUDA_NO_TILE)
        return SCAN_CUDA_OK;
    const scan_cuda_status status = gave_up(error, plan);
    cuda_words_forget(&plan->words); /* how many tickets were taken is not known */
    return status;
}

void scan_cuda_plan_destroy(scan_cuda_plan *plan)
{
    scan_plan_free(plan);
}
