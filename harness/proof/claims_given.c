/*
 * claims_given.c - the claim about a configuration from the command line
 */
#include "proof/claim.h"

#include <inttypes.h>
#include <string.h>

/* Tests the sizes of the command line with every combination of its --set options from the at-th
 * on. */
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
        for (size_t i = 0; proof_wants_kind(p, j, kind) && i < p->s->sizes.count; i++) {
            j->kind = kind;
            j->n = (uint64_t)p->s->sizes.values[i];
            verdict = proof_do(p, j, false);
            if (verdict != PROOF_OK)
                return verdict;
        }
    return verdict;
}

/* The claim for --sizes: tests exactly what the command line says, to repeat a failure. */
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
