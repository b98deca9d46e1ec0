#include "commands/template.h"

#include "template_cpu_cmake.h"
#include "template_cpu_source.h"
#include "template_cuda_cmake.h"
#include "template_cuda_source.h"
#include "template_opencl_cmake.h"
#include "template_opencl_source.h"

#include <stddef.h>
#include <string.h>

static const new_template templates[] = {
    {"cpu", "template_cpu", ".c", template_cpu_source, template_cpu_cmake},
    {"cuda", "template_cuda", ".cu", template_cuda_source, template_cuda_cmake},
    {"opencl", "template_opencl", ".c", template_opencl_source, template_opencl_cmake},
};

const new_template *new_template_find(const char *backend)
{
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++)
        if (strcmp(templates[i].backend, backend) == 0)
            return &templates[i];
    return NULL;
}

size_t new_template_backends(const char **names, size_t capacity)
{
    size_t count = sizeof templates / sizeof *templates;
    for (size_t i = 0; i < count && i < capacity; i++)
        names[i] = templates[i].backend;
    return count;
}

void new_template_write(const new_template *t, const char *text, const char *id, FILE *out)
{
    const struct {
        const char *from, *to;
    } words[] = {{t->id, id}, {"SCAN_ROLE_MOCK", "SCAN_ROLE_ALGORITHM"}};
    while (*text) {
        size_t skip = 0;
        for (size_t i = 0; i < 2 && skip == 0; i++)
            if (strncmp(text, words[i].from, strlen(words[i].from)) == 0) {
                fputs(words[i].to, out);
                skip = strlen(words[i].from);
            }
        if (skip == 0)
            fputc(*text, out);
        text += skip > 0 ? skip : 1;
    }
}
