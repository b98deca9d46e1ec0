/*
 * cyclic_launcher.cuh - loads the cyclic kernel on a device, and prepares and makes its launches
 *
 * What belongs to one device: its parts, how its CTAs are divided, how many of them each part gets.
 */
#ifndef CYCLIC_LAUNCHER_CUH
#define CYCLIC_LAUNCHER_CUH

#include "cuda_grid.h"
#include "cyclic_kernels.h"
#include "lookahead_load.h"
#include "scan_parts.h"

/* Elements of a tile, of which each thread has 16 bytes in each line. */
inline uint64_t cyclic_tile_elements(const lookahead_settings &how, uint64_t element_bytes)
{
    return static_cast<uint64_t>(how.block) * how.lines * 16 / element_bytes;
}

/* A problem in parts. */
struct cyclic_problem {
    uint64_t n;
    uint64_t tile; /* elements */
    unsigned parts;
    unsigned devices; /* part p lies on device p mod devices */
    lookahead_settings how;
};

inline uint64_t cyclic_tiles(const cyclic_problem &problem)
{
    return problem.n / problem.tile + (problem.n % problem.tile != 0);
}

/* Tiles of a part. Those before it have as many or one more. */
inline unsigned cyclic_tiles_of(const cyclic_problem &problem, unsigned part)
{
    const uint64_t tiles = cyclic_tiles(problem);
    return static_cast<unsigned>(tiles / problem.parts + (part < tiles % problem.parts));
}

template <typename Op> struct cyclic_device {
    using T = typename Op::value;
    using word = cyclic_word<T>;

    lookahead_shape shape;
    unsigned ctas; /* of each part here; 0: no part here has elements */
    cyclic_launch<T, word> launch;

    static const void *kernel(const lookahead_settings &how)
    {
        return reinterpret_cast<const void *>(cyclic_kernel_of<Op>(how.lines));
    }

    /* Its parts, from `first` on, that have elements: what does not change from run to run. */
    void place_parts(const cyclic_problem &problem, unsigned first)
    {
        launch.count = 0;
        for (unsigned p = first; p < problem.parts; p += problem.devices) {
            cyclic_part<T> part = {};
            part.part = p;
            part.n = scan_parts_length(problem.n, problem.tile, problem.parts, p);
            part.tiles = cyclic_tiles_of(problem, p);
            if (part.tiles > 0)
                launch.here[launch.count++] = part;
        }
        launch.parts = problem.parts;
    }

    uint64_t elements_here() const
    {
        uint64_t n = 0;
        for (unsigned i = 0; i < launch.count; i++)
            n += launch.here[i].n;
        return n;
    }

    /* Divides the CTAs that the device runs at once among its parts, so that all of them run: they
     * wait for each other. No part gets more than the first one, which has the most tiles, can use.
     */
    scan_status share_ctas(unsigned all, cuda_reason *reason)
    {
        if (launch.count == 0)
            return SCAN_OK;
        ctas = all / launch.count;
        if (ctas == 0)
            return cuda_fail(reason, SCAN_UNSUPPORTED,
                             "%u parts share a device that holds %u blocks at once; each part "
                             "needs one, as they wait for each other",
                             launch.count, all);
        if (ctas > launch.here[0].tiles)
            ctas = launch.here[0].tiles;
        return SCAN_OK;
    }

    /* Loads the kernel on this device, the current one, for its parts from `first` on. */
    scan_status load(const cyclic_problem &problem, unsigned first, const cuda_limits &device,
                     cuda_reason *reason)
    {
        const lookahead_settings &how = problem.how;
        unsigned all = 0;
        scan_status status = lookahead_check(device, kernel(how), how, reason);
        if (status != SCAN_OK)
            return status;
        shape = lookahead_shape_for<T>(device, how, how.block / CUDA_WARP, Op::commutes ? 1 : 2);
        status = lookahead_load<T>(device, kernel(how), how, shape, &all, reason);
        if (status != SCAN_OK)
            return status;
        place_parts(problem, first);
        shape.evicts_input = lookahead_evicts_input(device, how, elements_here() * sizeof(T));
        return share_ctas(all, reason);
    }

    /* Queues the launch with this number, before which there were `earlier` since the tickets were
     * 0. Each CTA takes a ticket too many before it ends. */
    cudaError_t start(Op op, const lookahead_settings &how, unsigned number, unsigned earlier,
                      cudaStream_t stream)
    {
        launch.launch = number;
        for (unsigned i = 0; i < launch.count; i++)
            launch.here[i].first_ticket = earlier * (launch.here[i].tiles + ctas);
        const cuda_grid grid = {ctas * launch.count, lookahead_threads(shape),
                                lookahead_shared<T>(shape, how.lines)};
        return cuda_launch_on(stream, grid, cyclic_kernel_of<Op>(how.lines), op, launch, shape);
    }
};

#endif
