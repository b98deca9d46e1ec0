/*
 * fake.h - a device without a device: its memory is the host's behind handles that are
 * no addresses, so who takes one for the other crashes; copies are counted by nobody but
 * the host. The plugins on it show that residency works where there is no GPU.
 */
#ifndef FAKE_H
#define FAKE_H

#include "mock.h"

/* Not canonical as an address on any 64-bit machine. */
#define FAKE_KEY UINT64_C(0x5a00000000000000)

typedef struct fake_buffer {
    unsigned char *data;
    bool view;
} fake_buffer;

static inline fake_buffer *fake_of(scan_buffer handle)
{
    return (fake_buffer *)(uintptr_t)(handle ^ FAKE_KEY);
}

static inline unsigned char *fake_data(scan_buffer handle)
{
    return fake_of(handle)->data;
}

static inline scan_status fake_probe(const scan_host *host, const scan_plugin *plugin,
                                     uint32_t index, scan_device *device)
{
    (void)plugin;
    if (index > 0)
        return host->fail(host, SCAN_UNAVAILABLE, "there is one fake device");
    memcpy(device->name, "Fake device", sizeof "Fake device");
    memcpy(device->driver, "fake 1.0", sizeof "fake 1.0");
    device->flags = SCAN_DEVICE_SHARES_HOST_MEMORY;
    device->max_block = 1024;
    return SCAN_OK;
}

static inline scan_status fake_open(const scan_host *host, const scan_plugin *plugin,
                                    uint32_t index, void **context_p)
{
    (void)plugin;
    if (index > 0)
        return host->fail(host, SCAN_UNAVAILABLE, "there is one fake device");
    *context_p = (void *)(uintptr_t)host;
    return SCAN_OK;
}

static inline void fake_close(void *context)
{
    (void)context;
}

static inline scan_status fake_wrap(void *context, unsigned char *data, bool view,
                                    scan_buffer *buffer_p)
{
    const scan_host *host = context;
    fake_buffer *b = malloc(sizeof *b);
    if (!b || !data) {
        free(b);
        return host->fail(host, SCAN_NO_MEMORY, "no memory for a fake buffer");
    }
    *b = (fake_buffer){data, view};
    *buffer_p = (scan_buffer)(uintptr_t)b ^ FAKE_KEY;
    return SCAN_OK;
}

static inline scan_status fake_allocate(void *context, uint64_t bytes, scan_buffer *buffer_p)
{
    unsigned char *data = malloc(bytes);
    const scan_status status = fake_wrap(context, data, false, buffer_p);
    if (status != SCAN_OK)
        free(data);
    return status;
}

static inline void fake_release(void *context, scan_buffer handle)
{
    (void)context;
    fake_buffer *b = fake_of(handle);
    if (!b->view)
        free(b->data);
    free(b);
}

static inline scan_status fake_view(void *context, scan_buffer handle, uint64_t offset,
                                    uint64_t bytes, scan_buffer *view_p)
{
    (void)bytes;
    return fake_wrap(context, fake_data(handle) + offset, true, view_p);
}

static inline scan_status fake_copy_in(void *context, scan_buffer to, uint64_t offset,
                                       const void *from, uint64_t bytes)
{
    (void)context;
    if (bytes)
        memcpy(fake_data(to) + offset, from, bytes);
    return SCAN_OK;
}

static inline scan_status fake_copy_out(void *context, void *to, scan_buffer from, uint64_t offset,
                                        uint64_t bytes)
{
    (void)context;
    if (bytes)
        memcpy(to, fake_data(from) + offset, bytes);
    return SCAN_OK;
}

static inline scan_status fake_fill(void *context, scan_buffer to, uint64_t offset, uint64_t bytes,
                                    uint8_t value)
{
    (void)context;
    memset(fake_data(to) + offset, value, bytes);
    return SCAN_OK;
}

/* What instances say they take of the device's memory, and what is left of it. */
enum { FAKE_BYTES = 1 << 30 };
static uint64_t fake_taken;

static inline scan_status fake_available(void *context, uint64_t *bytes_p)
{
    (void)context;
    *bytes_p = FAKE_BYTES - fake_taken;
    return SCAN_OK;
}

/* The device's address of a buffer, as a buffer of mock_run's. */
static inline scan_buffer fake_address(scan_buffer handle)
{
    return (scan_buffer)(uintptr_t)fake_data(handle);
}

static inline double fake_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static inline scan_status fake_run(void *self, scan_buffer in, scan_buffer out)
{
    const mock *m = self;
    const double start = fake_now();
    const scan_status status = mock_run(self, fake_address(in), fake_address(out));
    const double ns = fake_now() - start;
    if (m->host->recording) {
        m->host->record(m->host, "device", ns);
        m->host->record(m->host, "kernel:scan", ns);
    }
    return status;
}

static const scan_memory fake_memory = {.struct_size = sizeof(scan_memory),
                                        .open = fake_open,
                                        .close = fake_close,
                                        .allocate = fake_allocate,
                                        .release = fake_release,
                                        .view = fake_view,
                                        .copy_in = fake_copy_in,
                                        .copy_out = fake_copy_out,
                                        .fill = fake_fill,
                                        .available = fake_available};

/* mock_plugin on the fake device. */
#define FAKE_PLUGIN(...) \
    MOCK_PLUGIN(.backend = "fake", .memory = &fake_memory, .probe = fake_probe, __VA_ARGS__)

#endif
