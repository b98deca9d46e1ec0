/*
 * template.h - the templates of the backends, which are built and proved in plugins/common and
 * written under another name
 */
#ifndef SCANBENCH_COMMANDS_TEMPLATE_H
#define SCANBENCH_COMMANDS_TEMPLATE_H

#include <stddef.h>
#include <stdio.h>

/* A backend's template for plugins of one role. */
typedef struct new_template {
    const char *backend;   /* "cpu", ... */
    const char *role;      /* "algorithm", ... */
    const char *language;  /* "c", "c++", "cuda", or a library of Python */
    const char *constant;  /* the role in C: "SCAN_ROLE_ALGORITHM" */
    const char *id;        /* the id in the texts, which the plugin's id replaces: "template_cpu" */
    const char *extension; /* of the source: ".c" */
    const char *about;     /* the language and the devices of the backend's plugins */
    const char *compile;   /* the command that builds one, or "" if it needs none; scaffold.c fills
                              in the paths */
    const char *source;
    const char *cmake; /* the CMakeLists.txt */
} new_template;

/* Generated from plugins/common/BACKEND, one per backend, role and language, so that the program
 * names no backend. */
extern const new_template new_templates[];
extern const size_t new_template_count;

enum { NEW_TEMPLATE_WORDS = 32 }; /* room for the words below */

/* The template of a backend for a role in a language (NULL: the first), or NULL. */
const new_template *new_template_find(const char *backend, const char *role, const char *language);
/* Sets words to the backends, roles or languages of the templates of a backend and a role (NULL:
 * any), each once. Returns their number. */
typedef enum new_word { NEW_BACKEND, NEW_ROLE, NEW_LANGUAGE } new_word;
size_t new_template_words(new_word which, const char *backend, const char *role,
                          const char *words[NEW_TEMPLATE_WORDS]);
/* Writes one of a template's texts as the text of plugin `id`, with the template's role. */
void new_template_write(const new_template *t, const char *text, const char *id, FILE *out);

#endif
