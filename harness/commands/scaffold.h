/*
 * scaffold.h - where a new plugin lies, and what is to be done with it there
 */
#ifndef SCANBENCH_COMMANDS_SCAFFOLD_H
#define SCANBENCH_COMMANDS_SCAFFOLD_H

#include "commands/template.h"

#include <stdbool.h>

/* Where a plugin called `name` goes: inside a scanbench tree, and where the name says no
 * folder, into the tree's plugins/; else to `name`. */
void new_place_choose(const char *name, char *folder, size_t size);
/* Is a plugin of that id beside the program? If so, where. */
bool new_place_has_plugin(const char *id, char *path, size_t size);
/* The commands that build and prove the plugin in `folder`. */
void new_place_print_steps(FILE *out, const new_template *t, const char *folder, const char *id);

#endif
