#include "worker/describe.h"

#include "protocol/message.h"

static void begin(const description *to, const char *verb)
{
    message_begin(to->out, verb);
    message_put_u64(to->out, "serial", to->serial);
}

static void describe_tunable(const description *to, const scan_tunable *t)
{
    FILE *out = to->out;
    begin(to, "tunable");
    message_put_text(out, "name", t->name);
    message_put_text(out, "summary", t->summary);
    message_put_u64(out, "flags", t->flags);
    message_put_i64_list(out, "default", &t->default_value, 1);
    message_put_i64_list(out, "min", &t->min, 1);
    message_put_i64_list(out, "max", &t->max, 1);
    message_put_i64_list(out, "values", t->values, t->values ? t->value_count : 0);
    message_end(out);
}

/* Sends the op, kinds and dtypes of each entry as one list. */
static void describe_ops(FILE *out, const scan_plugin *p)
{
    int64_t numbers[3 * SCAN_MAX_OP_ENTRIES];
    size_t count = 0;
    for (int i = 0; i < SCAN_MAX_OP_ENTRIES; i++)
        if (p->ops[i].kinds) {
            numbers[count++] = p->ops[i].op;
            numbers[count++] = p->ops[i].kinds;
            numbers[count++] = (int64_t)p->ops[i].dtypes;
        }
    message_put_i64_list(out, "ops", numbers, count);
}

bool worker_describe(const loader_module *module, const description *to)
{
    FILE *out = to->out;
    for (size_t i = 0; i < module->count; i++) {
        const scan_plugin *p = &module->plugins[i];
        begin(to, "plugin");
        message_put_text(out, "id", p->id);
        message_put_text(out, "name", p->name);
        message_put_text(out, "version", p->version);
        message_put_text(out, "summary", p->summary);
        message_put_text(out, "reference", p->reference);
        message_put_text(out, "backend", p->backend);
        message_put_u64(out, "role", p->role);
        message_put_u64(out, "flags", p->flags);
        describe_ops(out, p);
        message_put_u64(out, "max_n", p->max_n);
        message_put_u64(out, "tile", p->tile);
        message_put_u64(out, "device_memory", p->memory != NULL);
        message_put_u64(out, "in_parts", module->parts[i].run != NULL);
        message_put_u64(out, "in_ranks", module->ranks[i].join != NULL);
        message_put_u64(out, "layout", module->parts[i].layout);
        message_end(out);
        for (size_t k = 0; k < p->tunable_count; k++)
            describe_tunable(to, &p->tunables[k]);
    }
    begin(to, "end");
    return message_end(out);
}
