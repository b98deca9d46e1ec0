/*
 * opencl_register.c - finds NVIDIA's OpenCL where it is installed and not registered
 *
 * A container started for CUDA often has the driver's OpenCL library without the .icd file that
 * tells the ICD loader of it, so that the loader lists PoCL alone. The loader reads the registered
 * files once per process, at the first call, from the folder that OCL_ICD_VENDORS names: so it gets
 * a folder for the time of this call, with what is registered and one file more. Whoever sets one
 * of the loader's variables has chosen, and is left alone.
 */
#include "opencl_common.h"

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REGISTERED "/etc/OpenCL/vendors"
#define FOLDER_VARIABLE "OCL_ICD_VENDORS"

enum { PATH_BYTES = 512, LINE_BYTES = 512 };

static bool is_icd(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".icd") == 0;
}

/* The library that a registered file names. false if it cannot be read. */
static bool read_library(const char *name, char line[LINE_BYTES])
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, REGISTERED "/%s", name);
    FILE *file = fopen(path, "re");
    const bool read = file && fgets(line, LINE_BYTES, file);
    if (file)
        fclose(file);
    if (read)
        line[strcspn(line, "\r\n")] = '\0';
    return read;
}

static bool is_registered(void)
{
    char line[LINE_BYTES];
    bool found = false;
    DIR *folder = opendir(REGISTERED);
    for (const struct dirent *entry; folder && !found && (entry = readdir(folder));)
        found = is_icd(entry->d_name) && read_library(entry->d_name, line) &&
                strstr(line, "nvidia") != NULL;
    if (folder)
        closedir(folder);
    return found;
}

/* By name or path, or NULL if it is not installed. */
static const char *find_library(void)
{
    static const char *const places[] = {"libnvidia-opencl.so.1",
                                         "/usr/local/nvidia/lib64/libnvidia-opencl.so.1"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        void *library = dlopen(places[i], RTLD_LAZY | RTLD_LOCAL);
        if (!library)
            continue;
        dlclose(library);
        return places[i];
    }
    return NULL;
}

static void put_icd(const char *folder, const char *name, const char *library)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "we");
    if (!file)
        return;
    fprintf(file, "%s\n", library);
    fclose(file);
}

static void put_all(const char *folder, const char *library)
{
    char line[LINE_BYTES];
    DIR *registered = opendir(REGISTERED);
    for (const struct dirent *entry; registered && (entry = readdir(registered));)
        if (is_icd(entry->d_name) && read_library(entry->d_name, line))
            put_icd(folder, entry->d_name, line);
    if (registered)
        closedir(registered);
    put_icd(folder, "scanbench_nvidia.icd", library);
}

static void remove_folder(const char *folder)
{
    char path[PATH_BYTES];
    DIR *content = opendir(folder);
    for (const struct dirent *entry; content && (entry = readdir(content));)
        if (is_icd(entry->d_name)) {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            unlink(path);
        }
    if (content)
        closedir(content);
    rmdir(folder);
}

static void list_platforms_with(const char *library)
{
    const char *temporary = getenv("TMPDIR");
    char folder[PATH_BYTES / 2];
    cl_uint count = 0;
    const int length = snprintf(folder, sizeof folder, "%s/scanbench-icd-XXXXXX",
                                temporary && *temporary ? temporary : "/tmp");
    if (length < 0 || (size_t)length >= sizeof folder || !mkdtemp(folder))
        return;
    put_all(folder, library);
    if (setenv(FOLDER_VARIABLE, folder, 1) == 0) {
        clGetPlatformIDs(0, NULL, &count);
        unsetenv(FOLDER_VARIABLE);
    }
    remove_folder(folder);
}

static void register_once(void)
{
    static const char *const variables[] = {FOLDER_VARIABLE, "OCL_ICD_FILENAMES",
                                            "OPENCL_VENDOR_PATH"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (getenv(variables[i]))
            return;
    const char *library = is_registered() ? NULL : find_library();
    if (library)
        list_platforms_with(library);
}

void opencl_register(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT; /* as the loader reads its files once */
    pthread_once(&once, register_once);
}
