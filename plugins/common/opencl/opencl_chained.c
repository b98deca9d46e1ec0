/*
 * opencl_chained.c - instances of plugins whose work-groups exchange status words
 */
#include "opencl_chained.h"

scan_status opencl_chained_prepare(opencl_chained *self, const scan_problem *problem, int64_t asked,
                                   uint64_t tiles)
{
    if (self->n == 0)
        return SCAN_OK;
    const scan_status status =
        opencl_words_make(&self->words, self->context, problem, asked, tiles);
    if (status != SCAN_OK)
        return status;
    opencl_run run;
    opencl_run_begin_unrecorded(&run, self->context);
    const cl_mem nothing = self->words.words;
    return opencl_run_end(&run, self->enqueue(self, &run, nothing, nothing, 0));
}

static scan_status enqueue(void *instance, opencl_run *run, cl_mem in, cl_mem out)
{
    opencl_chained *self = instance;
    return self->enqueue(self, run, in, out, self->n);
}

/* How many tickets were taken is not known. */
static void lost(void *instance)
{
    opencl_chained *self = instance;
    opencl_words_forget(&self->words);
}

scan_status opencl_chained_run(void *instance, scan_buffer in, scan_buffer out)
{
    opencl_chained *self = instance;
    const opencl_commands commands = {.self = self, .enqueue = enqueue, .lost = lost};
    return self->n == 0 ? SCAN_OK : opencl_run_commands(self->context, &commands, in, out);
}

void opencl_chained_destroy(void *instance)
{
    opencl_chained *self = instance;
    opencl_words_free(&self->words);
    if (self->kernel)
        clReleaseKernel(self->kernel);
    self->context->host->release(self->context->host, self);
}
