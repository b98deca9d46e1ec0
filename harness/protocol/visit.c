#include "protocol/visit.h"

#include <string.h>

/* ---- what is asked for, and what is known then ---- */

/* No visit needs more of anything; a number beyond it is a damaged message. */
enum { MOST = 1 << 24 };
#define MOST_EVENTS (UINT64_C(1) << 40)

#define OF_VISIT(name, from, to) \
    MESSAGE_MEMBER(visit, #name, name), .form = MESSAGE_NUMBER, .least = (from), .most = (to)
static const message_member of_visit[] = {{OF_VISIT(untimed, 0, MOST)},
                                          {OF_VISIT(samples, 1, VISIT_SAMPLES_MOST)},
                                          {OF_VISIT(recorded, 0, VISIT_SAMPLES_MOST)},
                                          {OF_VISIT(trips, 0, VISIT_SAMPLES_MOST)},
                                          {OF_VISIT(batch, 1, MOST)}};
const message_members visit_members = {MESSAGE_MEMBERS(of_visit)};

#define OF_ESTIMATE(name) MESSAGE_MEMBER(visit_estimate, #name, name)
static const message_member of_estimate[] = {
    {OF_ESTIMATE(run_ns), .form = MESSAGE_TIME},
    {OF_ESTIMATE(before_ns), .form = MESSAGE_TIME},
    {OF_ESTIMATE(batch), .form = MESSAGE_NUMBER, .least = 1, .most = MOST},
    {OF_ESTIMATE(spin_ns), .form = MESSAGE_TIME, .sparse = true}};
const message_members visit_estimate_members = {MESSAGE_MEMBERS(of_estimate)};

/* ---- what is seen of the machine ---- */

#define OF_WATCH(name) MESSAGE_MEMBER(watch, #name, name)
static const message_member of_watch[] = {
    {OF_WATCH(ns), .form = MESSAGE_TIME},
    {OF_WATCH(switches), .form = MESSAGE_NUMBER, .least = 0, .most = MOST_EVENTS},
    {OF_WATCH(faults), .form = MESSAGE_NUMBER, .least = 0, .most = MOST_EVENTS}};
static const message_members always = {MESSAGE_MEMBERS(of_watch)};

static const char *const fields[WATCH_VALUES] = {
#define X(name, field) field,
    WATCH_MAP(X)
#undef X
};

static const char *const words[THROTTLE_REASONS] = {
#define X(name, word) word,
    THROTTLE_MAP(X)
#undef X
};

static uint32_t most_of(watch_value_name name)
{
    return name == WATCH_GPU_THROTTLE ? (UINT32_C(1) << THROTTLE_REASONS) - 1 : MOST;
}

void watch_set(watch *w, watch_value_name name, uint32_t value)
{
    if (value <= most_of(name))
        w->values[name] = (watch_value){.known = true, .value = value};
}

void watch_put(FILE *out, const watch *w)
{
    message_put_members(out, &always, w);
    for (int i = 0; i < WATCH_VALUES; i++)
        if (w->values[i].known)
            message_put_u64(out, fields[i], w->values[i].value);
}

bool watch_read(const protocol_message *m, watch *watch_p)
{
    watch w = {.ns = 0};
    if (!message_read_members(m, &always, &w))
        return false;
    for (int i = 0; i < WATCH_VALUES; i++) {
        uint64_t value;
        if (!message_text(m, fields[i]))
            continue;
        if (!message_u64(m, fields[i], &value) || value > most_of((watch_value_name)i))
            return false;
        w.values[i] = (watch_value){.known = true, .value = (uint32_t)value};
    }
    *watch_p = w;
    return true;
}

const char *throttle_text(uint32_t bits, char text[THROTTLE_TEXT_BYTES])
{
    *text = '\0';
    for (int i = 0; i < THROTTLE_REASONS; i++)
        if (bits & UINT32_C(1) << i) {
            const size_t used = strlen(text);
            snprintf(text + used, THROTTLE_TEXT_BYTES - used, "%s%s", used ? ";" : "", words[i]);
        }
    return *text ? text : "none";
}
