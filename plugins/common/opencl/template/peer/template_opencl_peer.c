/*
 * template_opencl_peer.c - CHANGE: a peer: which scan of which library
 *
 * CHANGE: the algorithm as far as it is known, with its source; how the library is called,
 * what it cannot do, and how many bytes it moves.
 *
 * This file is complete and correct: it scans 32-bit integers with a kernel that stands in for the
 * library. Replace it line by line, wherever it says CHANGE, and prove it after each change with
 * `scanbench validate`.
 */
#include "opencl_peer.h"

/* ---- CHANGE: the library's header instead of this stand-in ------------------- */

enum { LIBRARY_ITEMS = 64 };

/* One work-group: each work-item sums a part, then scans it from the sums before. */
static const char library_source[] =
    "__kernel void library_scan(__global const uint *in, __global uint *out,\n"
    "                           __global uint *sums, ulong n, uint inclusive)\n"
    "{\n"
    "    const uint item = get_local_id(0);\n"
    "    const ulong part = (n + get_local_size(0) - 1) / get_local_size(0);\n"
    "    const ulong begin = min(n, item * part), end = min(n, begin + part);\n"
    "    uint sum = 0;\n"
    "    for (ulong i = begin; i < end; i++)\n"
    "        sum += in[i];\n"
    "    sums[item] = sum;\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    sum = 0;\n"
    "    for (uint before = 0; before < item; before++)\n"
    "        sum += sums[before];\n"
    "    for (ulong i = begin; i < end; i++) {\n"
    "        const uint next = sum + in[i];\n"
    "        out[i] = inclusive ? next : sum;\n"
    "        sum = next;\n"
    "    }\n"
    "}\n";

static scan_status library_create(opencl_context *context, cl_kernel *plan_p)
{
    static const char *const sources[] = {library_source};
    cl_program program = NULL;
    scan_status status = opencl_build(context, sources, 1, "-cl-std=CL1.2", &program);
    if (status != SCAN_OK)
        return status;
    return opencl_kernel(context, program, "library_scan", plan_p);
}

static void library_destroy(void *plan)
{
    clReleaseKernel(plan);
}

static cl_int library_scan(cl_kernel plan, cl_command_queue queue, const cl_mem buffers[3],
                           cl_ulong n, cl_uint inclusive)
{
    const size_t items = LIBRARY_ITEMS;
    cl_int error = CL_SUCCESS;
    for (cl_uint i = 0; i < 3 && error == CL_SUCCESS; i++)
        error = clSetKernelArg(plan, i, sizeof buffers[i], &buffers[i]);
    if (error == CL_SUCCESS)
        error = clSetKernelArg(plan, 3, sizeof n, &n);
    if (error == CL_SUCCESS)
        error = clSetKernelArg(plan, 4, sizeof inclusive, &inclusive);
    if (error == CL_SUCCESS)
        error = clEnqueueNDRangeKernel(queue, plan, 1, NULL, &items, &items, 0, NULL, NULL);
    return error;
}

/* ---- the plugin ---------------------------------------------------------------- */

/* Enqueues the scan on `queue`; the shared code waits for it. peer->n may be 0. CHANGE. */
static scan_status call(const opencl_peer *peer, cl_command_queue queue, cl_mem in, cl_mem out)
{
    const cl_mem buffers[] = {in, out, peer->scratch};
    const cl_int error =
        library_scan(peer->needs.plan, queue, buffers, peer->n, peer->kind == SCAN_KIND_INCLUSIVE);
    return error == CL_SUCCESS ? SCAN_OK : opencl_fail(peer->context->host, error, "library_scan");
}

/* Prepares what the library needs. Whatever the library builds or allocates at its first call must
 * happen here, by a first call if there is no other way. CHANGE: no plan, no scratch. */
static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)plugin;
    (void)host;
    cl_kernel plan = NULL;
    const scan_status status = library_create(context, &plan);
    if (status != SCAN_OK)
        return status;
    const opencl_peer_needs needs = {.call = call,
                                     .scratch_bytes = LIBRARY_ITEMS * sizeof(cl_uint),
                                     .plan = plan,
                                     .release = library_destroy};
    return opencl_peer_create(context, problem, &needs, self_p);
}

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_MOCK, /* a peer is measured, a mock only proved */
    .id = "template_opencl_peer",
    .name = "A library's scan",                            /* CHANGE */
    .version = "1.0",                                      /* CHANGE: the library's */
    .summary = "a stand-in for a library: one work-group", /* CHANGE */
    .reference = "",                                       /* CHANGE: paper or source */
    /* CHANGE: SCAN_FLAG_IN_PLACE if the library may have in == out, _NONDETERMINISTIC if its
     * float sums depend on timing, _ALLOCATES_IN_RUN if each call allocates */
    .flags = 0,
    .max_n = 0, /* CHANGE: INT32_MAX if the library counts in int; 0: no limit */
    /* CHANGE: what the library can do. Signed sums are computed as unsigned. */
    .ops = {{SCAN_OP_SUM, SCAN_KINDS_BOTH, SCAN_BIT(SCAN_DTYPE_I32) | SCAN_BIT(SCAN_DTYPE_U32)}},
    OPENCL_BACKEND,
    .create = create,
    .run = opencl_peer_run,
    .destroy = opencl_peer_destroy,
};

SCAN_EXPORT_PLUGINS(&plugin);
