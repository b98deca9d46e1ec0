/*
 * same_bits_test.c - on a GPU, float sums of the library have the same bits in 1000 runs, though
 * rounding makes every order of additions another; wherever the arrays begin
 */
#include "scan_cuda.h"
#include "tap.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <string.h>

enum { RUNS = 1000, MOST_N = 10000000, MOST_SKEW = 4 };

static const size_t sizes[] = {1000, 50000, 200000, 1000000, MOST_N};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* What all sizes share. */
typedef struct gpu {
    scan_cuda_plan *plan;
    void *memory;
    float *in;
    float *out;
    float *first; /* in memory of the host, like `again` */
    float *again;
} gpu;

static bool is_good(cudaError_t error)
{
    if (error != cudaSuccess)
        printf("# %s\n", cudaGetErrorString(error));
    return error == cudaSuccess;
}

static bool begin(gpu *g)
{
    const scan_cuda_problem problem = {
        .type = SCAN_CUDA_F32, .op = SCAN_CUDA_SUM, .kind = SCAN_CUDA_INCLUSIVE, .most_n = MOST_N};
    const size_t bytes = (MOST_N + MOST_SKEW) * sizeof(float);
    scan_cuda_error error = {""};
    if (scan_cuda_plan_create(&problem, &g->plan, &error) != SCAN_CUDA_OK) {
        printf("# %s\n", error.text);
        return false;
    }
    const size_t needed = scan_cuda_plan_bytes(g->plan);
    if (!is_good(cudaMalloc(&g->memory, needed)) || !is_good(cudaMalloc((void **)&g->in, bytes)) ||
        !is_good(cudaMalloc((void **)&g->out, bytes)) ||
        !is_good(cudaMallocHost((void **)&g->first, bytes)) ||
        !is_good(cudaMallocHost((void **)&g->again, bytes)))
        return false;
    for (size_t i = 0; i < MOST_N + MOST_SKEW; i++)
        g->first[i] = 1.0F / (float)(1 + i * 2654435761U % 9973);
    return is_good(cudaMemcpy(g->in, g->first, bytes, cudaMemcpyHostToDevice)) &&
           scan_cuda_plan_use(g->plan, g->memory, needed, NULL) == SCAN_CUDA_OK;
}

static bool scan(gpu *g, size_t n, size_t skew, float *to)
{
    return scan_cuda_plan_run(g->plan, g->in + skew, g->out + skew, n, NULL, NULL) ==
               SCAN_CUDA_OK &&
           is_good(cudaMemcpy(to, g->out + skew, n * sizeof *to, cudaMemcpyDeviceToHost)) &&
           scan_cuda_plan_check(g->plan, NULL) == SCAN_CUDA_OK;
}

/* Runs that gave other bits than the first, or failed. */
static unsigned other_runs(gpu *g, size_t n, size_t skew)
{
    unsigned others = scan(g, n, skew, g->first) ? 0 : 1;
    for (unsigned i = 1; i < RUNS; i++)
        if (!scan(g, n, skew, g->again) || memcmp(g->first, g->again, n * sizeof(float)) != 0)
            others++;
    return others;
}

int main(void)
{
    int count = 0;
    gpu g = {NULL, NULL, NULL, NULL, NULL, NULL};
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
        printf("TAP version 13\n1..0 # SKIP no CUDA device: %s\n",
               cudaGetErrorString(cudaGetLastError()));
        return 0;
    }
    tap_plan(1 + SIZES);
    ok(begin(&g), "there is a plan");
    for (unsigned i = 0; i < SIZES; i++) {
        const unsigned others = other_runs(&g, sizes[i], i % MOST_SKEW);
        ok(others == 0, "n = %zu by method %d: the same bits in %d runs, but for %u", sizes[i],
           (int)scan_cuda_plan_method(g.plan, sizes[i]), (int)RUNS, others);
    }
    scan_cuda_plan_destroy(g.plan);
    return tap_done();
}
