#include "protocol/watch.h"

#include <math.h>
#include <string.h>

/* No machine has more of anything; a number beyond it is a damaged message. */
enum { MOST = 1 << 24 };
#define MOST_EVENTS (UINT64_C(1) << 40)

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
    message_put_double(out, "ns", w->ns);
    message_put_u64(out, "switches", w->switches);
    message_put_u64(out, "faults", w->faults);
    for (int i = 0; i < WATCH_VALUES; i++)
        if (w->values[i].known)
            message_put_u64(out, fields[i], w->values[i].value);
}

static bool read_events(const protocol_message *m, const char *key, uint64_t *events_p)
{
    return message_u64(m, key, events_p) && *events_p <= MOST_EVENTS;
}

bool watch_read(const protocol_message *m, watch *watch_p)
{
    watch w = {.ns = 0};
    if (!message_double(m, "ns", &w.ns) || !isfinite(w.ns) || w.ns < 0 ||
        !read_events(m, "switches", &w.switches) || !read_events(m, "faults", &w.faults))
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
