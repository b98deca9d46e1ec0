#include "worker/gpu_watch.h"

#include "system/process_tree.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* NVML's interface, as far as it is used here. Every function returns 0 if it succeeds. */
typedef struct nvml_device *nvml_device;
enum { NVML_SM_CLOCK = 1, NVML_GPU_TEMPERATURE = 0 };

/* One process; the third version of the call and the second have the same struct. */
typedef struct nvml_process {
    unsigned pid;
    unsigned long long memory_bytes;
    unsigned gpu_instance, compute_instance;
} nvml_process;

/* Reasons for a lower clock. Those left out are none of the machine's trouble: idle, a clock that
 * somebody set, boards that keep in step. */
static const struct {
    unsigned long long nvml;
    throttle_reason reason;
} reasons[] = {
    {0x04, THROTTLE_POWER_CAP}, {0x08, THROTTLE_SLOWDOWN}, {0x20, THROTTLE_THERMAL},
    {0x40, THROTTLE_THERMAL},   {0x80, THROTTLE_BRAKE},
};

enum { MOST_PROCESSES = 256 };

struct gpu_watch {
    void *library;
    nvml_device device;
    int (*init)(void);
    int (*shutdown)(void);
    int (*find)(const char *pci, nvml_device *device_p);
    int (*clock)(nvml_device device, int type, unsigned *mhz_p);
    int (*temperature)(nvml_device device, int sensor, unsigned *celsius_p);
    int (*throttle)(nvml_device device, unsigned long long *reasons_p);
    int (*processes)(nvml_device device, unsigned *count_p, nvml_process *processes);
};

/* The function by one of two names: drivers differ in age. NULL is kept where there is neither. */
static bool look_up(const gpu_watch *g, const char *name, const char *older, void *function_p)
{
    void *found = dlsym(g->library, name);
    if (!found && older)
        found = dlsym(g->library, older);
    memcpy(function_p, &found, sizeof found); /* ISO C has no cast from data to functions */
    return found != NULL;
}

static bool load(gpu_watch *g)
{
    g->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!g->library || !look_up(g, "nvmlInit_v2", NULL, &g->init) ||
        !look_up(g, "nvmlShutdown", NULL, &g->shutdown) ||
        !look_up(g, "nvmlDeviceGetHandleByPciBusId_v2", NULL, &g->find))
        return false;
    look_up(g, "nvmlDeviceGetClockInfo", NULL, &g->clock);
    look_up(g, "nvmlDeviceGetTemperature", NULL, &g->temperature);
    look_up(g, "nvmlDeviceGetCurrentClocksEventReasons",
            "nvmlDeviceGetCurrentClocksThrottleReasons", &g->throttle);
    look_up(g, "nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2",
            &g->processes);
    return true;
}

gpu_watch *gpu_watch_open(const char *pci)
{
    gpu_watch *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    const bool usable = load(g) && g->init() == 0;
    if (usable && g->find(pci, &g->device) == 0)
        return g;
    if (usable)
        g->shutdown();
    if (g->library)
        dlclose(g->library);
    free(g);
    return NULL;
}

void gpu_watch_close(gpu_watch *g)
{
    if (!g)
        return;
    g->shutdown();
    dlclose(g->library);
    free(g);
}

static uint32_t throttle_bits(unsigned long long nvml)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (nvml & reasons[i].nvml)
            bits |= UINT32_C(1) << reasons[i].reason;
    return bits;
}

/* Counts the processes outside this run of scanbench: the supervisor's other workers hold contexts
 * too. Unknown where this process is not in the list: then the numbers are those of another
 * namespace, and nobody can be told apart. */
static void count_processes(const gpu_watch *g, watch *w)
{
    nvml_process all[MOST_PROCESSES];
    unsigned count = MOST_PROCESSES;
    uint32_t others = 0;
    bool found = false;
    if (!g->processes || g->processes(g->device, &count, all) != 0 || count > MOST_PROCESSES)
        return;
    for (unsigned i = 0; i < count; i++) {
        found |= (pid_t)all[i].pid == getpid();
        others += !process_tree_descends((pid_t)all[i].pid, getppid());
    }
    if (found)
        watch_set(w, WATCH_GPU_PROCESSES, others);
}

void gpu_watch_read(gpu_watch *g, watch *w)
{
    unsigned value;
    unsigned long long nvml;
    if (g->clock && g->clock(g->device, NVML_SM_CLOCK, &value) == 0)
        watch_set(w, WATCH_GPU_MHZ, value);
    if (g->throttle && g->throttle(g->device, &nvml) == 0)
        watch_set(w, WATCH_GPU_THROTTLE, throttle_bits(nvml));
    if (g->temperature && g->temperature(g->device, NVML_GPU_TEMPERATURE, &value) == 0)
        watch_set(w, WATCH_GPU_TEMPERATURE, value);
    count_processes(g, w);
}
