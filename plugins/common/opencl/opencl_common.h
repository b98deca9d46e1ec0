/*
 * opencl_common.h - what OpenCL plugins share: devices, memory, programs, launches
 *
 * A plugin puts OPENCL_BACKEND into its scan_plugin; its other slots then get an opencl_context as
 * `context`. A scan_buffer is a cl_mem: opencl_mem(buffer).
 *
 * Devices are numbered over all platforms, sorted by the platform's name, so that an index means
 * the same device in every plugin and every process.
 */
#ifndef OPENCL_COMMON_H
#define OPENCL_COMMON_H

#include "opencl_gate.h"
#include "scan_plugin.h"

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120 /* what every runtime has */
#endif
#include <CL/cl.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- devices and memory ---------------------------------------------------- */

/* The scan_plugin slots. */
scan_status opencl_probe(const scan_host *host, const scan_plugin *plugin, uint32_t index,
                         scan_device *device);
extern const scan_memory opencl_memory;
#define OPENCL_BACKEND .backend = "opencl", .memory = &opencl_memory, .probe = opencl_probe

/* Device `index` of all platforms, and its platform. SCAN_UNAVAILABLE past the last one, with the
 * reason. */
scan_status opencl_find_device(const scan_host *host, uint32_t index, cl_platform_id *platform_p,
                               cl_device_id *device_p);

/* Before the first call of the ICD loader: lets it know of NVIDIA's library if that is installed
 * and not registered. */
void opencl_register(void);

/* Is it the name of PoCL, as a platform? */
bool opencl_is_pocl(const char *name);

/* Work-items of a first launch behind which one of any size finds its kernels compiled: PoCL
 * compiles kernels for small grids, and for grids of any size, which serve small ones, too. */
uint64_t opencl_first_grid(cl_device_id device);

/* Why a platform of that name has no device, if it is PoCL without a cache; else "". Returns
 * `text`. */
const char *opencl_cache_problem(const char *platform, char *text, size_t size);

/* A property that is a number of 4 or 8 bytes; 0 if the device does not have it. */
uint64_t opencl_device_number(cl_device_id device, cl_device_info what);

/* Does the device have the extension of that name? */
bool opencl_has_extension(cl_device_id device, const char *name);

/* The extension's version, major << 22 | minor << 12 | patch; 0 if the device does not say, as
 * before OpenCL 3.0, or lists more than 150. */
cl_uint opencl_extension_version(cl_device_id device, const char *name);

typedef struct opencl_program opencl_program;

/* The context that memory.open makes: one device in one worker. Plugins only read it. */
typedef struct opencl_context {
    const scan_host *host;
    cl_device_id device;
    cl_context handle;
    cl_command_queue queue;     /* in order */
    cl_command_queue profiling; /* in order, its events carry times; for recorded runs */
    opencl_gate gate;           /* of `profiling` */
    cl_device_type type;
    size_t max_block;      /* largest work-group of the device */
    uint64_t local_bytes;  /* local memory of one work-group */
    uint64_t memory_bytes; /* all of the device's memory */
    uint64_t max_buffer_bytes;
    uint32_t compute_units;
    uint64_t f32_config;       /* CL_FP_...; of float */
    uint64_t f64_config;       /* of double; 0: there is none */
    opencl_program *programs;  /* built so far, newest first */
    bool asked_for_sub_groups; /* is the next number known? */
    uint32_t sub_group_width;  /* what opencl_sub_group_width found */
} opencl_context;

static inline cl_mem opencl_mem(scan_buffer buffer)
{
    return (cl_mem)(uintptr_t)buffer;
}

/* The largest grid that every runtime takes: that of CUDA devices, and of 32-bit counters. */
#define OPENCL_MOST_GROUPS ((uint64_t)INT32_MAX)

static inline uint64_t opencl_divide_up(uint64_t n, uint64_t by)
{
    return n % by == 0 ? n / by : n / by + 1;
}

static inline uint64_t opencl_between(uint64_t least, uint64_t value, uint64_t most)
{
    const uint64_t bounded = value < most ? value : most;
    return bounded > least ? bounded : least;
}

/* A buffer of `bytes` > 0, really allocated: a runtime that allocates at the first use does so
 * here. SCAN_NO_MEMORY names `what` it was for. Released with clReleaseMemObject. */
scan_status opencl_allocate(opencl_context *self, const char *what, uint64_t bytes,
                            cl_mem *buffer_p);

/* ---- errors ---------------------------------------------------------------- */

/* The name of an error, as "CL_OUT_OF_RESOURCES", or "an unknown error". Static text. */
const char *opencl_error_name(cl_int error);

/* Reports "<what was tried>: CL_NAME (-n)" and returns SCAN_ERROR, or SCAN_NO_MEMORY if the error
 * means that. */
scan_status opencl_fail(const scan_host *host, cl_int error, const char *what, ...)
    SCAN_PRINTF(3, 4);

/* ---- programs -------------------------------------------------------------- */

enum { OPENCL_MAX_SOURCES = 10 };

/*
 * Builds the concatenated texts with `options`, or finds the program that this context built
 * before. The texts are static. The program belongs to the context. SCAN_ERROR with the start of
 * the build log.
 */
scan_status opencl_build(opencl_context *context, const char *const *sources, uint32_t count,
                         const char *options, cl_program *program_p);

/* A flag of a program from opencl_build, false until its user sets it: have its kernels been
 * launched in this context? */
bool *opencl_launched(opencl_context *context, cl_program program);

/* Kernel `name`, released with clReleaseKernel. */
scan_status opencl_kernel(opencl_context *context, cl_program program, const char *name,
                          cl_kernel *kernel_p);

/* Can `kernel` run with `block` work-items a group on this device? The kernel's
 * own limit may be below the device's. SCAN_UNSUPPORTED and why not. */
scan_status opencl_check_kernel(opencl_context *context, cl_kernel kernel, const char *name,
                                size_t block);

/* Releases every program of the context, when it closes. */
void opencl_release_programs(opencl_context *context);

/* One kernel argument. */
typedef struct opencl_argument {
    size_t bytes;
    const void *value;
} opencl_argument;

/* The address and size of a variable, as an opencl_argument. */
#define OPENCL_ARGUMENT(variable)     \
    {                                 \
        sizeof(variable), &(variable) \
    }

/* ---- one run --------------------------------------------------------------- */

enum { OPENCL_MAX_COMMANDS = 160 };

typedef struct opencl_graph opencl_graph;

/*
 * The commands of one `run`: opencl_run_begin, any number of commands, then opencl_run_end. If the
 * host records, the commands go to the profiling queue and their times are reported at the end.
 */
typedef struct opencl_run {
    opencl_context *context;
    cl_command_queue queue;
    opencl_graph *graph; /* NULL, or takes the commands instead of the queue */
    bool recording;
    uint32_t graph_runs; /* 0, or its commands are a graph of so many runs */
    uint32_t count;
    const char *phases[OPENCL_MAX_COMMANDS];
    cl_event events[OPENCL_MAX_COMMANDS];
} opencl_run;

void opencl_run_begin(opencl_run *run, opencl_context *context);

/* What the slot `run` of an instance enqueues. */
typedef struct opencl_commands {
    void *self; /* the instance */
    scan_status (*enqueue)(void *self, opencl_run *run, cl_mem in, cl_mem out);
    void (*lost)(void *self); /* some of what it enqueued has not run; or NULL */
} opencl_commands;

/* The slot `run` of a plugin whose commands are all those below: begins, enqueues and ends; or,
 * where the host asks for the time in a graph, as opencl_graph.h says. */
scan_status opencl_run_commands(opencl_context *context, const opencl_commands *commands,
                                scan_buffer in, scan_buffer out);

/* opencl_run_begin outside the slot `run`, without recording. */
void opencl_run_begin_unrecorded(opencl_run *run, opencl_context *context);

/* One launch of a kernel. */
typedef struct opencl_launch {
    cl_kernel kernel;
    const char *phase; /* "kernel:<name>", static */
    uint64_t groups;   /* work-groups */
    size_t block;      /* work-items of each */
    uint32_t count;
    const opencl_argument *arguments; /* 0 ... count-1 */
} opencl_launch;

/* Sets the arguments and enqueues the kernel. */
scan_status opencl_run_kernel(opencl_run *run, const opencl_launch *launch);

/* Enqueues a copy of the first `bytes` of `from` to `to`. */
scan_status opencl_run_copy(opencl_run *run, const char *phase, cl_mem from, cl_mem to,
                            uint64_t bytes);

/* Enqueues the filling of a buffer's first `bytes`, a multiple of 4, with zeros; not timed. */
scan_status opencl_run_clear(opencl_run *run, cl_mem buffer, uint64_t bytes);

/* Enqueues a marker, for a library's commands between two of them. If it is the first command of a
 * recorded run, what follows waits behind a gate (opencl_gate.h) until opencl_run_end. */
scan_status opencl_run_marker(opencl_run *run);

/*
 * Waits until all commands are done, and records each phase and, as "device", the time from the
 * first command's start to the last one's end. `status` is the status of the commands; it is
 * returned, or SCAN_ERROR if waiting or reading times failed.
 */
scan_status opencl_run_end(opencl_run *run, scan_status status);

#ifdef __cplusplus
}
#endif

#endif
