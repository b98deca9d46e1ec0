#include "validate.h"

#include "interrupt.h"
#include "measure.h"
#include "plan.h"
#include "proof_report.h"
#include "roster.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A claim to be tested, for one dtype and op if it is per op. */
typedef struct point {
    size_t lane;
    const proof_claim *claim;
    uint32_t dtype, op;
    bool failed;
} point;

typedef struct validation {
    const options *o;
    settings settings;
    roster roster;
    point *points;
    size_t capacity;
    FILE *tap, *json; /* NULL: not asked for */
    proof_summary summary;
    size_t missing; /* failures that are required plugins without a device */
    char message[1200];
} validation;

static bool add_point(validation *v, point p)
{
    if (v->summary.planned == v->capacity) {
        size_t capacity = v->capacity ? 2 * v->capacity : 64;
        point *points = realloc(v->points, capacity * sizeof *points);
        if (!points)
            return false;
        v->points = points;
        v->capacity = capacity;
    }
    v->points[v->summary.planned++] = p;
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
    if (claim->scope != PROOF_PER_OP)
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

/* Is it the first lane of its file? */
static bool is_first_of_file(const roster *r, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(r->lanes[i].plugin->file, r->lanes[at].plugin->file) == 0)
            return false;
    return true;
}

/* What can be said of a lane: of a file that cannot be loaded how far it got, of a plugin
 * that is not available that alone, of one that is there what was asked for. */
static bool plan_lane(validation *v, size_t at)
{
    const lane *l = &v->roster.lanes[at];
    const bool ready = strcmp(l->status, "ok") == 0;
    const bool built = !l->plugin->problem || strcmp(l->plugin->status, "unavailable") != 0;
    const bool broken = l->plugin->problem && built;
    if (ready && v->o->sizes)
        return add_claim(v, at, &proof_given);
    for (size_t k = 0; k < proof_claim_count; k++) {
        const proof_claim *claim = &proof_claims[k];
        bool wanted = broken || in_list(v->o->claims, claim->name);
        if (claim->scope == PROOF_PER_FILE)
            wanted = wanted && built && is_first_of_file(&v->roster, at);
        else if (claim == proof_find("available"))
            wanted = !broken && (wanted || !ready);
        else
            wanted = wanted && ready;
        if (wanted && !add_claim(v, at, claim))
            return false;
    }
    return true;
}

static bool plan_points(validation *v)
{
    for (size_t i = 0; i < v->roster.count; i++)
        if (!plan_lane(v, i))
            return false;
    return true;
}

static void describe(const validation *v, const point *p, char *text, size_t size)
{
    const lane *l = &v->roster.lanes[p->lane];
    const char *slash = strrchr(l->plugin->file, '/');
    bool ceiling = l->plugin->role == SCAN_ROLE_CEILING;
    if (p->claim->scope == PROOF_PER_FILE)
        snprintf(text, size, "%s %s", slash ? slash + 1 : l->plugin->file, p->claim->text);
    else if (p->claim->scope == PROOF_PER_LANE)
        snprintf(text, size, "%s %s", l->plugin->id, p->claim->text);
    else
        snprintf(text, size, "%s %s%s%s %s", l->plugin->id, dtype_name(p->dtype),
                 ceiling ? "" : " ", ceiling ? "" : op_name(p->op), p->claim->text);
}

/* The claim before that this one stands on: where the answers are wrong, nothing else
 * about them can be told. 0 if there is none that failed. */
static size_t wrong_before(const validation *v, size_t at)
{
    const point *p = &v->points[at];
    for (size_t i = 0; i < at; i++) {
        const point *before = &v->points[i];
        bool same = p->claim->scope != PROOF_PER_OP || before->claim->scope != PROOF_PER_OP ||
                    (before->dtype == p->dtype && before->op == p->op);
        if (before->failed && before->claim->is_base && before->lane == p->lane && same)
            return i + 1;
    }
    return 0;
}

/* Tests it in a worker that has done nothing before. */
static proof_verdict test(validation *v, size_t at, proof *subject)
{
    const point *p = &v->points[at];
    const size_t wrong = wrong_before(v, at);
    if (wrong > 0) {
        snprintf(subject->failure.result.reason, sizeof subject->failure.result.reason,
                 "its answers are wrong (%zu); mend that first", wrong);
        return PROOF_SKIPPED;
    }
    if (p->claim->scope != PROOF_PER_FILE && strcmp(subject->lane->status, "ok") == 0)
        lane_renew(subject->lane);
    return p->claim->test(subject, p->dtype, p->op);
}

static void count_verdict(validation *v, const proof *subject, proof_verdict verdict)
{
    v->summary.passed += verdict == PROOF_OK;
    v->summary.skipped += verdict == PROOF_SKIPPED;
    v->summary.failed += verdict == PROOF_FAILED;
    v->missing +=
        verdict == PROOF_FAILED && strcmp(subject->failure.result.status, "unavailable") == 0;
}

/* false when interrupted */
static bool prove_point(validation *v, size_t at)
{
    point *p = &v->points[at];
    lane *l = &v->roster.lanes[p->lane];
    const uint64_t most = l->plugin->max_n;
    char text[256];
    proof subject = {.o = v->o,
                     .s = &v->settings,
                     .lane = l,
                     .required = roster_names(v->o->require, l),
                     .limit = most && most < v->o->max_n ? most : v->o->max_n};
    describe(v, p, text, sizeof text);
    const double start = measure_now();
    proof_verdict verdict = test(v, at, &subject);
    p->failed = verdict == PROOF_FAILED;
    if (verdict == PROOF_INTERRUPTED)
        return false;
    const proof_outcome outcome = {.number = at + 1,
                                   .text = text,
                                   .proof = &subject,
                                   .claim = p->claim,
                                   .dtype = p->dtype,
                                   .op = p->op,
                                   .verdict = verdict,
                                   .seconds = (measure_now() - start) * 1e-9};
    count_verdict(v, &subject, verdict);
    if (v->tap)
        proof_tap_outcome(v->tap, &outcome);
    if (v->json)
        proof_json_outcome(v->json, &outcome);
    return true;
}

/* Was all of it written? */
static bool is_written(const validation *v, FILE *out, const char *name)
{
    if (!out || (fflush(out) == 0 && !ferror(out)))
        return true;
    fprintf(stderr, "scanbench: %s cannot be written: %s\n", name, strerror(errno));
    (void)v;
    return false;
}

static int prove(validation *v)
{
    proof_summary *s = &v->summary;
    if (v->tap)
        proof_tap_begin(v->tap, s->planned);
    if (v->json)
        proof_json_begin(v->json, v->o);
    for (size_t i = 0; i < s->planned && !s->interrupted; i++)
        s->interrupted = interrupt_requested() || !prove_point(v, i);
    if (v->tap)
        proof_tap_end(v->tap, s);
    if (v->json)
        proof_json_end(v->json, s);
    if (!is_written(v, v->tap, "stdout") || !is_written(v, v->json, "the JSON file"))
        return 2;
    if (s->interrupted)
        return interrupt_status();
    return s->failed > v->missing ? 1 : s->failed > 0 ? 3 : 0;
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

/* Where the outcomes go; what cannot be written is found before the first claim. */
static bool open_outputs(validation *v)
{
    const char *path = v->o->json;
    v->tap = stdout;
    if (path && strcmp(path, "-") == 0) {
        v->tap = NULL;
        v->json = stdout;
    } else if (path && !(v->json = fopen(path, "we"))) {
        snprintf(v->message, sizeof v->message, "--json %s: %s", path, strerror(errno));
        return false;
    }
    return true;
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
    /* Of plugins that were named, just those are asked for. */
    if (v->o->argument_count == 0 && !roster_lists(&v->roster, v->o->require, v->message, size))
        return fail(v, 3);
    if (plan_check_sets(&v->settings, v->roster.lanes, v->roster.count, v->message, size) !=
        SCAN_OK)
        return fail(v, 2);
    if (!open_outputs(v))
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
    if (v.json && v.json != stdout && fclose(v.json) != 0 && status < 2) {
        fprintf(stderr, "scanbench: %s cannot be written: %s\n", o->json, strerror(errno));
        status = 2;
    }
    roster_close(&v.roster);
    settings_free(&v.settings);
    free(v.points);
    free(list);
    return status;
}
