/*
 * scaffold.h - decides where a new plugin goes, and prints how to build and prove it there
 */
#ifndef SCANBENCH_COMMANDS_SCAFFOLD_H
#define SCANBENCH_COMMANDS_SCAFFOLD_H

#include "commands/template.h"

#include <stdbool.h>

/* Chooses the folder of a plugin called `name`: inside a scanbench tree, a name without a folder
 * goes to the tree's plugins/; otherwise to `name`. */
void new_place_choose(const char *name, char *folder, size_t size);
/* Is the folder, which exists, one of a tree's plugins? */
bool new_place_is_in_tree(const char *folder);
/* Is there a plugin of that id beside the program? If so, sets its path. */
bool new_place_has_plugin(const char *id, char *path, size_t size);
/* Prints the commands that build and prove the plugin in `folder`. */
void new_place_print_steps(FILE *out, const new_template *t, const char *folder, const char *id);

#endif
