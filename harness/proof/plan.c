#include "proof/plan.h"

#include "problem/names.h"
#include "text/array_room.h"
#include "text/comma_list.h"
#include "text/suggest.h"

#include <stdlib.h>
#include <string.h>

/* The plan in progress, and what it is made from. */
typedef struct planning {
    const char *claims; /* asked for, or NULL */
    const settings *s;
    const session_set *r;
    proof_plan plan;
} planning;

static bool add_point(planning *v, proof_point p)
{
    proof_point *points =
        array_room(v->plan.points, &v->plan.capacity, v->plan.count, 1, sizeof *points);
    if (!points)
        return false;
    v->plan.points = points;
    v->plan.points[v->plan.count++] = p;
    return true;
}

/* Adds a point for each result that is asked for, if its configuration comes from the command line;
 * else, or where there is none, one. */
static bool add_results(planning *v, proof_point one)
{
    uint32_t results[SETTINGS_RESULTS] = {0};
    const bool given = one.claim == &proof_given;
    const size_t count = given ? settings_results(v->s, one.dtype, results) : 0;
    size_t i = 0;
    do {
        one.result = results[i];
        if (!add_point(v, one))
            return false;
    } while (++i < count);
    return true;
}

/* Adds a claim once, or for each dtype and op that is declared and asked for. */
static bool add_claim(planning *v, size_t at, const proof_claim *claim)
{
    const plugin_info *p = v->r->sessions[at].plugin;
    proof_point one = {.session = at, .claim = claim, .dtype = SCAN_DTYPE_COUNT};
    if (!proof_applies(claim, p))
        return true;
    const bool runs = claim->scope == PROOF_PER_PLUGIN || claim->scope == PROOF_PER_OP;
    one.left_out = runs && !choice_has(v->s, p, PROOF_ANY_TYPE);
    v->plan.left_out += one.left_out;
    if (claim->scope != PROOF_PER_OP || one.left_out)
        return add_point(v, one);
    for (one.dtype = 0; one.dtype < SCAN_DTYPE_COUNT; one.dtype++)
        for (one.op = 0; one.op < SCAN_OP_COUNT; one.op++)
            if (choice_is_asked_in_a_kind(v->s, p, one.dtype, one.op) && !add_results(v, one))
                return false;
    return true;
}

enum { WORD_BYTES = 64 };

/* Is the word in a comma-separated list? NULL contains every word. */
static bool in_list(const char *list, const char *word)
{
    const bool all = !list;
    char item[WORD_BYTES];
    while (comma_list_next(&list, item, sizeof item))
        if (strcmp(item, word) == 0)
            return true;
    return all;
}

bool proof_plan_knows(const char *claims, errmsg *error)
{
    enum { MOST_CLAIMS = 64 };
    const char *names[MOST_CLAIMS];
    char word[WORD_BYTES], suggestion[SUGGEST_BYTES];
    size_t count = 0;
    while (count < proof_claim_count && count < MOST_CLAIMS) {
        names[count] = proof_claims[count].name;
        count++;
    }
    while (comma_list_next(&claims, word, sizeof word))
        if (!proof_find(word)) {
            errmsg_set(error, SCAN_INVALID, "--claims: \"%s\" is unknown%s", word,
                       suggest_text(word, names, count, suggestion, sizeof suggestion));
            return false;
        }
    return true;
}

/* Is it the first session of its file? */
static bool is_first_of_file(const session_set *r, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(r->sessions[i].plugin->file, r->sessions[at].plugin->file) == 0)
            return false;
    return true;
}

/* Adds the claims about a session. If the file cannot be loaded: those about loading. If the plugin
 * is unavailable: those about its device. Otherwise: all that were asked for. */
static bool plan_session(planning *v, size_t at)
{
    const session *s = &v->r->sessions[at];
    const bool ready = s->status == ROW_OK;
    const bool built = !s->plugin->problem || s->plugin->status != ROW_UNAVAILABLE;
    const bool broken = s->plugin->problem && built;
    if (ready && v->s->sizes.count > 0)
        return add_claim(v, at, &proof_given);
    for (size_t k = 0; k < proof_claim_count; k++) {
        const proof_claim *claim = &proof_claims[k];
        const bool asked = in_list(v->claims, claim->name);
        bool wanted = asked && ready;
        if (claim->scope == PROOF_PER_FILE)
            wanted = (broken || (asked && built)) && is_first_of_file(v->r, at);
        else if (claim->scope == PROOF_PER_DEVICE)
            wanted = !broken && (asked || !ready);
        if (wanted && !add_claim(v, at, claim))
            return false;
    }
    return true;
}

scan_status proof_plan_make(const char *claims, const settings *s, const session_set *r,
                            proof_plan *plan_p)
{
    planning v = {.claims = claims, .s = s, .r = r};
    for (size_t i = 0; i < r->count; i++)
        if (!plan_session(&v, i)) {
            free(v.plan.points);
            return SCAN_NO_MEMORY;
        }
    *plan_p = v.plan;
    return SCAN_OK;
}

void proof_plan_free(proof_plan *plan)
{
    free(plan->points);
    *plan = (proof_plan){0};
}

void proof_plan_describe(const proof_point *p, const session_set *r, char *text, size_t size)
{
    const session *s = &r->sessions[p->session];
    char types[JOB_TYPES_BYTES];
    const char *slash = strrchr(s->plugin->file, '/');
    bool ceiling = s->plugin->role == SCAN_ROLE_CEILING;
    if (p->claim->scope == PROOF_PER_FILE)
        snprintf(text, size, "%s %s", slash ? slash + 1 : s->plugin->file, p->claim->text);
    else if (p->claim->scope != PROOF_PER_OP || p->dtype == SCAN_DTYPE_COUNT)
        snprintf(text, size, "%s %s", s->plugin->id, p->claim->text);
    else
        snprintf(text, size, "%s %s%s%s %s", s->plugin->id,
                 job_types_text(&(job){.dtype = p->dtype, .result = p->result}, types),
                 ceiling ? "" : " ", ceiling ? "" : op_name(p->op), p->claim->text);
}

size_t proof_plan_failed_base(const proof_plan *plan, size_t at)
{
    const proof_point *p = &plan->points[at];
    for (size_t i = 0; i < at; i++) {
        const proof_point *before = &plan->points[i];
        bool same = p->claim->scope != PROOF_PER_OP || before->claim->scope != PROOF_PER_OP ||
                    before->hung || (before->dtype == p->dtype && before->op == p->op);
        if (before->failed && before->claim->subject == PROOF_OF_BASE &&
            before->session == p->session && same)
            return i + 1;
    }
    return 0;
}
