#include "commands/paired_study.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Cuts "PLUGIN:NAME=VALUE,..." at its colon, if a setting follows, and adds the settings. */
static scan_status read_side(const options *o, const char *operand, study_side *side, errmsg *error)
{
    side->options = *o;
    side->text = strdup(operand);
    if (!side->text)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    side->options.plugins.list = side->text;
    char *colon = strrchr(side->text, ':');
    if (!colon || !strchr(colon, '=') || strchr(colon, '/'))
        return SCAN_OK;
    *colon = '\0';
    for (char *rest = colon; rest;) {
        char *item = rest + 1;
        option_sets *sets = &side->options.grid.sets;
        rest = strchr(item, ',');
        if (rest)
            *rest = '\0';
        if (!strchr(item, '='))
            return errmsg_set(error, SCAN_INVALID,
                              "%s: \"%s\" is no setting; write PLUGIN:NAME=VALUE,NAME=VALUE",
                              operand, item);
        if (sets->count == OPTIONS_SETS)
            return errmsg_set(error, SCAN_INVALID, "%s: there are more than %d settings", operand,
                              OPTIONS_SETS);
        sets->items[sets->count++] = item;
    }
    return SCAN_OK;
}

/* Moves the sessions of both sides into one array, which a group refers to. */
static scan_status join_sessions(paired_study *d)
{
    size_t count = 0;
    for (size_t i = 0; i < STUDY_SIDES; i++)
        count += d->sides[i].study.session_set.count;
    d->sessions = calloc(count + 1, sizeof *d->sessions);
    if (!d->sessions)
        return SCAN_NO_MEMORY;
    for (size_t i = 0; i < STUDY_SIDES; i++) {
        study_side *side = &d->sides[i];
        session_set *set = &side->study.session_set;
        side->first = d->session_count;
        for (size_t k = 0; k < set->count; k++)
            d->sessions[d->session_count++] = set->sessions[k];
        plan_move(&side->study.plan, d->sessions + side->first);
        free(set->sessions);
        set->sessions = NULL;
        set->count = 0;
    }
    return SCAN_OK;
}

int paired_study_open(const options *o, paired_study *paired_p, errmsg *error)
{
    *paired_p = (paired_study){0};
    if (o->argument_count != STUDY_SIDES) {
        errmsg_set(error, SCAN_INVALID,
                   "compare --in-run needs two plugins: scanbench compare --in-run OLD.so NEW.so");
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < STUDY_SIDES; i++)
        if (read_side(o, o->arguments[i], &paired_p->sides[i], error) != SCAN_OK)
            return EXIT_USAGE;
    for (size_t i = 0; i < STUDY_SIDES; i++) {
        study_side *side = &paired_p->sides[i];
        side->study.in_run = true;
        const int status = study_open(&side->options, &side->study, error);
        if (status != EXIT_GOOD)
            return status;
    }
    if (join_sessions(paired_p) != SCAN_OK) {
        errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
        return EXIT_USAGE;
    }
    return EXIT_GOOD;
}

void paired_study_close(paired_study *d)
{
    for (size_t i = 0; i < d->session_count; i++)
        session_close(&d->sessions[i]);
    free(d->sessions);
    for (size_t i = 0; i < STUDY_SIDES; i++) {
        study_close(&d->sides[i].study);
        free(d->sides[i].text);
    }
    *d = (paired_study){0};
}

/* The first configuration from `at` on with another problem. */
static size_t end_of(const plan *p, size_t at)
{
    const configuration first = plan_get(p, at);
    size_t end = at + 1;
    for (; end < p->count; end++) {
        const configuration next = plan_get(p, end);
        if (!job_same_problem(&first.job, &next.job))
            break;
    }
    return end;
}

scan_status paired_study_match(const paired_study *d, study_pair **pairs_p, size_t *count_p,
                               errmsg *error)
{
    const plan *one = &d->sides[0].study.plan, *other = &d->sides[1].study.plan;
    study_pair *pairs = calloc(one->count + other->count + 1, sizeof *pairs);
    size_t count = 0, i = 0, k = 0;
    if (!pairs)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    while (i < one->count && k < other->count) {
        const size_t i_end = end_of(one, i), k_end = end_of(other, k);
        const size_t ones = i_end - i, others = k_end - k;
        const configuration c = plan_get(one, i);
        if (ones != others && ones != 1 && others != 1) {
            free(pairs);
            return errmsg_set(error, SCAN_INVALID,
                              "at n=%" PRIu64 " %s has %zu configurations and %s has %zu; name one "
                              "plugin (FILE:ID) and one setting (PLUGIN:NAME=VALUE) of each",
                              c.job.n, d->sides[0].options.plugins.list, ones,
                              d->sides[1].options.plugins.list, others);
        }
        const size_t most = ones > others ? ones : others;
        for (size_t at = 0; at < most; at++)
            pairs[count++] = (study_pair){{i + (ones > 1 ? at : 0), k + (others > 1 ? at : 0)}};
        i = i_end;
        k = k_end;
    }
    *pairs_p = pairs;
    *count_p = count;
    return SCAN_OK;
}
