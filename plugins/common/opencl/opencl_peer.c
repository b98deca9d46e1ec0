/*
 * opencl_peer.c - a library's scan as a plugin's instance
 */
#include "opencl_peer.h"

scan_status opencl_peer_create(opencl_context *context, const scan_problem *problem,
                               const opencl_peer_needs *needs, void **self_p)
{
    const scan_host *host = context->host;
    opencl_peer *self = host->allocate(host, sizeof *self, _Alignof(opencl_peer));
    if (!self) {
        if (needs->plan)
            needs->release(needs->plan);
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    }
    *self = (opencl_peer){.context = context,
                          .needs = *needs,
                          .n = problem->n,
                          .kind = problem->kind,
                          .op = problem->op,
                          .dtype = problem->dtype};
    if (needs->scratch_bytes > 0) {
        scan_status status =
            opencl_allocate(context, "the library's scratch", needs->scratch_bytes, &self->scratch);
        if (status != SCAN_OK) {
            opencl_peer_destroy(self);
            return status;
        }
    }
    *self_p = self;
    return SCAN_OK;
}

/* The library's commands have no events that we know, so markers around them time `device`. */
scan_status opencl_peer_run(void *instance, scan_buffer in, scan_buffer out)
{
    const opencl_peer *self = instance;
    opencl_run run;
    opencl_run_begin(&run, self->context);
    scan_status status = opencl_run_marker(&run);
    if (status == SCAN_OK)
        status = self->needs.call(self, run.queue, opencl_mem(in), opencl_mem(out));
    if (status == SCAN_OK)
        status = opencl_run_marker(&run);
    return opencl_run_end(&run, status);
}

void opencl_peer_destroy(void *instance)
{
    opencl_peer *self = instance;
    if (self->scratch)
        clReleaseMemObject(self->scratch);
    if (self->needs.plan)
        self->needs.release(self->needs.plan);
    self->context->host->release(self->context->host, self);
}
