/*
 * opencl_words.c - memory of status words, the numbers of runs, and compiler options
 */
#include "opencl_words.h"

#include "status_words.cl.h"

#include <stdio.h>
#include <string.h>

const char *const opencl_status_words = status_words_cl;

/* Of OpenCL 2.0 and 3.0; the headers may be older. */
enum { ATOMIC_MEMORY_CAPABILITIES = 0x1063, ATOMIC_SCOPE_DEVICE = 1 << 5 };

/* Both extensions, because atomic_ulong of OpenCL C 2.0 needs both. */
static bool has_wide_atomics(const opencl_context *context)
{
    return opencl_has_extension(context->device, "cl_khr_int64_base_atomics") &&
           opencl_has_extension(context->device, "cl_khr_int64_extended_atomics");
}

static uint32_t word_bits(const opencl_context *context, int64_t asked)
{
    if (asked != 0)
        return (uint32_t)asked;
    return has_wide_atomics(context) ? 64 : 32;
}

/* Devices of OpenCL 2.x have atomics of device scope; those of 3.0 say so. */
static const char *language(const opencl_context *context)
{
    char version[128] = "";
    if (clGetDeviceInfo(context->device, CL_DEVICE_VERSION, sizeof version - 1, version, NULL) !=
        CL_SUCCESS)
        return "CL1.2";
    if (strncmp(version, "OpenCL 2.", 9) == 0)
        return "CL2.0";
    const uint64_t atomics = opencl_device_number(context->device, ATOMIC_MEMORY_CAPABILITIES);
    const bool newer = strncmp(version, "OpenCL 3.", 9) == 0;
    return newer && (atomics & ATOMIC_SCOPE_DEVICE) != 0 ? "CL3.0" : "CL1.2";
}

void opencl_words_options(const opencl_context *context, const scan_problem *problem, int64_t asked,
                          char options[OPENCL_MAX_OPTIONS])
{
    char definitions[OPENCL_MAX_OPTIONS];
    opencl_scan_definitions(problem, definitions);
    snprintf(options, OPENCL_MAX_OPTIONS, "-cl-std=%s %.100s -D WORD_BITS=%u", language(context),
             definitions, word_bits(context, asked));
}

scan_status opencl_words_check(const opencl_context *context, int64_t asked)
{
    if (asked == 64 && !has_wide_atomics(context))
        return context->host->fail(
            context->host, SCAN_UNSUPPORTED,
            "words of 64 bits need cl_khr_int64_base_atomics and "
            "cl_khr_int64_extended_atomics, which this device does not have");
    return SCAN_OK;
}

scan_status opencl_words_make(opencl_words *self, opencl_context *context,
                              const scan_problem *problem, int64_t asked, uint64_t tiles)
{
    const uint32_t bits = word_bits(context, asked);
    *self = (opencl_words){.context = context};
    /* Half of a word is a piece of the value, the other half holds a flag of two bits. */
    const uint64_t piece_bytes = bits / 16;
    const uint64_t pieces = opencl_divide_up(opencl_held_bytes(problem), piece_bytes);
    self->most_runs = (UINT32_C(1) << (bits / 2 - 2)) - 1;
    self->bytes = tiles * pieces * piece_bytes * 2;
    scan_status status = opencl_allocate(context, "status words", self->bytes, &self->words);
    if (status == SCAN_OK)
        status = opencl_allocate(context, "tickets", sizeof(cl_uint), &self->tickets);
    return status;
}

scan_status opencl_words_next(opencl_words *self, opencl_run *run, cl_uint tickets)
{
    if (self->run == 0 || self->run == self->most_runs) {
        self->run = 0;
        scan_status status = opencl_run_clear(run, self->words, self->bytes);
        if (status == SCAN_OK)
            status = opencl_run_clear(run, self->tickets, sizeof(cl_uint));
        if (status != SCAN_OK)
            return status;
        self->first_ticket = 0;
    } else {
        self->first_ticket += self->taken;
    }
    self->run++;
    self->taken = tickets;
    return SCAN_OK;
}

void opencl_words_forget(opencl_words *self)
{
    self->run = 0;
}

void opencl_words_free(const opencl_words *self)
{
    if (self->words)
        clReleaseMemObject(self->words);
    if (self->tickets)
        clReleaseMemObject(self->tickets);
}
