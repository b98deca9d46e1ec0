/* cumsum.c - cumulative sums along the middle axis of a tensor rows x n x inner on the current GPU:
 *
 *     cumsum [rows [n [inner]]]
 *
 * as cumsum(axis) of other libraries: of an axis of any tensor, rows is the product of the sizes
 * before it, and inner of those behind it. All elements are 1, so element i of each sum is i + 1;
 * prints how many are not. n is at most 2^24, up to which floats count exactly.
 */
#include <cuda_runtime_api.h>
#include <scan_cuda.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int good, const char *what, const char *why)
{
    if (good)
        return;
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static void check_cuda(cudaError_t error, const char *what)
{
    check(error == cudaSuccess, what, cudaGetErrorString(error));
}

/* Sums along the middle axis, in place, in memory of the device. Make the plan once where you sum
 * often. */
static void cumsum(float *array, size_t rows, size_t n, size_t inner)
{
    const scan_cuda_problem problem = {.type = SCAN_CUDA_F32,
                                       .op = SCAN_CUDA_SUM,
                                       .kind = SCAN_CUDA_INCLUSIVE,
                                       .most_n = n,
                                       .rows = rows,
                                       .inner = inner};
    scan_cuda_plan *plan = NULL;
    void *memory = NULL;
    scan_cuda_error error = {""};
    check(scan_cuda_plan_create(&problem, &plan, &error) == SCAN_CUDA_OK, "plan_create",
          error.text);
    const size_t bytes = scan_cuda_plan_bytes(plan); /* 0: rows that a block can hold */
    if (bytes > 0)
        check_cuda(cudaMalloc(&memory, bytes), "cudaMalloc");
    check(scan_cuda_plan_use(plan, memory, bytes, &error) == SCAN_CUDA_OK, "plan_use", error.text);
    check(scan_cuda_plan_run(plan, array, array, n, NULL, &error) == SCAN_CUDA_OK, "plan_run",
          error.text);
    check_cuda(cudaDeviceSynchronize(), "the scan");
    check(scan_cuda_plan_check(plan, &error) == SCAN_CUDA_OK, "plan_check", error.text);
    scan_cuda_plan_destroy(plan);
    check_cuda(cudaFree(memory), "cudaFree");
}

int main(int argc, char **argv)
{
    const size_t rows = argc > 1 ? strtoull(argv[1], NULL, 10) : 1024;
    const size_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 4096;
    const size_t inner = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    const size_t count = rows * n * inner, bytes = count * sizeof(float);
    float *array = NULL, *host = malloc(bytes);
    size_t wrong = 0;
    check(n <= 1 << 24, "cumsum", "n is more than 2^24");
    check(count > 0 && host != NULL, "cumsum", "no elements, or no memory for them");
    for (size_t i = 0; i < count; i++)
        host[i] = 1;
    check_cuda(cudaMalloc((void **)&array, bytes), "cudaMalloc");
    check_cuda(cudaMemcpy(array, host, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    cumsum(array, rows, n, inner);
    check_cuda(cudaMemcpy(host, array, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (size_t i = 0; i < count; i++)
        wrong += host[i] != (float)(i / inner % n + 1);
    printf("%zu\n", wrong);
    cudaFree(array);
    free(host);
    return wrong > 0;
}
