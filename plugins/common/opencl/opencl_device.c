/*
 * opencl_device.c - lists the OpenCL devices, always in the same order
 */
#include "opencl_common.h"

#include <stdio.h>
#include <string.h>

enum { MAX_PLATFORMS = 16, MAX_DEVICES = 64 };

static const char nothing_installed[] =
    "install a driver: pocl-opencl-icd for the CPU, or the GPU vendor's (its .icd file belongs in "
    "/etc/OpenCL/vendors; `clinfo -l` lists what is found)";

typedef struct platform {
    cl_platform_id id;
    char name[128];
} platform;

/* All platforms, sorted by name, because the loader's order is that of a directory. */
static scan_status find_platforms(const scan_host *host, platform *platforms, cl_uint *count_p)
{
    cl_platform_id ids[MAX_PLATFORMS];
    cl_uint count = 0;
    opencl_register();
    cl_int error = clGetPlatformIDs(MAX_PLATFORMS, ids, &count);
    if (error != CL_SUCCESS || count == 0)
        return host->fail(host, SCAN_UNAVAILABLE,
                          "clGetPlatformIDs: %s (%d), no OpenCL platform; %s",
                          opencl_error_name(error), (int)error, nothing_installed);
    if (count > MAX_PLATFORMS)
        count = MAX_PLATFORMS;
    for (cl_uint i = 0; i < count; i++) {
        platform found = {.id = ids[i]};
        error =
            clGetPlatformInfo(ids[i], CL_PLATFORM_NAME, sizeof found.name - 1, found.name, NULL);
        if (error != CL_SUCCESS)
            snprintf(found.name, sizeof found.name, "a platform without a name");
        cl_uint place = i;
        for (; place > 0 && strcmp(found.name, platforms[place - 1].name) < 0; place--)
            platforms[place] = platforms[place - 1];
        platforms[place] = found;
    }
    *count_p = count;
    return SCAN_OK;
}

/* A device can be listed and still be unusable; it then has no index. */
static bool is_available(cl_device_id device)
{
    cl_bool available = CL_FALSE;
    return clGetDeviceInfo(device, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL) ==
               CL_SUCCESS &&
           available;
}

bool opencl_is_pocl(const char *name)
{
    return strcmp(name, "Portable Computing Language") == 0;
}

uint64_t opencl_first_grid(cl_device_id device)
{
    enum { SMALL_GRID = 1, LARGE_GRID = 65536 };
    cl_platform_id id = NULL;
    char name[32] = "";
    clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof id, &id, NULL);
    clGetPlatformInfo(id, CL_PLATFORM_NAME, sizeof name, name, NULL);
    return opencl_is_pocl(name) ? LARGE_GRID : SMALL_GRID;
}

scan_status opencl_find_device(const scan_host *host, uint32_t index, cl_platform_id *platform_p,
                               cl_device_id *device_p)
{
    platform platforms[MAX_PLATFORMS];
    cl_uint platform_count = 0;
    scan_status status = find_platforms(host, platforms, &platform_count);
    if (status != SCAN_OK)
        return status;
    uint32_t seen = 0;
    cl_int last_error = CL_SUCCESS;
    for (cl_uint p = 0; p < platform_count; p++) {
        cl_device_id devices[MAX_DEVICES];
        cl_uint count = 0;
        cl_int error =
            clGetDeviceIDs(platforms[p].id, CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices, &count);
        if (error != CL_SUCCESS) {
            last_error = error;
            continue;
        }
        for (cl_uint d = 0; d < count && d < MAX_DEVICES; d++) {
            if (!is_available(devices[d]) || seen++ != index)
                continue;
            *platform_p = platforms[p].id;
            *device_p = devices[d];
            return SCAN_OK;
        }
    }
    if (seen > 0)
        return host->fail(host, SCAN_UNAVAILABLE, "no OpenCL device %u: there %s %u", index,
                          seen == 1 ? "is" : "are", seen);
    char cache[512] = "";
    for (cl_uint p = 0; p < platform_count && !*cache; p++)
        opencl_cache_problem(platforms[p].name, cache, sizeof cache);
    return host->fail(
        host, SCAN_UNAVAILABLE,
        "clGetDeviceIDs: %s (%d), no OpenCL device on %u platform(s), the first %s; %s",
        opencl_error_name(last_error), (int)last_error, platform_count, platforms[0].name,
        *cache ? cache : nothing_installed);
}

/* A text property, "" if there is none; a longer one is cut. */
static void device_text(cl_device_id device, cl_device_info what, char *text, size_t size)
{
    char full[1024] = "";
    if (clGetDeviceInfo(device, what, sizeof full - 1, full, NULL) != CL_SUCCESS)
        full[0] = '\0';
    snprintf(text, size, "%s", full + strspn(full, " "));
}

uint64_t opencl_device_number(cl_device_id device, cl_device_info what)
{
    union {
        cl_uint narrow;
        cl_ulong wide;
    } value = {.wide = 0};
    size_t bytes = 0;
    if (clGetDeviceInfo(device, what, sizeof value, &value, &bytes) != CL_SUCCESS)
        return 0;
    return bytes == sizeof value.narrow ? value.narrow : value.wide;
}

bool opencl_has_extension(cl_device_id device, const char *name)
{
    char list[8192] = "";
    if (clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof list - 1, list, NULL) != CL_SUCCESS)
        return false;
    const size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

cl_uint opencl_extension_version(cl_device_id device, const char *name)
{
    enum { EXTENSIONS_WITH_VERSION = 0x1060 }; /* of OpenCL 3.0 */
    struct {
        cl_uint version;
        char name[64];
    } all[150];
    size_t bytes = 0;
    if (clGetDeviceInfo(device, EXTENSIONS_WITH_VERSION, sizeof all, all, &bytes) != CL_SUCCESS)
        return 0;
    for (size_t i = 0; i < bytes / sizeof *all; i++)
        if (strncmp(all[i].name, name, sizeof all[i].name) == 0)
            return all[i].version;
    return 0;
}

/* Attributes that the cl_ext.h of older headers lacks. */
enum {
    PCI_BUS_INFO_KHR = 0x410f,
    PCI_BUS_ID_NV = 0x4008,
    PCI_SLOT_ID_NV = 0x4009,
    PCI_DOMAIN_ID_NV = 0x400a,
    TOPOLOGY_AMD = 0x4037,
    TOPOLOGY_PCIE_AMD = 1
};

/* "0000:3b:00.0", or "" if the driver does not say. */
static void find_address(cl_device_id device, char *pci, size_t size)
{
    struct {
        cl_uint domain, bus, device, function;
    } khr;
    struct {
        cl_uint type;
        uint8_t unused[17], bus, device, function;
    } amd;
    cl_uint bus = 0;
    if (clGetDeviceInfo(device, PCI_BUS_INFO_KHR, sizeof khr, &khr, NULL) == CL_SUCCESS) {
        snprintf(pci, size, "%04x:%02x:%02x.%x", khr.domain, khr.bus, khr.device, khr.function);
    } else if (clGetDeviceInfo(device, PCI_BUS_ID_NV, sizeof bus, &bus, NULL) == CL_SUCCESS) {
        const unsigned slot = (unsigned)opencl_device_number(device, PCI_SLOT_ID_NV);
        snprintf(pci, size, "%04x:%02x:%02x.%x",
                 (unsigned)opencl_device_number(device, PCI_DOMAIN_ID_NV), bus, slot >> 3,
                 slot & 7);
    } else if (clGetDeviceInfo(device, TOPOLOGY_AMD, sizeof amd, &amd, NULL) == CL_SUCCESS &&
               amd.type == TOPOLOGY_PCIE_AMD) {
        snprintf(pci, size, "0000:%02x:%02x.%x", amd.bus, amd.device, amd.function);
    }
}

scan_status opencl_probe(const scan_host *host, const scan_plugin *plugin, uint32_t index,
                         scan_device *device)
{
    (void)plugin;
    cl_platform_id platform_id = NULL;
    cl_device_id id = NULL;
    scan_status status = opencl_find_device(host, index, &platform_id, &id);
    if (status != SCAN_OK)
        return status;

    char platform_name[128] = "";
    if (clGetPlatformInfo(platform_id, CL_PLATFORM_NAME, sizeof platform_name - 1, platform_name,
                          NULL) != CL_SUCCESS)
        snprintf(platform_name, sizeof platform_name, "OpenCL");
    char driver[32];
    char version[72];
    device_text(id, CL_DRIVER_VERSION, driver, sizeof driver);
    device_text(id, CL_DEVICE_VERSION, version, sizeof version);
    device_text(id, CL_DEVICE_NAME, device->name, sizeof device->name);
    snprintf(device->driver, sizeof device->driver, "%.36s %s (%.50s)", platform_name, driver,
             version);
    find_address(id, device->pci, sizeof device->pci);
    device->memory_bytes = opencl_device_number(id, CL_DEVICE_GLOBAL_MEM_SIZE);
    device->max_block = (uint32_t)opencl_device_number(id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    device->clock_mhz = (uint32_t)opencl_device_number(id, CL_DEVICE_MAX_CLOCK_FREQUENCY);
    if ((opencl_device_number(id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) ||
        opencl_device_number(id, CL_DEVICE_HOST_UNIFIED_MEMORY))
        device->flags |= SCAN_DEVICE_SHARES_HOST_MEMORY;
    return SCAN_OK;
}
