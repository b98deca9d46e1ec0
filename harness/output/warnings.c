#include "output/warnings.h"

#include "text/comma_list.h"
#include "text/fit.h"

#include <inttypes.h>
#include <string.h>

void warnings_add(warnings *w, const measurement *m)
{
    const circumstances *c = &m->circumstances;
    if (m->result.status != ROW_OK || m->phase_count == 0)
        return;
    w->measured++;
    for (int i = 0; i < FLAGS; i++)
        w->counts[i] += circumstances_are(c, (circumstance_flag)i);
    if (c->has_load && c->load > w->most_load)
        w->most_load = c->load;
    if (c->has_steal && c->steal_pct > w->most_steal_pct)
        w->most_steal_pct = c->steal_pct;
    if (c->values[WATCH_GPU_PROCESSES].most > w->gpu_processes)
        w->gpu_processes = c->values[WATCH_GPU_PROCESSES].most;
    w->throttle |= c->values[WATCH_GPU_THROTTLE].bits;
    w->cpus = c->cpus;
    if (circumstances_are(c, FLAG_THREADS) && !*w->threaded) {
        snprintf(w->threaded, sizeof w->threaded, "%s", m->session ? m->session->plugin->id : "?");
        w->threads = c->values[WATCH_THREADS].most;
        w->cores = circumstances_mean(c, WATCH_CORES);
    }
}

/* A library that asks before it starts threads has started none. */
static void put_threads(const warnings *w, size_t count, char text[WARNING_BYTES])
{
    char what[96];
    if (w->threads > w->cores)
        snprintf(what, sizeof what, "%" PRIu32 " threads on %u core%s", w->threads, w->cores,
                 w->cores == 1 ? "" : "s");
    else
        snprintf(what, sizeof what, "asks how many cores it may use, and has %u", w->cores);
    snprintf(
        text, WARNING_BYTES,
        "%zu of %zu configurations would use more cores than they have, flagged threads (%.63s: "
        "%s); a plugin has one core unless a tunable with SCAN_TUNABLE_THREADS (in a peer "
        "CPU_PEER_THREADS) asks for more",
        count, w->measured, w->threaded, what);
}

const char *warnings_text(const warnings *w, circumstance_flag r, char text[WARNING_BYTES])
{
    char reasons[THROTTLE_TEXT_BYTES];
    const size_t count = r < FLAGS ? w->counts[r] : 0;
    *text = '\0';
    if (count == 0)
        return text;
    switch (r) {
    case FLAG_BUSY:
        snprintf(text, WARNING_BYTES,
                 "other programs disturbed %zu of %zu configurations, flagged busy (load up to "
                 "%.1f on %u processing units, stolen time up to %.1f %%)",
                 count, w->measured, w->most_load, w->cpus, w->most_steal_pct);
        break;
    case FLAG_FAULTS:
        snprintf(text, WARNING_BYTES,
                 "page faults are in the times of %zu of %zu configurations, flagged faults", count,
                 w->measured);
        break;
    case FLAG_THROTTLED:
        snprintf(text, WARNING_BYTES,
                 "the GPU lowered its clock during %zu of %zu configurations, flagged throttled "
                 "(%s)",
                 count, w->measured, throttle_text(w->throttle, reasons));
        break;
    case FLAG_GPU_SHARED:
        snprintf(text, WARNING_BYTES,
                 "other processes used the GPU during %zu of %zu configurations, flagged "
                 "gpu_shared (up to %u)",
                 count, w->measured, w->gpu_processes);
        break;
    case FLAG_THREADS:
        put_threads(w, count, text);
        break;
    case FLAGS:
        break;
    }
    return text;
}

void warnings_print(const warnings *w, FILE *out)
{
    for (int i = 0; i < FLAGS; i++) {
        char text[WARNING_BYTES];
        if (*warnings_text(w, (circumstance_flag)i, text))
            fprintf(out, "scanbench: warning: %s\n", text);
    }
}

/* Plugins of one reason that are named; of more, only the first two. */
enum { NAMED = 3 };

static bool same_reason(const session *a, const session *b)
{
    return b->status == ROW_UNAVAILABLE && strcmp(a->reason, b->reason) == 0;
}

/* Has an earlier session the reason of this one, and with `plugin` the plugin too? */
static bool was_before(const session *sessions, size_t i, bool plugin)
{
    for (size_t k = 0; k < i; k++)
        if (same_reason(&sessions[i], &sessions[k]) &&
            (!plugin || strcmp(sessions[i].plugin->id, sessions[k].plugin->id) == 0))
            return true;
    return false;
}

/* Prints all that share the reason of the first. */
static void print_reason(const session *sessions, size_t first, size_t count, size_t columns,
                         FILE *out)
{
    const char *names[NAMED];
    char others[32], named[(NAMED + 1) * 80], text[FAULT_SENTENCE_BYTES + sizeof named + 4];
    size_t sharing = 0;
    for (size_t i = first; i < count; i++)
        if (same_reason(&sessions[first], &sessions[i]) && !was_before(sessions, i, true)) {
            if (sharing < NAMED)
                names[sharing] = sessions[i].plugin->id;
            sharing++;
        }
    snprintf(others, sizeof others, "%zu more", sharing - (NAMED - 1));
    if (sharing > NAMED)
        names[NAMED - 1] = others;
    words_join(names, sharing < NAMED ? sharing : NAMED, ", ", " and ", named, sizeof named);
    snprintf(text, sizeof text, "%s: %s", named, sessions[first].reason);
    fit_print(text, 2, 4, columns, out);
}

void unavailable_print(const session *sessions, size_t count, size_t columns, FILE *out)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (sessions[i].status != ROW_UNAVAILABLE || was_before(sessions, i, false))
            continue;
        if (!any)
            fputs("\nUnavailable:\n", out);
        any = true;
        print_reason(sessions, i, count, columns, out);
    }
}
