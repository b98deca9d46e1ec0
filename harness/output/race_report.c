#include "output/race_report.h"

#include "problem/names.h"
#include "sweep/race.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTING_BYTES = 256, TIES_SHOWN = 8 };

/* "block=256 vt=16" */
static const char *setting_of(const group_entry *m, char text[SETTING_BYTES])
{
    const plugin_info *p = m->measurement.session->plugin;
    size_t used = 0;
    *text = '\0';
    for (uint32_t i = 0; i < m->configuration.job.tunable_count && used < SETTING_BYTES; i++)
        used +=
            (size_t)snprintf(text + used, SETTING_BYTES - used, "%s%s=%" PRId64, used ? " " : "",
                             p->tunables[i].name, m->configuration.job.tunables[i]);
    return text;
}

static bool is_default(const group_entry *m)
{
    const plugin_info *p = m->measurement.session->plugin;
    for (uint32_t i = 0; i < m->configuration.job.tunable_count; i++)
        if (m->configuration.job.tunables[i] != p->tunables[i].default_value)
            return false;
    return true;
}

static void print_time(double ns, char *text, size_t size)
{
    const char *unit = ns < 1e3 ? "ns" : ns < 1e6 ? "us" : ns < 1e9 ? "ms" : "s";
    const double of = ns < 1e3 ? 1 : ns < 1e6 ? 1e3 : ns < 1e9 ? 1e6 : 1e9;
    snprintf(text, size, "%.4g %s", ns / of, unit);
}

/* A setting beside the best. */
static void print_beside(const char *label, const group_entry *m, const stats_rounds *ratio,
                         FILE *out)
{
    char text[SETTING_BYTES];
    fprintf(out, "  %-9s %-36s %+6.1f %%", label, setting_of(m, text), 100 * (ratio->median - 1));
    if (ratio->has_ci)
        fprintf(out, "  (%+.1f to %+.1f)", 100 * (ratio->lo - 1), 100 * (ratio->hi - 1));
    fputc('\n', out);
}

/* What became of the settings of one session. */
typedef struct outcome {
    size_t tried, refused, failed, slower, undecided;
    const group_entry *ties[TIES_SHOWN];
    stats_rounds tie_ratios[TIES_SHOWN];
    size_t tied;
    const group_entry *own; /* the plugin's own setting, or NULL */
} outcome;

static void add_tie(outcome *o, const group_entry *m, const stats_rounds *ratio)
{
    if (o->tied < TIES_SHOWN) {
        o->ties[o->tied] = m;
        o->tie_ratios[o->tied] = *ratio;
    }
    o->tied++;
}

static outcome outcome_of(const group *g, const group_entry *best)
{
    outcome o = {0};
    for (size_t i = 0; i < g->count; i++) {
        const group_entry *m = &g->members[i];
        const row_status status = m->measurement.result.status;
        if (m->configuration.session != best->configuration.session || m->guest)
            continue;
        o.tried++;
        o.refused += status == ROW_UNSUPPORTED || status == ROW_SKIPPED;
        o.failed += row_status_is_failure(status);
        if (is_default(m))
            o.own = m;
        if (status != ROW_OK || m == best)
            continue;
        const stats_rounds ratio = race_ratio(m, best);
        if (!m->dropped && !ratio.has_ci)
            o.undecided++;
        else if (!m->dropped && ratio.lo <= 1)
            add_tie(&o, m, &ratio);
        else
            o.slower++;
    }
    return o;
}

static void print_head(const group_entry *best, FILE *out)
{
    const session *s = best->measurement.session;
    const job *j = &best->configuration.job;
    const bool copies = measurement_is_ceiling(&best->measurement);
    fprintf(out, "%s on %s: %s%s%s%s%s, n = %" PRIu64 "\n", s->plugin->id, s->device.name,
            dtype_name(j->dtype), copies ? "" : " ", copies ? "" : op_name(j->op),
            copies ? "" : " ", copies ? "" : kind_name(j->kind), j->n);
}

static void print_own(const outcome *o, const group_entry *best, FILE *out)
{
    if (!o->own || o->own == best || o->own->measurement.result.status != ROW_OK)
        return;
    const stats_rounds ratio = race_ratio(o->own, best);
    if (ratio.n > 0)
        print_beside("default", o->own, &ratio, out);
}

static void print_outcome(const group *g, const group_entry *best, FILE *out)
{
    char text[SETTING_BYTES], time[32];
    const outcome o = outcome_of(g, best);
    const measurement_phase *run = measurement_run(&best->measurement);
    print_head(best, out);
    print_time(run->interval.median, time, sizeof time);
    if (best->configuration.job.tunable_count == 0) {
        fprintf(out, "  no tunables, so nothing to choose: %s\n\n", time);
        return;
    }
    fprintf(out, "  %-9s %-36s %s%s\n", "best", setting_of(best, text), time,
            o.own == best ? ", the default" : "");
    for (size_t i = 0; i < o.tied && i < TIES_SHOWN; i++)
        print_beside("tied", o.ties[i], &o.tie_ratios[i], out);
    if (o.tied > TIES_SHOWN)
        fprintf(out, "  %-9s %zu more\n", "tied", o.tied - TIES_SHOWN);
    print_own(&o, best, out);
    fprintf(out, "  %zu setting%s: 1 best, %zu tied with it, %zu slower", o.tried,
            o.tried == 1 ? "" : "s", o.tied, o.slower);
    if (o.undecided)
        fprintf(out, ", %zu measured too rarely to tell (--time-limit)", o.undecided);
    if (o.refused)
        fprintf(out, ", %zu refused", o.refused);
    if (o.failed)
        fprintf(out, ", %zu failed", o.failed);
    fputs("\n\n", out);
}

/* Is m the first of its session? */
static bool is_first(const group *g, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (g->members[i].configuration.session == g->members[at].configuration.session)
            return false;
    return true;
}

/* Why there is no best; of the session's first setting. */
static void print_nothing(const group_entry *m, FILE *out)
{
    const job_result *r = &m->measurement.result;
    if (r->status == ROW_OK) {
        fputs("  no setting was measured often enough to tell: raise --time-limit\n\n", out);
        return;
    }
    char reason[FAULT_SENTENCE_BYTES];
    fprintf(out, "  no setting was measured; of the first: %s: %s\n\n", row_status_word(r->status),
            fault_text(&r->fault, reason, sizeof reason));
}

void race_report_print(const group *g, FILE *out)
{
    for (size_t i = 0; i < g->count; i++) {
        const group_entry *m = &g->members[i];
        if (m->guest || !is_first(g, i))
            continue;
        const group_entry *best = race_best(g, m);
        if (best) {
            print_outcome(g, best, out);
            continue;
        }
        print_head(m, out);
        print_nothing(m, out);
    }
}
