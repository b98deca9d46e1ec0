/*
 * new_template.h - the templates of plugins/, as they are built and proved there, under
 * another name
 */
#ifndef SCANBENCH_COMMANDS_TEMPLATE_H
#define SCANBENCH_COMMANDS_TEMPLATE_H

#include <stdio.h>

typedef struct new_template {
    const char *backend;   /* "cpu", ... */
    const char *id;        /* what stands for the plugin's in the texts: "template_cpu" */
    const char *extension; /* of the source: ".c" */
    const char *source;
    const char *cmake; /* the CMakeLists.txt */
} new_template;

/* The template for a backend, or NULL. */
const new_template *new_template_find(const char *backend);
/* Their backends into names[0 ... capacity-1]; how many there are. */
size_t new_template_backends(const char **names, size_t capacity);
/* One of its texts as that of plugin `id`, an algorithm. */
void new_template_write(const new_template *t, const char *text, const char *id, FILE *out);

#endif
