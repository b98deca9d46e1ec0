/*
 * choice.h - the types, operators and kinds that a proof may use: what a plugin declares and
 * --types, --ops and --kinds ask for. Claims that choose representatives choose among these.
 */
#ifndef SCANBENCH_PROOF_CHOICE_H
#define SCANBENCH_PROOF_CHOICE_H

#include "proof/proof.h"

/* Types and operators that go wrong in ways of their own: up to 4 bytes, more, an operator that
 * does not commute, as affine, and those that select an operand. */
typedef enum proof_sort {
    PROOF_ANY_TYPE,
    PROOF_NARROW,
    PROOF_WIDE,
    PROOF_ORDERED,
    PROOF_GREATEST,
    PROOF_LEAST
} proof_sort;

/* Is it declared and asked for? A ceiling copies any type and has neither kind nor operator: only
 * --types is about it, and its jobs have kind 0 and the first operator on the type. */
bool choice_is_asked(const settings *s, const plugin_info *plugin, uint32_t dtype, uint32_t op,
                     uint32_t kind);
/* The same in some kind. */
bool choice_is_asked_in_a_kind(const settings *s, const plugin_info *plugin, uint32_t dtype,
                               uint32_t op);
/* Is anything of that sort? */
bool choice_has(const settings *s, const plugin_info *plugin, proof_sort sort);

/* Why there is nothing of that sort: "needs f32, which --types leaves out". */
void choice_explain(const settings *s, const plugin_info *plugin, proof_sort sort, char *text,
                    size_t size);

/* Bounds what instances beside that of a job may be of. */
void choice_note_others(const settings *s, job *j);

#endif
