/*
 * proof_variants.c - the claims about answers when something else is special: repetitions, buffers,
 * or what the command line says
 */
#include "proof/claim.h"

#include <inttypes.h>
#include <string.h>

/* The sizes again, for each type that may tell, with something changed about the buffers
 * or the number of runs. */
static proof_verdict test_variant(proof *p, job special)
{
    proof_type types[PROOF_TYPES];
    const size_t count = proof_telling_types(p, types);
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < count && verdict == PROOF_OK; i++) {
        job j = proof_job(p, types[i].dtype, types[i].op, 0);
        /* Off by elements: what is not aligned for its type is no array of C. */
        const uint32_t element = (uint32_t)dtype_bytes(j.dtype);
        j.pattern = proof_exact(j.dtype, j.op);
        j.in_place = special.in_place;
        j.misalign = special.misalign * element;
        j.misalign_out = special.misalign_out * element;
        j.repeat = special.repeat;
        verdict = proof_at_sizes(p, j, false, false);
        if (verdict == PROOF_SKIPPED && i + 1 < count)
            verdict = PROOF_OK; /* this type is not for this device */
    }
    return verdict;
}

/* A few runs at each size, and many at a small one: counters that are too narrow, tags that
 * come round again. */
proof_verdict proof_test_repeat(proof *p)
{
    enum { MANY = 300, FEW = 3, SMALL = 7 };
    proof_verdict verdict = test_variant(p, (job){.repeat = FEW});
    uint32_t dtype, op;
    if (verdict != PROOF_OK || !proof_first_op(p, &dtype, &op))
        return verdict;
    job j = proof_job(p, dtype, op, 0);
    j.pattern = proof_exact(dtype, op);
    j.repeat = MANY;
    j.n = SMALL < p->limit ? SMALL : p->limit;
    while (j.kind + 1 < SCAN_KIND_COUNT && !proof_wants_kind(p, j.kind))
        j.kind++;
    return proof_do(p, &j, true);
}

proof_verdict proof_test_in_place(proof *p)
{
    return test_variant(p, (job){.in_place = 1, .repeat = 2});
}

proof_verdict proof_test_misaligned(proof *p)
{
    static const job alignments[] = {{.misalign = 1, .misalign_out = 1, .repeat = 1},
                                     {.misalign = 1, .repeat = 1},
                                     {.misalign_out = 1, .repeat = 1}};
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < 3 && verdict == PROOF_OK; i++)
        verdict = test_variant(p, alignments[i]);
    return verdict;
}

/* The sizes of the command line with every combination of its --set from the at-th on. */
static proof_verdict test_given(proof *p, job *j, size_t at)
{
    proof_verdict verdict = PROOF_OK;
    if (at < p->s->set_count) {
        const range_list *values = &p->s->sets[at].values;
        int index = tunable_info_index(p->session->plugin, p->s->sets[at].name);
        for (size_t i = 0; i < (index < 0 ? 1 : values->count) && verdict == PROOF_OK; i++) {
            if (index >= 0)
                j->tunables[index] = values->values[i];
            if (index >= 0 &&
                !tunable_info_allows(&p->session->plugin->tunables[index], values->values[i]))
                return proof_skip(p, "%s=%" PRId64 " is not declared", p->s->sets[at].name,
                                  values->values[i]);
            verdict = test_given(p, j, at + 1);
        }
        return verdict;
    }
    for (uint32_t kind = 0; kind < SCAN_KIND_COUNT; kind++)
        for (size_t i = 0; proof_wants_kind(p, kind) && i < p->s->sizes.count; i++) {
            j->kind = kind;
            j->n = (uint64_t)p->s->sizes.values[i];
            verdict = proof_do(p, j, false);
            if (verdict != PROOF_OK)
                return verdict;
        }
    return verdict;
}

/* --sizes: exactly what the command line says, to repeat a failure. */
proof_verdict proof_test_given(proof *p)
{
    job j = proof_job(p, p->dtype, p->op, 0);
    const char *given = p->s->pattern;
    j.pattern = proof_exact(p->dtype, p->op);
    if (given) {
        char word[32];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(given, ":"), given);
        int pattern = pattern_find(word);
        j.pattern = pattern < 0 ? j.pattern : (uint32_t)pattern;
        const char *colon = strchr(given, ':');
        if (colon)
            sscanf(colon + 1, "%" SCNu64, &j.position);
    }
    return test_given(p, &j, 0);
}
