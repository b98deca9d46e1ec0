#include "proof/choice.h"

#include "problem/names.h"
#include "proof/claim.h"

#include <string.h>

static bool is_listed(const uint32_t *values, size_t count, uint32_t value)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] == value)
            return true;
    return false;
}

bool choice_is_asked(const settings *s, const plugin_info *plugin, uint32_t dtype, uint32_t op,
                     uint32_t kind)
{
    const bool copies = plugin->role == SCAN_ROLE_CEILING;
    return is_listed(s->types, s->type_count, dtype) &&
           (copies ? op == op_first_on(dtype) : is_listed(s->ops, s->op_count, op)) &&
           (copies || is_listed(s->kinds, s->kind_count, kind)) &&
           plugin_info_declares(plugin, op, kind, dtype);
}

bool choice_is_asked_in_a_kind(const settings *s, const plugin_info *plugin, uint32_t dtype,
                               uint32_t op)
{
    for (uint32_t kind = 0; kind < SCAN_KIND_COUNT; kind++)
        if (choice_is_asked(s, plugin, dtype, op, kind))
            return true;
    return false;
}

static bool is_of_sort(uint32_t dtype, uint32_t op, proof_sort sort)
{
    if (sort == PROOF_ANY_TYPE)
        return true;
    if (sort == PROOF_GREATEST || sort == PROOF_LEAST)
        return op_gives(op) == (sort == PROOF_GREATEST ? OP_GREATEST : OP_LEAST);
    if (!op_commutes(op))
        return sort == PROOF_ORDERED;
    return sort == (dtype_bytes(dtype) > 4 ? PROOF_WIDE : PROOF_NARROW);
}

bool choice_has(const settings *s, const plugin_info *plugin, proof_sort sort)
{
    for (uint32_t d = 0; d < SCAN_DTYPE_COUNT; d++)
        for (uint32_t op = 0; op < SCAN_OP_COUNT; op++)
            if (is_of_sort(d, op, sort) && choice_is_asked_in_a_kind(s, plugin, d, op))
                return true;
    return false;
}

/* ---- why nothing is left ---------------------------------------------------- */

/* One of the three options, as it is or asking for everything. */
typedef enum freedom { FREE_TYPES = 1, FREE_OPS = 2, FREE_KINDS = 4, FREE_ALL = 7 } freedom;

static settings with_freedom(const settings *s, freedom which)
{
    settings free = *s;
    for (uint32_t i = 0; which & FREE_TYPES && i < SCAN_DTYPE_COUNT; i++)
        free.types[i] = i;
    for (uint32_t i = 0; which & FREE_OPS && i < SCAN_OP_COUNT; i++)
        free.ops[i] = i;
    for (uint32_t i = 0; which & FREE_KINDS && i < SCAN_KIND_COUNT; i++)
        free.kinds[i] = i;
    free.type_count = which & FREE_TYPES ? SCAN_DTYPE_COUNT : s->type_count;
    free.op_count = which & FREE_OPS ? SCAN_OP_COUNT : s->op_count;
    free.kind_count = which & FREE_KINDS ? SCAN_KIND_COUNT : s->kind_count;
    return free;
}

/* Is the word, a type, an operator or a kind, part of anything that is asked for? */
static bool is_part(const settings *s, const plugin_info *plugin, proof_sort sort, freedom which,
                    uint32_t word)
{
    for (uint32_t d = 0; d < SCAN_DTYPE_COUNT; d++)
        for (uint32_t op = 0; op < SCAN_OP_COUNT; op++)
            for (uint32_t kind = 0; kind < SCAN_KIND_COUNT; kind++) {
                const uint32_t own = which == FREE_TYPES ? d : which == FREE_OPS ? op : kind;
                if (own == word && is_of_sort(d, op, sort) &&
                    choice_is_asked(s, plugin, d, op, kind))
                    return true;
            }
    return false;
}

/* "i32, u32 or f32": what the option would have to name. Returns how many there are. */
static size_t put_words(const settings *s, const plugin_info *plugin, proof_sort sort,
                        freedom which, char *text, size_t size)
{
    const char *(*const name_of)(uint32_t) = which == FREE_TYPES ? dtype_name
                                             : which == FREE_OPS ? op_name
                                                                 : kind_name;
    const uint32_t most = which == FREE_TYPES ? SCAN_DTYPE_COUNT
                          : which == FREE_OPS ? SCAN_OP_COUNT
                                              : SCAN_KIND_COUNT;
    const settings free = with_freedom(s, which);
    uint32_t found[SCAN_DTYPE_COUNT];
    size_t count = 0, used = 0;
    for (uint32_t i = 0; i < most; i++)
        if (is_part(&free, plugin, sort, which, i))
            found[count++] = i;
    *text = '\0';
    for (size_t i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i == 0          ? ""
                                 : i + 1 < count ? ", "
                                                 : " or ",
                                 name_of(found[i]));
    return count;
}

_Static_assert((int)SCAN_OP_COUNT <= (int)SCAN_DTYPE_COUNT &&
                   (int)SCAN_KIND_COUNT <= (int)SCAN_DTYPE_COUNT,
               "there are no more words of any option than types");

void choice_explain(const settings *s, const plugin_info *plugin, proof_sort sort, char *text,
                    size_t size)
{
    static const struct {
        freedom which;
        const char *option;
    } bounds[] = {{FREE_TYPES, "--types"}, {FREE_OPS, "--ops"}, {FREE_KINDS, "--kinds"}};
    char words[160];
    const settings free = with_freedom(s, FREE_ALL);
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        if (put_words(s, plugin, sort, bounds[i].which, words, sizeof words) > 0) {
            snprintf(text, size, "needs %s, which %s leaves out", words, bounds[i].option);
            return;
        }
    snprintf(text, size, "%s",
             choice_has(&free, plugin, sort)
                 ? "--types, --ops and --kinds together leave out all that it needs"
                 : "the plugin declares no type and operator that it needs");
}

void choice_note_others(const settings *s, job *j)
{
    for (size_t i = 0; i < s->type_count; i++)
        j->other_types |= SCAN_BIT(s->types[i]);
    for (size_t i = 0; i < s->op_count; i++)
        j->other_ops |= (uint32_t)SCAN_BIT(s->ops[i]);
    for (size_t i = 0; i < s->kind_count; i++)
        j->other_kinds |= (uint32_t)SCAN_BIT(s->kinds[i]);
}

/* ---- what claims try --------------------------------------------------------- */

bool proof_wants_kind(const proof *p, const job *j, uint32_t kind)
{
    return choice_is_asked(p->s, p->session->plugin, j->dtype, j->op, kind);
}

/* Runs the test with the first kind that is wanted and accepted. */
static proof_verdict with_kinds(proof *p, job j, const proof_subtest *test)
{
    proof_verdict verdict = PROOF_SKIPPED;
    for (j.kind = 0; j.kind < SCAN_KIND_COUNT; j.kind++) {
        if (!proof_wants_kind(p, &j, j.kind))
            continue;
        p->refused = false;
        verdict = test->run(p, j, test->context);
        if (verdict != PROOF_SKIPPED || !p->refused)
            return verdict;
    }
    return verdict;
}

proof_verdict proof_with_type(proof *p, proof_sort sort, const proof_subtest *test)
{
    const plugin_info *plugin = p->session->plugin;
    proof_verdict verdict = PROOF_SKIPPED;
    if (!*p->skipped && !choice_has(p->s, plugin, sort))
        choice_explain(p->s, plugin, sort, p->skipped, sizeof p->skipped);
    for (uint32_t d = 0; d < SCAN_DTYPE_COUNT; d++)
        for (uint32_t op = 0; op < SCAN_OP_COUNT; op++) {
            if (!choice_is_asked_in_a_kind(p->s, plugin, d, op) || !is_of_sort(d, op, sort))
                continue;
            job j = proof_job(p, d, op, 0);
            j.pattern = proof_exact(d, op);
            verdict = with_kinds(p, j, test);
            if (verdict != PROOF_SKIPPED || !p->refused)
                return verdict;
        }
    return verdict;
}

proof_verdict proof_with_telling_types(proof *p, const proof_subtest *test)
{
    static const proof_sort sorts[] = {PROOF_NARROW, PROOF_WIDE, PROOF_ORDERED};
    bool accepted = false;
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++) {
        const proof_verdict verdict = proof_with_type(p, sorts[i], test);
        if (verdict == PROOF_FAILED || verdict == PROOF_INTERRUPTED)
            return verdict;
        accepted |= verdict == PROOF_OK;
    }
    return accepted ? PROOF_OK : PROOF_SKIPPED;
}
