#include "validate.h"

#include "interrupt.h"
#include "plan.h"
#include "proof_print.h"
#include "roster.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One TAP point: a claim about a lane, for one dtype and op if it is per op. */
typedef struct point {
    size_t lane;
    const proof_claim *claim; /* NULL: the lane is not available */
    uint32_t dtype, op;
} point;

typedef struct validation {
    const options *o;
    settings settings;
    roster roster;
    point *points;
    size_t count, capacity;
    size_t failed;
    char message[1200];
} validation;

static bool add_point(validation *v, point p)
{
    if (v->count == v->capacity) {
        size_t capacity = v->capacity ? 2 * v->capacity : 64;
        point *points = realloc(v->points, capacity * sizeof *points);
        if (!points)
            return false;
        v->points = points;
        v->capacity = capacity;
    }
    v->points[v->count++] = p;
    return true;
}

static bool listed(const uint32_t *values, size_t count, uint32_t value)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] == value)
            return true;
    return false;
}

/* A claim once, or for each dtype and op that is declared and asked for. */
static bool add_claim(validation *v, size_t at, const proof_claim *claim)
{
    const catalog_plugin *p = v->roster.lanes[at].plugin;
    const settings *s = &v->settings;
    bool ceiling = p->role == SCAN_ROLE_CEILING;
    if (claim->applies && !claim->applies(p))
        return true;
    if (!claim->per_op)
        return add_point(v, (point){.lane = at, .claim = claim});
    for (uint32_t d = 0; d < SCAN_DTYPE_COUNT; d++)
        for (uint32_t op = 0; op < SCAN_OP_COUNT; op++) {
            bool first = op == SCAN_OP_SUM || op == SCAN_OP_AFFINE;
            bool declared = ceiling ? first : (p->ops & SCAN_BIT(op)) != 0;
            bool asked =
                listed(s->types, s->type_count, d) && (ceiling || listed(s->ops, s->op_count, op));
            if (declared && asked && p->dtypes & SCAN_BIT(d) && op_takes_dtype(op, d) &&
                !add_point(v, (point){.lane = at, .claim = claim, .dtype = d, .op = op}))
                return false;
        }
    return true;
}

/* Is the word in a comma-separated list? NULL: everything is. */
static bool in_list(const char *list, const char *word)
{
    for (const char *at = list; at && *at;) {
        size_t length = strcspn(at, ",");
        if (strlen(word) == length && strncmp(at, word, length) == 0)
            return true;
        at += length + (at[length] == ',');
    }
    return !list;
}

/* Does --claims name claims alone? */
static bool knows_claims(validation *v)
{
    const char *names[32];
    for (size_t i = 0; i < proof_claim_count; i++)
        names[i] = proof_claims[i].name;
    for (const char *at = v->o->claims; at && *at;) {
        char word[32];
        size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        at += length + (at[length] == ',');
        bool known = false;
        for (size_t i = 0; i < proof_claim_count; i++)
            known |= strcmp(word, names[i]) == 0;
        if (known)
            continue;
        const char *near = nearest_name(word, names, proof_claim_count);
        snprintf(v->message, sizeof v->message, "--claims: \"%s\" is unknown%s%s%s", word,
                 near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
        return false;
    }
    return true;
}

static bool plan_points(validation *v)
{
    for (size_t i = 0; i < v->roster.count; i++) {
        if (strcmp(v->roster.lanes[i].status, "ok") != 0) {
            if (!add_point(v, (point){.lane = i}))
                return false;
            continue;
        }
        if (v->o->sizes && !add_claim(v, i, &proof_given))
            return false;
        for (size_t k = 0; !v->o->sizes && k < proof_claim_count; k++)
            if (in_list(v->o->claims, proof_claims[k].name) && !add_claim(v, i, &proof_claims[k]))
                return false;
    }
    return true;
}

static void describe(const validation *v, const point *p, char *text, size_t size)
{
    const lane *l = &v->roster.lanes[p->lane];
    bool ceiling = l->plugin->role == SCAN_ROLE_CEILING;
    if (!p->claim)
        snprintf(text, size, "%s is available", l->plugin->id);
    else if (!p->claim->per_op)
        snprintf(text, size, "%s %s", l->plugin->id, p->claim->text);
    else
        snprintf(text, size, "%s %s%s%s %s", l->plugin->id, dtype_name(p->dtype),
                 ceiling ? "" : " ", ceiling ? "" : op_name(p->op), p->claim->text);
}

/* A lane that is not there: skipped with its reason, or a failure if it is broken or
 * required. */
static void print_absent(validation *v, size_t number, const point *p, const char *text)
{
    const lane *l = &v->roster.lanes[p->lane];
    if (strcmp(l->status, "unavailable") == 0) {
        printf("ok %zu - %s # SKIP %s\n", number, text, l->reason);
        return;
    }
    v->failed++;
    printf("not ok %zu - %s\n  ---\n", number, text);
    proof_print_text("claim", "available");
    proof_print_text("status", l->status);
    proof_print_text("reason", l->reason);
    puts("  ...");
}

/* false when interrupted */
static bool prove_point(validation *v, size_t at)
{
    const point *p = &v->points[at];
    char text[256];
    describe(v, p, text, sizeof text);
    if (!p->claim) {
        print_absent(v, at + 1, p, text);
        return true;
    }
    lane *l = &v->roster.lanes[p->lane];
    uint64_t most = l->plugin->max_n;
    proof subject = {.o = v->o,
                     .s = &v->settings,
                     .lane = l,
                     .limit = most && most < v->o->max_n ? most : v->o->max_n};
    proof_verdict verdict = p->claim->test(&subject, p->dtype, p->op);
    if (verdict == PROOF_INTERRUPTED)
        return false;
    if (verdict == PROOF_REFUSED)
        printf("ok %zu - %s # SKIP %s\n", at + 1, text, subject.failure.result.reason);
    else
        printf("%s %zu - %s (%zu runs)\n", verdict == PROOF_OK ? "ok" : "not ok", at + 1, text,
               subject.jobs);
    if (verdict == PROOF_FAILED) {
        v->failed++;
        proof_print_failure(&subject, p->claim);
    }
    fflush(stdout);
    return true;
}

static int prove(validation *v)
{
    printf("TAP version 13\n1..%zu\n", v->count);
    for (size_t i = 0; i < v->count; i++)
        if (interrupt_requested() || !prove_point(v, i)) {
            puts("Bail out! interrupted");
            fflush(stdout);
            return interrupt_status();
        }
    if (fflush(stdout) != 0)
        return 2;
    return v->failed ? 1 : 0;
}

static char *join(const options *o)
{
    size_t size = 4;
    for (size_t i = 0; i < o->argument_count; i++)
        size += strlen(o->arguments[i]) + 1;
    char *list = calloc(size, 1);
    for (size_t i = 0; list && i < o->argument_count; i++) {
        if (i)
            strcat(list, ",");
        strcat(list, o->arguments[i]);
    }
    if (list && o->argument_count == 0)
        strcpy(list, "all");
    return list;
}

static int fail(const validation *v, int status)
{
    fprintf(stderr, "scanbench: %s\n", v->message);
    return status;
}

static int prepare(validation *v, const char *list)
{
    size_t size = sizeof v->message;
    if (settings_parse(v->o, &v->settings, v->message, size) != SCAN_OK)
        return fail(v, 2);
    if (!knows_claims(v))
        return fail(v, 2);
    if (!v->o->sizes && (v->o->pattern || v->o->set_count)) {
        snprintf(v->message, size, "--pattern and --set need --sizes: the proof chooses its own");
        return fail(v, 2);
    }
    scan_status status =
        roster_open(v->o, list, v->settings.pinned, v->settings.core, &v->roster, v->message, size);
    if (status != SCAN_OK)
        return interrupt_requested() ? interrupt_status() : fail(v, 2);
    if (!roster_has(&v->roster, v->o->require, v->message, size))
        return fail(v, 3);
    if (plan_check_sets(&v->settings, v->roster.lanes, v->roster.count, v->message, size) !=
        SCAN_OK)
        return fail(v, 2);
    if (!plan_points(v)) {
        snprintf(v->message, size, "out of memory");
        return fail(v, 2);
    }
    return 0;
}

int validate_main(const options *o)
{
    validation v = {.o = o};
    interrupt_catch();
    char *list = join(o);
    int status = list ? prepare(&v, list) : 2;
    if (status == 0)
        status = prove(&v);
    roster_close(&v.roster);
    settings_free(&v.settings);
    free(v.points);
    free(list);
    return status;
}
