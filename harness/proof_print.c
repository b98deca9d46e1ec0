#include "proof_print.h"

#include <inttypes.h>
#include <stdio.h>

void proof_print_text(const char *key, const char *value)
{
    printf("  %s: '", key);
    for (const char *c = value; *c; c++) {
        if (*c == '\'')
            putchar('\'');
        putchar(*c == '\n' ? ' ' : *c);
    }
    puts("'");
}

/* The command that does the failed job again: the claim, where --sizes does not say all
 * of it. */
static void print_command(const proof *p, const proof_claim *claim)
{
    const job *j = &p->failure.job;
    const catalog_plugin *plugin = p->lane->plugin;
    if (j->mode == JOB_BEHAVE || j->in_place || j->misalign || j->repeat > 1) {
        printf("  repeat: \"scanbench validate %s --claims %s --seed %" PRIu64 "\"\n", plugin->file,
               claim->name, j->seed);
        return;
    }
    printf("  repeat: \"scanbench validate %s --types %s", plugin->file, dtype_name(j->dtype));
    if (plugin->role != SCAN_ROLE_CEILING)
        printf(" --ops %s --kinds %s", op_name(j->op), kind_name(j->kind));
    printf(" --sizes %" PRIu64 " --seed %" PRIu64 " --pattern %s", j->n, j->seed,
           pattern_name(j->pattern));
    if (j->pattern == INPUT_IMPULSE)
        printf(":%" PRIu64, j->position);
    for (uint32_t i = 0; i < j->tunable_count; i++)
        printf(" --set %s=%" PRId64, plugin->tunables[i].name, j->tunables[i]);
    puts("\"");
}

void proof_print_failure(const proof *p, const proof_claim *claim)
{
    const lane_result *r = &p->failure.result;
    puts("  ---");
    proof_print_text("claim", claim->name);
    proof_print_text("status", r->status);
    proof_print_text("reason", r->reason);
    if (*r->first_bad) {
        proof_print_text("first_bad_index", r->first_bad);
        proof_print_text("got", r->got);
        proof_print_text("expected", r->expected);
    }
    printf("  seed: %" PRIu64 "\n", p->failure.job.seed);
    if (p->failure.job.in_place || p->failure.job.misalign || p->failure.job.repeat > 1)
        printf("  with: 'in_place=%u misalign=%u repeat=%u'\n", p->failure.job.in_place,
               p->failure.job.misalign, p->failure.job.repeat);
    print_command(p, claim);
    puts("  ...");
}
