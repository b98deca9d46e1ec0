/*
 * cuda_common.h - what the CUDA plugins share: devices, memory, launches, times
 *
 * Each worker has one cuda_context, made by cuda_memory.open: the device, streams, and the
 * events that time kernels. A scan_buffer is the device pointer itself. The host offsets
 * views by multiples of 4096 only, so every buffer a plugin sees is aligned for 16-byte accesses.
 */
#ifndef CUDA_COMMON_H
#define CUDA_COMMON_H

#if __cplusplus < 201703L
#error "cuda_common.h needs C++17 or later: nvcc -std=c++17"
#endif

#include "cuda_gate.h"
#include "cuda_grid.h"
#include "cuda_load.h"
#include "scan_plugin.h"

#include <cuda_runtime.h>
#include <new>

enum {
    CUDA_MAX_LAUNCHES = 96, /* kernels of one run that can be timed */
    /* Which of the device's channels a stream gets makes 9 % of a kernel of 3 us (H200). So that
     * processes agree, runs go through several streams, a few on each. */
    CUDA_STREAMS = 8,
    CUDA_RUNS_ON_A_STREAM = 16
};

struct cuda_buffer; /* an allocation, and how many views of it start where it does */
struct cuda_instance;
struct cuda_parts; /* cuda_parts.h */

struct cuda_context {
    const scan_host *host;
    int device;
    struct cuda_parts *parts; /* of a plugin in several parts; otherwise NULL */
    cuda_limits limits;
    cudaStream_t copy_stream;           /* of the memory slots */
    cudaStream_t streams[CUDA_STREAMS]; /* for runs */
    uint32_t runs;                      /* on these, so far */
    struct cuda_buffer *buffers;
    uint32_t events;  /* events that exist: CUDA_MAX_LAUNCHES + 1 when open */
    int code_version; /* lowest of the prepared kernels, as 90; 0: none is prepared */
    cuda_gate gate;
    const scan_staging *staging; /* the host's, not pinned yet; pinned; or NULL */
    cuda_instance *instance;     /* in cuda_instance_run; otherwise NULL */
    cudaStream_t capture;        /* where runs are captured (cuda_graph.h); otherwise NULL */
    bool not_captured;           /* and one of them did what no graph can hold */
    cudaStream_t stream;         /* of this run alone, from cuda_begin on, like all that follows */
    uint32_t recording;          /* SCAN_RECORD_* */
    bool gated;                  /* does it begin with a gate? */
    uint32_t launches;
    const char *last_phase;
    const char *phase[CUDA_MAX_LAUNCHES];
    cudaEvent_t event[CUDA_MAX_LAUNCHES + 1];
};

/* The contract's probe and memory slots for any CUDA plugin. */
scan_status cuda_probe(const scan_host *host, const scan_plugin *plugin, uint32_t index,
                       scan_device *device);
extern const scan_memory cuda_memory;
#define CUDA_BACKEND .backend = "cuda", .memory = &cuda_memory, .probe = cuda_probe

/* SCAN_OK, or SCAN_ERROR with "CALL: words (cudaErrorName)" recorded; SCAN_NO_MEMORY if the device
 * is out of memory. */
scan_status cuda_check(const scan_host *host, cudaError_t error, const char *call);

/* Device memory for scratch, bytes > 0. SCAN_OK and *memory_p, released with cuda_release_scratch
 * (which accepts NULL); SCAN_NO_MEMORY or SCAN_ERROR. */
scan_status cuda_allocate_scratch(cuda_context *cuda, uint64_t bytes, void **memory_p);
void cuda_release_scratch(void *memory);

/*
 * Loads a kernel and asks whether it runs with `block` threads and `shared` bytes
 * of dynamic shared memory: SCAN_OK and the blocks that fit on the whole device at
 * once, SCAN_UNSUPPORTED and why not, or SCAN_ERROR.
 */
scan_status cuda_prepare(cuda_context *cuda, const void *kernel, unsigned block, uint64_t shared,
                         unsigned *resident_blocks_p);

/*
 * A run is cuda_begin, any number of cuda_launch (or cuda_mark and the launches of a library or
 * kernel<<<...>>>), cuda_finish. To record "device", an event goes before the first launch and
 * another after the last. To record the launches' phases, an event goes before each launch, which
 * keeps launches from overlapping. Otherwise a run is its launches and one synchronisation.
 *
 * The work of a recorded run waits behind a gate (cuda_gate.h), which cuda_finish opens, so that
 * the times hold no gaps of the host. There is no gate in the first run of an instance, which may
 * load kernels and so wait for the device, nor in an instance whose gate has expired twice in a
 * row. Call cuda_open_gate before you wait for the device yourself.
 *
 * To record "graph", such runs are captured (cuda_graph.h): then nothing is launched, cuda_finish
 * waits for nothing, and a run that calls cuda_open_gate, or begins on a stream of its own, is not
 * timed in a graph.
 */
void cuda_begin(cuda_context *cuda);
/* The same on a stream of your choice: cudaStreamLegacy for a library without a stream argument. */
void cuda_begin_on(cuda_context *cuda, cudaStream_t stream);
/* Times what follows on the run's stream as `phase`; NULL: only as "device". SCAN_OK, or SCAN_ERROR
 * if a launch failed since the last mark. */
scan_status cuda_mark(cuda_context *cuda, const char *phase);
/* Lets the device begin before cuda_finish. */
void cuda_open_gate(cuda_context *cuda);
/* Waits for the run's stream. SCAN_OK, or SCAN_ERROR and what failed on it. */
scan_status cuda_finish(cuda_context *cuda);

/* What cuda_finish consists of, beside opening the gate and waiting, for runs on several contexts
 * (cuda_parts.h): the last event; was the gate in time; the time between first and last event, 0
 * without launches; and what is recorded. */
scan_status cuda_run_end(cuda_context *cuda);
void cuda_watch_gate(cuda_context *cuda);
scan_status cuda_run_time(const cuda_context *cuda, double *ns_p);
scan_status cuda_run_record(const cuda_context *cuda);

/* Launches kernel(arguments...) on the run's stream as part of `phase`. */
template <typename... Parameters>
scan_status cuda_launch(cuda_context *cuda, const char *phase, const cuda_grid &grid,
                        void (*kernel)(Parameters...),
                        typename cuda_parameter<Parameters>::type... arguments)
{
    scan_status status = cuda_mark(cuda, phase);
    if (status != SCAN_OK)
        return status;
    /* Only code compiled for 9.0 and later waits in cuda_wait_for_previous; code made from older
     * PTX does not, whatever device it runs on. */
    cuda_grid here = grid;
    here.overlaps = grid.overlaps && cuda->code_version >= 90 &&
                    cuda->recording < SCAN_RECORD_KERNELS && cuda->launches > 1;
    const cudaError_t error = cuda_launch_on(cuda->stream, here, kernel, arguments...);
    return error == cudaSuccess ? SCAN_OK : cuda_check(cuda->host, error, phase);
}

/*
 * The base of every plugin's instance. A plugin derives its own struct from it, sets `run`, and
 * uses cuda_instance_run and cuda_instance_destroy as its slots.
 */
struct cuda_instance {
    scan_status (*run)(cuda_instance *self, scan_buffer in, scan_buffer out);
    cuda_context *cuda;
    void *memory;           /* scratch on the device, released with the instance */
    bool has_run;           /* of the shared code, like what follows */
    unsigned gates_expired; /* in a row */
    double device_ns;       /* of the last run that was recorded; 0: there was none */
};

scan_status cuda_instance_run(void *self, scan_buffer in, scan_buffer out);
void cuda_instance_destroy(void *self);

/* Makes an Instance of the arguments, or a zeroed one, for cuda_instance_destroy. The type has no
 * destructor. */
template <typename Instance, typename... Arguments>
scan_status cuda_instance_create(cuda_context *cuda, Instance **instance_p, Arguments... arguments)
{
    void *place = cuda->host->allocate(cuda->host, sizeof(Instance), alignof(Instance));
    if (place == nullptr)
        return cuda->host->fail(cuda->host, SCAN_NO_MEMORY,
                                "no %zu bytes of host memory for an instance", sizeof(Instance));
    Instance *instance = new (place) Instance(arguments...);
    instance->cuda = cuda;
    *instance_p = instance;
    return SCAN_OK;
}

#endif
