#include "worker/calibrators.h"

#include "protocol/calibrator.h"
#include "worker/frozen.h"

#include <stdlib.h>

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)plugin, (void)context;
    uint64_t *n = malloc(sizeof *n);
    if (!n)
        return host->fail(host, SCAN_NO_MEMORY, "malloc");
    *n = problem->n * problem->element_bytes / sizeof(uint32_t);
    *self_p = n;
    return SCAN_OK;
}

static scan_status run_scan(void *self, scan_buffer in, scan_buffer out)
{
    frozen_scan(scan_host_pointer(in), scan_host_pointer(out), *(const uint64_t *)self);
    return SCAN_OK;
}

static scan_status run_copy(void *self, scan_buffer in, scan_buffer out)
{
    frozen_copy(scan_host_pointer(in), scan_host_pointer(out), *(const uint64_t *)self);
    return SCAN_OK;
}

static void destroy(void *self)
{
    free(self);
}

static const scan_plugin scan = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_BASELINE,
    .id = CALIBRATOR_SCAN_ID,
    .name = "calibrator",
    .version = "1",
    .summary = "a serial scan that never changes",
    .reference = "",
    .ops = {{SCAN_OP_SUM, SCAN_BIT(SCAN_KIND_EXCLUSIVE), SCAN_BIT(SCAN_DTYPE_I32)}},
    .backend = CALIBRATOR_BACKEND,
    .create = create,
    .run = run_scan,
    .destroy = destroy};

static const scan_plugin copy = {.struct_size = sizeof(scan_plugin),
                                 .role = SCAN_ROLE_CEILING,
                                 .id = CALIBRATOR_COPY_ID,
                                 .name = "calibrator",
                                 .version = "1",
                                 .summary = "a copy that never changes",
                                 .reference = "",
                                 .backend = CALIBRATOR_BACKEND,
                                 .create = create,
                                 .run = run_copy,
                                 .destroy = destroy};

const scan_entry_table *calibrators_entry(void)
{
    static const scan_plugin *const plugins[CALIBRATOR_COUNT + 1] = {
        [CALIBRATOR_SCAN] = &scan, [CALIBRATOR_COPY] = &copy};
    static const scan_entry_table entry = {
        SCAN_ABI_MAGIC, SCAN_ABI_MAJOR, SCAN_ABI_MINOR, sizeof(scan_entry_table), 0, plugins};
    return &entry;
}
