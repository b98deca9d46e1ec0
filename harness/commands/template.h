/*
 * template.h - the templates of the backends, as they are built and proved in
 * plugins/common, to be written under another name
 */
#ifndef SCANBENCH_COMMANDS_TEMPLATE_H
#define SCANBENCH_COMMANDS_TEMPLATE_H

#include <stddef.h>
#include <stdio.h>

/* A backend's template for plugins of one role. */
typedef struct new_template {
    const char *backend;   /* "cpu", ... */
    const char *role;      /* "algorithm", ... */
    const char *constant;  /* the role in C: "SCAN_ROLE_ALGORITHM" */
    const char *id;        /* what stands for the plugin's in the texts: "template_cpu" */
    const char *extension; /* of the source: ".c" */
    const char *about;     /* what the backend's plugins are written in and run on */
    const char *compile;   /* the command that builds one; scaffold.c fills in the paths */
    const char *source;
    const char *cmake; /* the CMakeLists.txt */
} new_template;

/* Generated from plugins/common/BACKEND, by backend and role, so that no backend is named
 * in the program. */
extern const new_template new_templates[];
extern const size_t new_template_count;

enum { NEW_TEMPLATE_WORDS = 32 }; /* room for the words below */

/* The template of a backend for a role, or NULL. */
const new_template *new_template_find(const char *backend, const char *role);
/* The backends, each once, into words; how many there are. */
size_t new_template_backends(const char *words[NEW_TEMPLATE_WORDS]);
/* The roles that a backend has templates for; with NULL those of all backends. */
size_t new_template_roles(const char *backend, const char *words[NEW_TEMPLATE_WORDS]);
/* One of its texts as that of plugin `id`, in the template's role. */
void new_template_write(const new_template *t, const char *text, const char *id, FILE *out);

#endif
