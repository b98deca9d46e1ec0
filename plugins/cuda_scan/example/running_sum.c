/* running_sum.c - the running sums of n ones on the current GPU; prints the last, which is n */
#include <cuda_runtime_api.h>
#include <scan_cuda.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    return 1;
}

int main(int argc, char **argv)
{
    const size_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
    const scan_cuda_problem problem = {
        .type = SCAN_CUDA_U32, .op = SCAN_CUDA_SUM, .kind = SCAN_CUDA_INCLUSIVE, .most_n = n};
    unsigned *array = NULL, last = 1;
    void *memory = NULL;
    scan_cuda_plan *plan = NULL;
    scan_cuda_error error;
    if (n == 0 || cudaMallocManaged((void **)&array, n * sizeof *array, cudaMemAttachGlobal) != 0)
        return fail("cudaMallocManaged", cudaGetErrorString(cudaGetLastError()));
    for (size_t i = 0; i < n; i++)
        array[i] = 1;

    if (scan_cuda_plan_create(&problem, &plan, &error) != SCAN_CUDA_OK)
        return fail("scan_cuda_plan_create", error.text);
    const size_t bytes = scan_cuda_plan_bytes(plan);
    if (bytes > 0 && cudaMalloc(&memory, bytes) != cudaSuccess)
        return fail("cudaMalloc", cudaGetErrorString(cudaGetLastError()));
    if (scan_cuda_plan_use(plan, memory, bytes, &error) != SCAN_CUDA_OK ||
        scan_cuda_plan_run(plan, array, array, n, NULL, &error) != SCAN_CUDA_OK)
        return fail("scan_cuda_plan_run", error.text);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return fail("the scan", cudaGetErrorString(cudaGetLastError()));
    if (scan_cuda_plan_check(plan, &error) != SCAN_CUDA_OK)
        return fail("scan_cuda_plan_check", error.text);

    last = array[n - 1];
    printf("%u\n", last);
    scan_cuda_plan_destroy(plan);
    cudaFree(memory);
    cudaFree(array);
    return last == (unsigned)n ? 0 : 1;
}
