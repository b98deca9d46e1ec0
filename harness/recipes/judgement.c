#include "recipes/judgement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORD(name, word) [JUDGEMENT_##name] = word,
const char *judgement_word(judgement j)
{
    static const char *const words[] = {JUDGEMENT_MAP(WORD)};
    return words[j];
}
#undef WORD

/* A formula being judged. */
typedef struct judging {
    const formula *f;
    const loops *over;
    bool sequential;
    judged_expectation *to;
} judging;

static bool is_less(formula_compare compare)
{
    return compare == FORMULA_LESS || compare == FORMULA_AT_MOST;
}

/* Does a value meet the comparison? */
static bool meets(formula_compare compare, double value, double limit)
{
    switch (compare) {
    case FORMULA_LESS:
        return value < limit;
    case FORMULA_AT_MOST:
        return value <= limit;
    case FORMULA_MORE:
        return value > limit;
    case FORMULA_AT_LEAST:
        break;
    }
    return value >= limit;
}

static judgement judge_value(const formula *f, const report_ratio *v)
{
    const bool less = is_less(f->compare);
    if (!v->has_interval)
        return JUDGEMENT_UNKNOWN;
    if (meets(f->compare, less ? v->hi : v->lo, f->limit))
        return JUDGEMENT_HOLDS;
    return meets(f->compare, less ? v->lo : v->hi, f->limit) ? JUDGEMENT_UNKNOWN : JUDGEMENT_FAILS;
}

/* One value of the loops; false if a selector has no row there. */
static bool take_value(const judging *j, const loop_values *b, judged_value *v)
{
    *v = (judged_value){.judgement = JUDGEMENT_UNKNOWN};
    if (!judged_value_find(j->over, b, j->sequential, v, j->to->problem))
        return false;
    v->judgement = judge_value(j->f, &v->ratio);
    v->by_medians =
        meets(j->f->compare, v->ratio.ratio, j->f->limit) ? JUDGEMENT_HOLDS : JUDGEMENT_FAILS;
    return true;
}

/* The p-value of a value that fails: the standard error is that of the side towards the limit. */
static double p_of(const formula *f, const report_ratio *v)
{
    const double d = fabs(log(v->ratio / f->limit));
    const double half = is_less(f->compare) ? log(v->ratio / v->lo) : log(v->hi / v->ratio);
    return half > 0 ? erfc(1.959963984540054 * d / half / sqrt(2)) : 0;
}

/* Of many values some fail by chance. SCAN_OK or SCAN_NO_MEMORY. */
static scan_status correct(const formula *f, judged_expectation *to)
{
    verdict_outcome *outcomes = calloc(to->count + 1, sizeof *outcomes);
    verdict_outcome **family = calloc(to->count + 1, sizeof *family);
    for (size_t i = 0; outcomes && family && i < to->count; i++) {
        const judged_value *v = &to->values[i];
        family[i] = &outcomes[i];
        outcomes[i].has_interval = v->ratio.has_interval;
        outcomes[i].verdict =
            v->judgement == JUDGEMENT_FAILS ? VERDICT_SLOWER : VERDICT_INCONCLUSIVE;
        outcomes[i].p = v->judgement == JUDGEMENT_FAILS ? p_of(f, &v->ratio) : 1;
    }
    if (outcomes && family)
        verdict_holm(family, to->count);
    for (size_t i = 0; outcomes && family && i < to->count; i++)
        if (to->values[i].judgement == JUDGEMENT_FAILS && outcomes[i].verdict != VERDICT_SLOWER) {
            to->values[i].judgement = JUDGEMENT_UNKNOWN;
            to->values[i].is_uncertain = true;
        }
    const bool good = outcomes && family;
    free(outcomes);
    free(family);
    return good ? SCAN_OK : SCAN_NO_MEMORY;
}

/* All have to hold. */
static judgement together(judgement a, judgement b)
{
    if (a == JUDGEMENT_FAILS || b == JUDGEMENT_FAILS)
        return JUDGEMENT_FAILS;
    if (a == JUDGEMENT_UNMEASURED && b == JUDGEMENT_UNMEASURED)
        return JUDGEMENT_UNMEASURED;
    return a == JUDGEMENT_HOLDS && b == JUDGEMENT_HOLDS ? JUDGEMENT_HOLDS : JUDGEMENT_UNKNOWN;
}

static scan_status judge_values(const judging *j)
{
    judged_expectation *to = j->to;
    to->values = calloc(j->over->count + 1, sizeof *to->values);
    if (!to->values)
        return SCAN_NO_MEMORY;
    for (size_t i = 0; i < j->over->count; i++) {
        const bool taken = take_value(j, &j->over->list[i], &to->values[to->count]);
        to->count += taken;
        to->left_out += !taken;
    }
    if (correct(j->f, to) != SCAN_OK)
        return SCAN_NO_MEMORY;
    to->judgement = to->count > 0  ? to->values[0].judgement
                    : *to->problem ? JUDGEMENT_UNKNOWN
                                   : JUDGEMENT_UNMEASURED;
    for (size_t i = 1; i < to->count; i++)
        to->judgement = together(to->judgement, to->values[i].judgement);
    if (*to->problem && to->judgement == JUDGEMENT_HOLDS)
        to->judgement = JUDGEMENT_UNKNOWN;
    return SCAN_OK;
}

static scan_status judge_expectation(const report *r, size_t file, const recipe_expectation *e,
                                     judged_expectation *to)
{
    loops over;
    const judging j = {
        .f = &e->formula, .over = &over, .sequential = r->files[file].info.sequential, .to = to};
    to->expectation = e;
    to->judgement = JUDGEMENT_UNMEASURED;
    scan_status status = loops_make(r, file, &e->formula, &over);
    if (status != SCAN_OK)
        return status;
    if (over.is_measured)
        status = judge_values(&j);
    loops_free(&over);
    return status;
}

/* What the medians say where there are no intervals; UNKNOWN if that is not the reason. */
static judgement by_medians(const judged_claim *c)
{
    judgement all = JUDGEMENT_HOLDS;
    for (size_t i = 0; i < c->count; i++) {
        const judged_expectation *e = &c->expectations[i];
        if (*e->problem || e->count == 0)
            return JUDGEMENT_UNKNOWN;
        for (size_t k = 0; k < e->count; k++) {
            if (e->values[k].ratio.has_interval)
                return JUDGEMENT_UNKNOWN;
            if (e->values[k].by_medians == JUDGEMENT_FAILS)
                all = JUDGEMENT_FAILS;
        }
    }
    return all;
}

static scan_status judge_claim(const report *r, size_t file, const recipe_claim *c,
                               judged_claim *to)
{
    scan_status status = SCAN_OK;
    *to = (judged_claim){.claim = c, .file = file};
    to->expectations = calloc(c->count + 1, sizeof *to->expectations);
    if (!to->expectations)
        return SCAN_NO_MEMORY;
    for (; to->count < c->count && status == SCAN_OK; to->count++) {
        judged_expectation *e = &to->expectations[to->count];
        status = judge_expectation(r, file, &c->expectations[to->count], e);
        to->judgement = to->count == 0 ? e->judgement : together(to->judgement, e->judgement);
    }
    to->by_medians = to->judgement == JUDGEMENT_UNKNOWN ? by_medians(to) : JUDGEMENT_UNKNOWN;
    return status;
}

scan_status judged_make(const report *r, size_t file, const recipe *from, judged_claim **claims_p)
{
    judged_claim *claims = calloc(from->count + 1, sizeof *claims);
    scan_status status = claims ? SCAN_OK : SCAN_NO_MEMORY;
    for (size_t i = 0; i < from->count && status == SCAN_OK; i++)
        status = judge_claim(r, file, &from->claims[i], &claims[i]);
    if (status == SCAN_OK)
        *claims_p = claims;
    else if (claims)
        judged_free(claims, from->count);
    return status;
}

void judged_free(judged_claim *claims, size_t count)
{
    for (size_t i = 0; claims && i < count; i++) {
        for (size_t k = 0; k < claims[i].count; k++)
            free(claims[i].expectations[k].values);
        free(claims[i].expectations);
    }
    free(claims);
}

const char *judged_doubt(const judged_value *v)
{
    if (v->judgement != JUDGEMENT_UNKNOWN)
        return "";
    if (!v->ratio.has_interval)
        return ratio_doubt_text(v->ratio.doubt);
    return v->is_uncertain ? verdict_reason_text(VERDICT_FOR_FAMILY)
                           : "the interval holds the limit";
}
