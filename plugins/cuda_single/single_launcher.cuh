/*
 * single_launcher.cuh - loads and launches the kernels of one block or one cluster, for whoever
 * scans with them
 *
 * Used by the plugin cuda_single and by the library of cuda_scan.
 */
#ifndef SINGLE_LAUNCHER_CUH
#define SINGLE_LAUNCHER_CUH

#include "cuda_grid.h"
#include "cuda_lines.cuh"
#include "cuda_load.h"
#include "single_kernels.h"

template <typename Op> struct single_launcher {
    using T = typename Op::value;
    using settings = single_shape;
    static constexpr const char *phase = "kernel:single";

    single_shape wanted; /* what is 0 depends on n */
    unsigned most_ctas;  /* to choose */

    /* An array that does not begin at a multiple of 16 bytes may need 15 more. */
    single_shape shape_for(uint64_t n) const
    {
        return single_choose(wanted, n * sizeof(T) + 15, most_ctas);
    }

    /* Does a cluster of `ctas` blocks fit on the device? */
    scan_status fits(unsigned lines, unsigned ctas, bool *fits_p, cuda_reason *reason) const
    {
        const void *kernel = reinterpret_cast<const void *>(single_kernel_of<Op>(lines));
        cudaError_t error = cudaSuccess;
        if (ctas > SINGLE_PORTABLE_CLUSTER)
            error = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
        if (error != cudaSuccess)
            return cuda_fail_if(reason, error, "cudaFuncSetAttribute");
        cudaLaunchAttribute cluster = cuda_cluster_attribute(ctas);
        cudaLaunchConfig_t config = {};
        config.gridDim = dim3(ctas);
        config.blockDim = dim3(wanted.block);
        config.attrs = &cluster;
        config.numAttrs = 1;
        int clusters = 0;
        error = cudaOccupancyMaxActiveClusters(&clusters, kernel, &config);
        if (error == cudaErrorInvalidClusterSize) {
            (void)cudaGetLastError();
            clusters = 0;
        } else if (error != cudaSuccess) {
            return cuda_fail_if(reason, error, "cudaOccupancyMaxActiveClusters");
        }
        *fits_p = clusters > 0;
        return SCAN_OK;
    }

    /* The largest cluster to choose. The kernel with the most lines stands for all: it needs the
     * most registers. */
    scan_status find_most_ctas(int code_version, cuda_reason *reason)
    {
        scan_status status = SCAN_OK;
        most_ctas = 1;
        for (unsigned ctas = SINGLE_PORTABLE_CLUSTER;
             status == SCAN_OK && code_version >= 90 && ctas <= SINGLE_MOST_CLUSTER; ctas *= 2) {
            bool fit = false;
            status = fits(SINGLE_MOST_LINES, ctas, &fit, reason);
            if (fit)
                most_ctas = ctas;
        }
        return status;
    }

    /* Loads the kernel of a shape, and asks whether its cluster fits. */
    scan_status load_shape(const cuda_limits &device, const single_shape &shape,
                           cuda_reason *reason) const
    {
        cuda_loaded loaded = {};
        scan_status status =
            cuda_load(device, reinterpret_cast<const void *>(single_kernel_of<Op>(shape.lines)),
                      shape.block, 0, &loaded, reason);
        if (status != SCAN_OK || shape.ctas == 1)
            return status;
        bool fit = false;
        if (loaded.code_version < 90)
            return cuda_fail(reason, SCAN_UNSUPPORTED,
                             "ctas %u: clusters need compute capability 9.0, and code made for it",
                             shape.ctas);
        if ((status = fits(shape.lines, shape.ctas, &fit, reason)) == SCAN_OK && !fit)
            status = cuda_fail(reason, SCAN_UNSUPPORTED,
                               "no cluster of %u blocks of %u threads fits on this device",
                               shape.ctas, shape.block);
        return status;
    }

    /* Loads the kernels that a scan of up to most_n elements may take. */
    scan_status load(const cuda_limits &device, uint64_t most_n, const settings &given,
                     cuda_reason *reason)
    {
        if (given.block % CUDA_WARP != 0)
            return cuda_fail(reason, SCAN_UNSUPPORTED, "block %u: whole warps of 32 threads only",
                             given.block);
        wanted = given;
        cuda_loaded loaded = {};
        scan_status status = cuda_load(
            device, reinterpret_cast<const void *>(single_kernel_of<Op>(SINGLE_MOST_LINES)),
            wanted.block, 0, &loaded, reason);
        if (status == SCAN_OK)
            status = find_most_ctas(loaded.code_version, reason);
        single_shape last = {};
        for (uint64_t bytes = 16; status == SCAN_OK; bytes *= 2) {
            const uint64_t n = bytes / sizeof(T) < most_n ? bytes / sizeof(T) : most_n;
            const single_shape shape = shape_for(n);
            if (shape.lines != last.lines || shape.ctas != last.ctas)
                status = load_shape(device, shape, reason);
            last = shape;
            if (n == most_n)
                break;
        }
        return status;
    }

    /* n > 0. */
    cudaError_t launch(Op op, const cuda_arrays<T> &arrays, cudaStream_t stream) const
    {
        const single_shape shape = shape_for(arrays.n);
        cuda_grid grid = {shape.ctas, shape.block, 0};
        grid.cluster = shape.ctas;
        return cuda_launch_on(stream, grid, single_kernel_of<Op>(shape.lines), op, arrays.in,
                              arrays.out, arrays.n, arrays.inclusive, shape.ctas);
    }
};

#endif
