/*
 * choice.c - the types, operators and kinds that a proof may use: what a plugin declares and
 * --types, --ops and --kinds ask for, and which of these stand for the others
 */
#include "problem/names.h"
#include "proof/claim.h"
#include "text/comma_list.h"

#include <stdio.h>

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

enum { WORD_BYTES = 4 };

static bool is_of_sort(uint32_t dtype, uint32_t op, proof_sort sort)
{
    if (sort == PROOF_ANY_TYPE)
        return true;
    if (sort == PROOF_GREATEST || sort == PROOF_LEAST)
        return op_gives(op) == (sort == PROOF_GREATEST ? OP_GREATEST : OP_LEAST);
    if (sort == PROOF_ROUNDED)
        return op_rounds(op, dtype);
    if (!op_commutes(op))
        return sort == PROOF_ORDERED;
    const size_t bytes = dtype_bytes(dtype);
    return sort == (bytes > WORD_BYTES     ? PROOF_WIDE
                    : dtype_is_half(dtype) ? PROOF_HALF
                    : bytes < WORD_BYTES   ? PROOF_PACKED
                                           : PROOF_WORD);
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

/* The options that choose, each with its words. */
typedef enum choice_option { BY_TYPE, BY_OP, BY_KIND, OPTIONS } choice_option;

static const struct {
    const char *option;
    uint32_t count;
    const char *(*name_of)(uint32_t);
} choices[OPTIONS] = {{"--types", SCAN_DTYPE_COUNT, dtype_name},
                      {"--ops", SCAN_OP_COUNT, op_name},
                      {"--kinds", SCAN_KIND_COUNT, kind_name}};

/* The settings with that option asking for everything. */
static settings without(settings s, choice_option which)
{
    uint32_t *values = which == BY_TYPE ? s.types : which == BY_OP ? s.ops : s.kinds;
    for (uint32_t i = 0; i < choices[which].count; i++)
        values[i] = i;
    *(which == BY_TYPE ? &s.type_count
      : which == BY_OP ? &s.op_count
                       : &s.kind_count) = choices[which].count;
    return s;
}

/* Marks the words of that option which are part of anything that is asked for. */
static void find_words(const settings *s, const plugin_info *plugin, proof_sort sort,
                       choice_option which, bool found[SCAN_DTYPE_COUNT])
{
    for (uint32_t d = 0; d < SCAN_DTYPE_COUNT; d++)
        for (uint32_t op = 0; op < SCAN_OP_COUNT; op++)
            for (uint32_t kind = 0; kind < SCAN_KIND_COUNT; kind++) {
                const uint32_t words[OPTIONS] = {d, op, kind};
                if (is_of_sort(d, op, sort) && choice_is_asked(s, plugin, d, op, kind))
                    found[words[which]] = true;
            }
}

_Static_assert((int)SCAN_OP_COUNT <= (int)SCAN_DTYPE_COUNT &&
                   (int)SCAN_KIND_COUNT <= (int)SCAN_DTYPE_COUNT,
               "there are no more words of any option than types");

/* "needs i32, u32 or f32, which --types leaves out", if that option alone leaves out everything. */
static bool explain_option(const settings *s, const plugin_info *plugin, proof_sort sort,
                           choice_option which, char *text, size_t size)
{
    const settings free = without(*s, which);
    bool found[SCAN_DTYPE_COUNT] = {false};
    const char *names[SCAN_DTYPE_COUNT];
    char words[160];
    size_t count = 0;
    find_words(&free, plugin, sort, which, found);
    for (uint32_t i = 0; i < choices[which].count; i++)
        if (found[i])
            names[count++] = choices[which].name_of(i);
    snprintf(text, size, "needs %s, which %s leaves out",
             words_join(names, count, ", ", " or ", words, sizeof words), choices[which].option);
    return count > 0;
}

void choice_explain(const settings *s, const plugin_info *plugin, proof_sort sort, char *text,
                    size_t size)
{
    settings free = *s;
    for (choice_option which = 0; which < OPTIONS; which++) {
        if (explain_option(s, plugin, sort, which, text, size))
            return;
        free = without(free, which);
    }
    snprintf(text, size, "%s",
             choice_has(&free, plugin, sort)
                 ? "--types, --ops and --kinds together leave out all that it needs"
                 : "the plugin declares no type and operator that it needs");
}

/* ---- what claims try --------------------------------------------------------- */

/* Bounds what instances beside that of a job may be of. */
static void note_others(const settings *s, job *j)
{
    for (size_t i = 0; i < s->type_count; i++) {
        uint32_t results[SETTINGS_RESULTS];
        const size_t count = settings_results(s, s->types[i], results);
        j->behave.other_types |= SCAN_BIT(s->types[i]);
        for (size_t k = 0; k < count; k++)
            j->behave.other_results |= SCAN_BIT(result_dtype(s->types[i], results[k]));
    }
    for (size_t i = 0; i < s->op_count; i++)
        j->behave.other_ops |= (uint32_t)SCAN_BIT(s->ops[i]);
    for (size_t i = 0; i < s->kind_count; i++)
        j->behave.other_kinds |= (uint32_t)SCAN_BIT(s->kinds[i]);
}

job proof_job(const proof *p, uint32_t dtype, uint32_t op, uint32_t kind)
{
    const plugin_info *plugin = p->session->plugin;
    job j = {.mode = JOB_CHECK,
             .dtype = dtype,
             .op = op,
             .kind = kind,
             .seed = p->s->seed,
             .run.pattern = INPUT_EXACT,
             .run.repeat = 1,
             .tunable_count = (uint32_t)plugin->tunable_count};
    note_others(p->s, &j);
    for (uint32_t i = 0; i < j.tunable_count; i++)
        j.tunables[i] = plugin->tunables[i].default_value;
    return j;
}

uint32_t proof_exact(uint32_t dtype, uint32_t op)
{
    uint32_t usual = input_default(op);
    input_spec spec = {.dtype = dtype, .op = op, .pattern = usual};
    return input_is_exact(&spec) ? usual : INPUT_EXACT;
}

/* The job with the mode, n, buffers and repetitions of another. */
static job with_those_of(job j, const job *like)
{
    const uint32_t element = (uint32_t)dtype_bytes(j.dtype);
    j.mode = like->mode;
    j.behave.behaviour = like->behave.behaviour;
    j.n = like->n;
    j.rows = like->rows;
    j.inner = like->inner;
    j.run.in_place = like->run.in_place;
    /* In elements: C requires arrays to be aligned for their type. */
    j.run.misalign = like->run.misalign * element;
    j.run.misalign_out = like->run.misalign_out * element;
    j.run.fence = like->run.fence;
    j.run.repeat = like->run.repeat;
    return j;
}

bool proof_wants_kind(const proof *p, const job *j, uint32_t kind)
{
    return choice_is_asked(p->s, p->session->plugin, j->dtype, j->op, kind);
}

/* Runs the test with one kind that is wanted and accepted, the `first` if possible. */
static proof_verdict with_kinds(proof *p, job j, uint32_t first, proof_subtest test)
{
    proof_verdict verdict = PROOF_SKIPPED;
    for (uint32_t i = 0; i < SCAN_KIND_COUNT; i++) {
        j.kind = (first + i) % SCAN_KIND_COUNT;
        if (!proof_wants_kind(p, &j, j.kind))
            continue;
        p->refused = false;
        verdict = test(p, j);
        if (verdict != PROOF_SKIPPED || !p->refused)
            return verdict;
    }
    return verdict;
}

/* The same with a type and operator, and with the special conditions of `like`. */
static proof_verdict with_pair(proof *p, uint32_t dtype, uint32_t op, uint32_t first_kind,
                               proof_subtest test, const job *like)
{
    job j = proof_job(p, dtype, op, 0);
    j.run.pattern = proof_exact(dtype, op);
    return with_kinds(p, like ? with_those_of(j, like) : j, first_kind, test);
}

proof_verdict proof_with_type(proof *p, proof_sort sort, proof_subtest test, const job *like)
{
    const plugin_info *plugin = p->session->plugin;
    proof_verdict verdict = PROOF_SKIPPED;
    if (!*p->skipped && !choice_has(p->s, plugin, sort))
        choice_explain(p->s, plugin, sort, p->skipped, sizeof p->skipped);
    for (uint32_t d = 0; d < SCAN_DTYPE_COUNT; d++)
        for (uint32_t op = 0; op < SCAN_OP_COUNT; op++) {
            if (!choice_is_asked_in_a_kind(p->s, plugin, d, op) || !is_of_sort(d, op, sort))
                continue;
            verdict = with_pair(p, d, op, 0, test, like);
            if (verdict != PROOF_SKIPPED || !p->refused)
                return verdict;
        }
    return verdict;
}

/* ---- every type and operator, where one of them does not stand for the others --- */

typedef bool pair_set[SCAN_DTYPE_COUNT][SCAN_OP_COUNT];

/* Each type with one operator, which they take in turns; then each operator that none took. */
static void choose_each_once(const proof *p, pair_set chosen)
{
    bool taken[SCAN_OP_COUNT] = {false};
    uint32_t turn = 0;
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t d = 0; d < SCAN_DTYPE_COUNT; d++)
            for (uint32_t i = 0, found = 0; i < SCAN_OP_COUNT && !found; i++) {
                const uint32_t op = (turn + i) % SCAN_OP_COUNT;
                found = choice_is_asked_in_a_kind(p->s, p->session->plugin, d, op) &&
                        (round == 0 || !taken[op]);
                if (found) {
                    chosen[d][op] = taken[op] = true;
                    turn = op + 1;
                }
            }
}

static void choose_all(const proof *p, pair_set chosen)
{
    for (uint32_t d = 0; d < SCAN_DTYPE_COUNT; d++)
        for (uint32_t op = 0; op < SCAN_OP_COUNT; op++)
            chosen[d][op] = choice_is_asked_in_a_kind(p->s, p->session->plugin, d, op);
}

proof_verdict proof_with_telling_types(proof *p, proof_subtest test, const job *like)
{
    static const proof_sort sorts[] = {PROOF_WORD, PROOF_PACKED, PROOF_HALF, PROOF_WIDE,
                                       PROOF_ORDERED};
    bool accepted = false;
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++) {
        const proof_verdict verdict = proof_with_type(p, sorts[i], test, like);
        if (proof_is_over(verdict))
            return verdict;
        accepted |= verdict == PROOF_OK;
    }
    return accepted ? PROOF_OK : PROOF_SKIPPED;
}

static proof_verdict briefly(proof *p, pair_set chosen, proof_subtest test, const job *like)
{
    proof_verdict verdict = PROOF_SKIPPED;
    bool accepted = false;
    uint32_t kind = 0;
    p->brief = true;
    for (uint32_t i = 0; i < SCAN_DTYPE_COUNT * SCAN_OP_COUNT && !proof_is_over(verdict); i++) {
        const uint32_t d = i / SCAN_OP_COUNT, op = i % SCAN_OP_COUNT;
        if (!chosen[d][op])
            continue;
        verdict = with_pair(p, d, op, kind++ % SCAN_KIND_COUNT, test, like);
        accepted |= verdict == PROOF_OK;
    }
    p->brief = false;
    return proof_is_over(verdict) ? verdict : accepted ? PROOF_OK : PROOF_SKIPPED;
}

proof_verdict proof_with_each_type(proof *p, proof_subtest test, const job *like)
{
    pair_set chosen = {{false}};
    choose_each_once(p, chosen);
    return briefly(p, chosen, test, like);
}

proof_verdict proof_with_each_pair(proof *p, proof_subtest test, const job *like)
{
    pair_set chosen;
    choose_all(p, chosen);
    return briefly(p, chosen, test, like);
}

proof_verdict proof_then(proof *p, proof_verdict first, proof_selection others, proof_subtest test,
                         const job *like)
{
    if (proof_is_over(first))
        return first;
    const proof_verdict verdict = others(p, test, like);
    return proof_is_over(verdict) || first == PROOF_SKIPPED ? verdict : first;
}
