/*
 * recording_host.h - a host that asks for "device" and keeps what a plugin records, for tests in C
 * and C++
 */
#ifndef RECORDING_HOST_H
#define RECORDING_HOST_H

#include "scan_plugin.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double recorded_device_ns; /* -1: nothing */
static double recorded_kernels_ns;
static char recorded_reason[256];
static int recorded_messages;

SCAN_PRINTF(3, 4)
static inline scan_status recording_fail(const scan_host *host, scan_status status,
                                         const char *format, ...)
{
    (void)host;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(recorded_reason, sizeof recorded_reason, format, arguments);
    va_end(arguments);
    return status;
}

static inline void recording_message(const scan_host *host, const char *format, ...)
{
    (void)host;
    (void)format;
    recorded_messages++;
}

static inline void recording_record(const scan_host *host, const char *phase, double ns)
{
    (void)host;
    if (strcmp(phase, "device") == 0)
        recorded_device_ns = ns;
    else
        recorded_kernels_ns += ns;
}

static inline void *recording_allocate(const scan_host *host, size_t bytes, size_t alignment)
{
    (void)host;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static inline void recording_release(const scan_host *host, void *memory)
{
    (void)host;
    free(memory);
}

static inline void recording_host_init(scan_host *host)
{
    memset(host, 0, sizeof *host);
    host->struct_size = sizeof *host;
    host->recording = SCAN_RECORD_DEVICE;
    host->places = 1;
    host->fail = recording_fail;
    host->message = recording_message;
    host->record = recording_record;
    host->allocate = recording_allocate;
    host->release = recording_release;
}

static inline void recording_forget(void)
{
    recorded_device_ns = -1;
    recorded_kernels_ns = 0;
}

static inline double recording_now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static inline void recording_sleep_ms(long ms)
{
    struct timespec time = {0, ms * 1000000};
    nanosleep(&time, NULL);
}

#endif
