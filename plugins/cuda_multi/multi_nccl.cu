/* multi_nccl.cu - opens NCCL, and gathers with it */
#include "multi_nccl.h"

#ifdef MULTI_NCCL

#include <dlfcn.h>
#include <nccl.h>

/* What is used of the library. */
struct nccl_calls {
    decltype(&ncclCommInitAll) init_all;
    decltype(&ncclCommDestroy) destroy;
    decltype(&ncclAllGather) all_gather;
    decltype(&ncclGroupStart) group_start;
    decltype(&ncclGroupEnd) group_end;
    decltype(&ncclGetErrorString) text;
};

struct multi_nccl {
    cuda_parts *parts;
    uint32_t count;
    nccl_calls call;
    ncclComm_t of[SCAN_PARTS_MOST];
};

template <typename Call> static bool find(void *library, const char *name, Call *call_p)
{
    *call_p = reinterpret_cast<Call>(dlsym(library, name));
    return *call_p != nullptr;
}

/* It stays open until the process ends. */
static scan_status open_library(const scan_host *host, nccl_calls *call)
{
    void *library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        library = dlopen(MULTI_NCCL, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return host->fail(host, SCAN_UNSUPPORTED, "NCCL: %s", dlerror());
    if (find(library, "ncclCommInitAll", &call->init_all) &&
        find(library, "ncclCommDestroy", &call->destroy) &&
        find(library, "ncclAllGather", &call->all_gather) &&
        find(library, "ncclGroupStart", &call->group_start) &&
        find(library, "ncclGroupEnd", &call->group_end) &&
        find(library, "ncclGetErrorString", &call->text))
        return SCAN_OK;
    return host->fail(host, SCAN_UNSUPPORTED, "NCCL: %s", dlerror());
}

scan_status multi_nccl_check(const cuda_parts *parts, uint32_t count)
{
    const scan_host *host = parts->of[0]->host;
    nccl_calls call;
    if (cuda_parts_share(parts, count))
        return host->fail(host, SCAN_UNSUPPORTED,
                          "NCCL wants a device for each of %u parts, and there %s %u", count,
                          parts->devices == 1 ? "is" : "are", parts->devices);
    return open_library(host, &call);
}

static scan_status failed(const multi_nccl *nccl, ncclResult_t result, const char *call)
{
    const scan_host *host = nccl->parts->of[0]->host;
    if (result == ncclSuccess)
        return SCAN_OK;
    (void)cudaGetLastError();
    return host->fail(host, SCAN_ERROR, "%s: %s", call, nccl->call.text(result));
}

scan_status multi_nccl_make(cuda_parts *parts, uint32_t count, multi_nccl **nccl_p)
{
    const scan_host *host = parts->of[0]->host;
    void *memory = host->allocate(host, sizeof(multi_nccl), alignof(multi_nccl));
    if (memory == nullptr)
        return host->fail(host, SCAN_NO_MEMORY, "no host memory for NCCL's communicators");
    multi_nccl *nccl = new (memory) multi_nccl();
    nccl->parts = parts;
    scan_status status = open_library(host, &nccl->call);
    int devices[SCAN_PARTS_MOST];
    for (uint32_t p = 0; p < count; p++)
        devices[p] = parts->of[p]->device;
    if (status == SCAN_OK)
        status = failed(nccl, nccl->call.init_all(nccl->of, static_cast<int>(count), devices),
                        "ncclCommInitAll");
    const scan_status back = cuda_parts_use(parts, 0);
    status = status == SCAN_OK ? back : status;
    if (status != SCAN_OK) {
        host->release(host, nccl);
        return status;
    }
    nccl->count = count;
    *nccl_p = nccl;
    return SCAN_OK;
}

void multi_nccl_free(multi_nccl *nccl)
{
    if (nccl == nullptr)
        return;
    const scan_host *host = nccl->parts->of[0]->host;
    for (uint32_t p = 0; p < nccl->count; p++)
        (void)nccl->call.destroy(nccl->of[p]);
    (void)cuda_parts_use(nccl->parts, 0);
    host->release(host, nccl);
}

scan_status multi_nccl_gather(const multi_nccl *nccl, void *const *sent, void *const *gathered,
                              uint64_t bytes)
{
    ncclResult_t result = nccl->call.group_start();
    if (result != ncclSuccess)
        return failed(nccl, result, "ncclGroupStart");
    for (uint32_t p = 0; p < nccl->count && result == ncclSuccess; p++)
        result = nccl->call.all_gather(sent[p], gathered[p], bytes, ncclUint8, nccl->of[p],
                                       nccl->parts->of[p]->stream);
    const ncclResult_t ended = nccl->call.group_end();
    return failed(nccl, result == ncclSuccess ? ended : result, "ncclAllGather");
}

#else

static scan_status refuse(const cuda_parts *parts)
{
    const scan_host *host = parts->of[0]->host;
    return host->fail(host, SCAN_UNSUPPORTED,
                      "built without NCCL: no nccl.h and libnccl found; install NCCL, then run "
                      "CMake again");
}

scan_status multi_nccl_check(const cuda_parts *parts, uint32_t)
{
    return refuse(parts);
}

scan_status multi_nccl_make(cuda_parts *parts, uint32_t, multi_nccl **)
{
    return refuse(parts);
}

void multi_nccl_free(multi_nccl *)
{
}

scan_status multi_nccl_gather(const multi_nccl *, void *const *, void *const *, uint64_t)
{
    return SCAN_ERROR; /* there is nobody who could call it */
}

#endif
