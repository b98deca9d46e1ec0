#include "recipes/judged_value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rows being found, at one value of the loops. */
typedef struct finding {
    const loops *over;
    const loop_values *at;
    bool sequential;
    char *problem;
} finding;

/* The first property in which two rows are no rivals; NULL if they are. */
static const char *other_problem(const result_row *a, const result_row *b)
{
    return a->n != b->n                                    ? "n"
           : strcmp(a->dtype, b->dtype) != 0               ? "dtype"
           : *a->op && *b->op && strcmp(a->op, b->op) != 0 ? "op"
           : *a->kinds && *b->kinds && strcmp(a->kinds, b->kinds) != 0
               ? (strcmp(a->kind, b->kind) != 0 ? "kind" : "kinds")
           : strcmp(a->cache, b->cache) != 0 ? "cache"
                                             : NULL;
}

static void complain(const finding *j, const formula_selector *s, const char *what)
{
    if (!*j->problem)
        snprintf(j->problem, JUDGED_PROBLEM_BYTES, "%s %s", s->text, what);
}

/* How many others cannot be told from the best. */
static size_t count_tied(const finding *j, size_t selector, const result_row *best)
{
    size_t at = 0, tied = 0;
    for (const result_row *row; (row = loops_next(j->over, selector, j->at, &at));) {
        const report_ratio ratio = ratio_of(row, best, j->sequential);
        tied += row != best && ratio.has_interval && ratio.lo <= 1;
    }
    return tied;
}

/* The row that a selector means; NULL if there is none, or not one. */
static const result_row *choose(const finding *j, size_t selector, size_t *tied_p)
{
    const formula_selector *s = &j->over->f->selectors[selector];
    const result_row *best = NULL;
    size_t count = 0, at = 0;
    char what[160];
    for (const result_row *row; (row = loops_next(j->over, selector, j->at, &at)); count++) {
        const char *other = best ? other_problem(best, row) : NULL;
        if (other) {
            snprintf(what, sizeof what,
                     "means rows of more than one %s; name it, or write \"for each %s: ...\"",
                     other, other);
            complain(j, s, what);
            return NULL;
        }
        if (!best || row->median_ns < best->median_ns)
            best = row;
    }
    if (count > 1 && !s->is_best) {
        snprintf(what, sizeof what, "means %zu rows; name a setting, or write best(...)", count);
        complain(j, s, what);
        return NULL;
    }
    *tied_p = count > 1 ? count_tied(j, selector, best) : 0;
    return best;
}

/* A sum of logarithms with its interval. */
typedef struct sum {
    double middle, below, above; /* the distances to the limits, squared */
    bool has_interval;
    ratio_doubt doubt;
} sum;

static void add_ratio(sum *to, const report_ratio *ratio)
{
    to->middle += log(ratio->ratio);
    if (!ratio->has_interval) {
        to->has_interval = false;
        to->doubt = ratio->doubt;
        return;
    }
    to->below += pow(log(ratio->ratio / ratio->lo), 2);
    to->above += pow(log(ratio->hi / ratio->ratio), 2);
}

/* A time of its own: its interval holds within this run. */
static report_ratio alone(const result_row *row, bool divides)
{
    const verdict_estimate *e = &row->absolute;
    report_ratio ratio = {.ratio = row->median_ns, .doubt = RATIO_DOUBT_NO_ROUNDS};
    if (e->known)
        ratio = (report_ratio){
            .ratio = row->median_ns, .lo = exp(e->lo), .hi = exp(e->hi), .has_interval = true};
    return divides ? ratio_inverse(ratio) : ratio;
}

/* The number of a time below the line to divide by: one of the same rounds if there is one. */
static size_t partner_of(const finding *j, const judged_value *v, size_t factor, const bool *used)
{
    size_t found = FORMULA_FACTORS;
    for (size_t k = 0; k < j->over->f->count; k++) {
        if (used[k] || !j->over->f->selectors[k].divides)
            continue;
        if (ratio_of(v->rows[factor], v->rows[k], j->sequential).has_interval)
            return k;
        found = found == FORMULA_FACTORS ? k : found;
    }
    return found;
}

/* What is on the left, with its interval. */
static report_ratio ratio_at(const finding *j, const judged_value *v)
{
    bool used[FORMULA_FACTORS] = {false};
    sum total = {.has_interval = true};
    size_t ratios = 0;
    report_ratio only = {.ratio = 0};
    for (size_t i = 0; i < j->over->f->count; i++) {
        if (j->over->f->selectors[i].divides)
            continue;
        const size_t k = partner_of(j, v, i, used);
        used[i] = true;
        if (k < FORMULA_FACTORS)
            used[k] = true;
        only = k < FORMULA_FACTORS ? ratio_of(v->rows[i], v->rows[k], j->sequential)
                                   : alone(v->rows[i], false);
        add_ratio(&total, &only);
        ratios++;
    }
    for (size_t i = 0; i < j->over->f->count; i++)
        if (!used[i]) {
            only = alone(v->rows[i], true);
            add_ratio(&total, &only);
            ratios++;
        }
    if (ratios == 1)
        return only;
    report_ratio ratio = {
        .ratio = exp(total.middle), .has_interval = total.has_interval, .doubt = total.doubt};
    if (total.has_interval) {
        ratio.lo = exp(total.middle - sqrt(total.below));
        ratio.hi = exp(total.middle + sqrt(total.above));
    }
    return ratio;
}

bool judged_value_find(
    const loops *over, const loop_values *at, bool sequential, judged_value *v,
    char problem[JUDGED_PROBLEM_BYTES]) /* NOLINT(readability-non-const-parameter) */
{
    const finding j = {.over = over, .at = at, .sequential = sequential, .problem = problem};
    for (size_t i = 0; i < over->f->count; i++) {
        v->rows[i] = choose(&j, i, &v->tied[i]);
        if (!v->rows[i])
            return false;
    }
    loops_describe(over->f, at, v->where, sizeof v->where);
    v->ratio = ratio_at(&j, v);
    return true;
}
