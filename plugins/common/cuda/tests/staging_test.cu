/*
 * staging_test.cu - the host's staging memory is pinned by the first large copy that uses it, until
 * the context is closed, on the first device there is
 */
#include "cuda_common.h"

#include "recording_host.h"
#include "tap.h"

#include <cstdlib>
#include <cstring>

static constexpr size_t BYTES = (size_t)4 << 20;

static uint32_t pinned;
static scan_staging staging;

static const void *offer(const scan_host *host, const char *name)
{
    (void)host;
    return strcmp(name, SCAN_STAGING) == 0 ? &staging : nullptr;
}

/* Does the driver take the memory for its own? */
static bool is_known(const void *memory)
{
    cudaPointerAttributes found;
    if (cudaPointerGetAttributes(&found, memory) == cudaSuccess)
        return found.type == cudaMemoryTypeHost;
    (void)cudaGetLastError();
    return false;
}

static void copy_both_ways(void *cuda, unsigned char *other)
{
    scan_buffer buffer = 0;
    unsigned char *memory = static_cast<unsigned char *>(staging.memory);
    ok(cuda_memory.allocate(cuda, BYTES, &buffer) == SCAN_OK, "there is a buffer");
    memset(memory, 1, BYTES);
    memset(other, 2, BYTES);
    ok(cuda_memory.copy_in(cuda, buffer, 0, memory, 64) == SCAN_OK &&
           cuda_memory.copy_out(cuda, other, buffer, 0, BYTES) == SCAN_OK && pinned == 0 &&
           other[63] == 1,
       "a small copy pins nothing, nor does one of other memory");
    for (size_t i = 0; i < BYTES; i++)
        memory[i] = static_cast<unsigned char>(i * 7 + i / 256);
    ok(cuda_memory.copy_in(cuda, buffer, 0, memory, BYTES) == SCAN_OK && pinned == 1 &&
           is_known(memory) && is_known(memory + BYTES - 1) && !is_known(other),
       "a large copy pins all of the staging memory");
    ok(cuda_memory.copy_out(cuda, other, buffer, 0, BYTES) == SCAN_OK &&
           memcmp(other, memory, BYTES) == 0,
       "what was copied in comes out");
    memset(memory, 0, BYTES);
    ok(cuda_memory.copy_out(cuda, memory, buffer, 0, BYTES) == SCAN_OK &&
           memcmp(other, memory, BYTES) == 0,
       "by way of pinned memory too");
    cuda_memory.release(cuda, buffer);
}

int main()
{
    void *cuda = nullptr;
    scan_host host;
    recording_host_init(&host);
    host.get_extension = offer;
    staging.struct_size = sizeof staging;
    staging.bytes = BYTES;
    staging.pinned_p = &pinned;
    staging.memory = aligned_alloc(4096, BYTES);
    unsigned char *other = static_cast<unsigned char *>(malloc(BYTES));
    if (staging.memory == nullptr || other == nullptr) {
        printf("Bail out! no memory\n");
        return 1;
    }
    if (cuda_memory.open(&host, nullptr, 0, &cuda) != SCAN_OK) {
        int count = 0;
        const cudaError_t error = cudaGetDeviceCount(&count);
        printf("TAP version 13\n1..0 # SKIP no CUDA device: %s\n", cudaGetErrorString(error));
        return 0;
    }
    tap_plan(6);
    copy_both_ways(cuda, other);
    cuda_memory.close(cuda);
    ok(pinned == 0 && !is_known(staging.memory), "a context that is closed leaves nothing pinned");
    free(other);
    free(staging.memory);
    return tap_done();
}
