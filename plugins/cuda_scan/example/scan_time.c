/* scan_time.c - how long the exclusive sum of n 32-bit integers takes on the current GPU, in µs:
 *
 *     scan_time [n [skew_in [skew_out]]]
 *
 * the median of 101 runs between events, of arrays that begin skew_in and skew_out elements behind
 * a multiple of 256 bytes. From some million elements on; before a shorter scan the device waits
 * for the host.
 */
#include <cuda_runtime_api.h>
#include <scan_cuda.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 101, WARM_UP = 5 };

static void check(int good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(cudaGetLastError()));
    exit(1);
}

static int compare(const void *left, const void *right)
{
    const float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

static float run_once(scan_cuda_plan *plan, const int *in, int *out, size_t n, cudaEvent_t *event)
{
    float ms = 0;
    check(cudaEventRecord(event[0], NULL) == cudaSuccess, "cudaEventRecord");
    check(scan_cuda_plan_run(plan, in, out, n, NULL, NULL) == SCAN_CUDA_OK, "scan_cuda_plan_run");
    check(cudaEventRecord(event[1], NULL) == cudaSuccess, "cudaEventRecord");
    check(cudaEventSynchronize(event[1]) == cudaSuccess, "the scan");
    check(scan_cuda_plan_check(plan, NULL) == SCAN_CUDA_OK, "scan_cuda_plan_check");
    check(cudaEventElapsedTime(&ms, event[0], event[1]) == cudaSuccess, "cudaEventElapsedTime");
    return ms * 1000;
}

int main(int argc, char **argv)
{
    const size_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000000;
    const size_t skew_in = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    const size_t skew_out = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    const scan_cuda_problem problem = {.type = SCAN_CUDA_I32, .op = SCAN_CUDA_SUM, .most_n = n};
    scan_cuda_plan *plan = NULL;
    scan_cuda_error error;
    if (scan_cuda_plan_create(&problem, &plan, &error) != SCAN_CUDA_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    int *in = NULL, *out = NULL;
    void *memory = NULL;
    cudaEvent_t event[2];
    float us[RUNS];
    const size_t bytes = scan_cuda_plan_bytes(plan);
    check(cudaMalloc((void **)&in, (n + skew_in) * sizeof *in) == cudaSuccess &&
              cudaMalloc((void **)&out, (n + skew_out) * sizeof *out) == cudaSuccess &&
              cudaMalloc(&memory, bytes + 1) == cudaSuccess &&
              cudaMemset(in, 1, (n + skew_in) * sizeof *in) == cudaSuccess,
          "cudaMalloc");
    check(cudaEventCreate(&event[0]) == cudaSuccess && cudaEventCreate(&event[1]) == cudaSuccess,
          "cudaEventCreate");
    check(scan_cuda_plan_use(plan, memory, bytes, NULL) == SCAN_CUDA_OK, "scan_cuda_plan_use");
    for (int i = 0; i < WARM_UP; i++)
        (void)run_once(plan, in + skew_in, out + skew_out, n, event);
    for (int i = 0; i < RUNS; i++)
        us[i] = run_once(plan, in + skew_in, out + skew_out, n, event);
    qsort(us, RUNS, sizeof *us, compare);
    printf("n = %zu, method %d: %.2f µs\n", n, (int)scan_cuda_plan_method(plan, n), us[RUNS / 2]);
    scan_cuda_plan_destroy(plan);
    return 0;
}
