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

scan_status opencl_chained_run(void *instance, scan_buffer in, scan_buffer out)
{
    opencl_chained *self = instance;
    if (self->n == 0)
        return SCAN_OK;
    opencl_run run;
    opencl_run_begin(&run, self->context);
    const scan_status status =
        opencl_run_end(&run, self->enqueue(self, &run, opencl_mem(in), opencl_mem(out), self->n));
    if (status != SCAN_OK)
        opencl_words_forget(&self->words);
    return status;
}

void opencl_chained_destroy(void *instance)
{
    opencl_chained *self = instance;
    opencl_words_free(&self->words);
    if (self->kernel)
        clReleaseKernel(self->kernel);
    self->context->host->release(self->context->host, self);
}
