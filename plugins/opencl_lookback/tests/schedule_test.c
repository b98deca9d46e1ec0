/*
 * schedule_test.c - opencl_lookback is right in whatever order work-groups begin, and if some make
 * no progress
 *
 * A schedule says which tile a work-group takes and whether it says anything to others; one that
 * says nothing is, to the rest, one that makes no progress before all is over. Several runs follow
 * each other on the same words, with other inputs. Kernels with a mistake must fail here, or the
 * test sees nothing. Where the device has sub-groups, all that is done again with them. Pairs under
 * affine find swapped operands and torn values.
 */
#include "opencl_words.h"

#include "lookback.cl.h"
#include "recording_host.h"
#include "tap.h"

enum {
    ROWS = 2,
    SMALL_BLOCK = 8,
    SUB_GROUPS_BLOCK = 64, /* two sub-groups */
    TILES = 64,
    MOST_N = TILES * SUB_GROUPS_BLOCK * ROWS * 2,
    RUNS = 3,
    MUTANT_TRIES = 50
};

typedef struct pair {
    cl_uint x, y;
} pair;

/* A kernel without sub-groups, or with them. */
typedef struct form {
    cl_uint width; /* SUB_GROUPS */
    cl_uint block;
    cl_uint n;
} form;

/* The last tile is not full. */
#define FORM(width, block)                            \
    {                                                 \
        (width), (block), TILES *(block)*ROWS * 2 - 5 \
    }

typedef struct schedule {
    const char *name;
    const char *text;
} schedule;

#define SCHEDULE(tile, says)                                                \
    "#define TEST_SCHEDULE\n"                                               \
    "static inline uint tile_of_ticket(uint ticket) { return " tile "; }\n" \
    "static inline bool speaks(uint tile) { return " says "; }\n"

static const schedule schedules[] = {
    {"in order", ""},
    {"the last tile first", SCHEDULE("63 - ticket", "true")},
    {"scattered", SCHEDULE("ticket * 37 % 64", "true")},
    {"a third makes no progress", SCHEDULE("ticket", "tile % 3 != 1")},
    {"none makes progress", SCHEDULE("63 - ticket", "false")},
};

/* `right` is replaced by `wrong` wherever it stands. */
typedef struct mutant {
    const char *name;
    const char *right;
    const char *wrong;
    const schedule *under;
} mutant;

static const mutant mutants[] = {
    {"takes silence for an answer", "seen.empties > seen.prefixes", "false", &schedules[3]},
    {"falls back on the wrong tile", "seen.empties - 1)", "seen.empties)", &schedules[3]},
    {"falls back with swapped operands", "of_vector = combine(of_vector, element_of(load_value",
     "of_vector = swapped(of_vector, element_of(load_value", &schedules[3]},
    /* If nobody speaks, nothing is written over the words of the run before: no tile is in time. */
    {"takes words of the run before", "tag >> 2 == run", "tag >> 2 != 0", &schedules[4]},
    {"combines prefixes the wrong way round", "combine(fold_window", "swapped(fold_window",
     &schedules[4]},
};

enum {
    FORMS = 2,
    SCHEDULES = sizeof schedules / sizeof *schedules,
    MUTANTS = sizeof mutants / sizeof *mutants
};

static scan_host host;

/* A text with all places replaced, from malloc. */
static char *replace(const char *text, const char *right, const char *wrong)
{
    char *result = malloc(2 * strlen(text) + 1);
    size_t length = 0;
    for (const char *at = text; *at;) {
        if (strncmp(at, right, strlen(right)) == 0) {
            memcpy(result + length, wrong, strlen(wrong));
            length += strlen(wrong);
            at += strlen(right);
        } else {
            result[length++] = *at++;
        }
    }
    result[length] = '\0';
    return result;
}

/* The number of wrong elements of RUNS runs, or -1. */
static int run_kernel(opencl_context *context, cl_kernel kernel, const scan_problem *problem,
                      int64_t bits, const form *f)
{
    static pair in[MOST_N], out[MOST_N];
    opencl_words words;
    cl_mem from = NULL, to = NULL;
    if (opencl_words_make(&words, context, problem, bits, TILES) != SCAN_OK ||
        opencl_allocate(context, "in", sizeof in, &from) != SCAN_OK ||
        opencl_allocate(context, "out", sizeof out, &to) != SCAN_OK)
        return -1;
    int wrong = 0;
    for (cl_uint r = 0; r < RUNS && wrong >= 0; r++) {
        const cl_uint inclusive = r % 2;
        const cl_ulong n = f->n;
        for (cl_uint i = 0; i < f->n; i++)
            in[i] = (pair){2 * (i * 2654435761u >> 7) + 1, i * 40503u + r};
        clEnqueueWriteBuffer(context->queue, from, CL_TRUE, 0, sizeof in, in, 0, NULL, NULL);
        opencl_run run;
        opencl_run_begin_unrecorded(&run, context);
        scan_status status = opencl_words_next(&words, &run, TILES);
        const opencl_argument arguments[] = {OPENCL_ARGUMENT(from), OPENCL_ARGUMENT(to),
                                             OPENCL_ARGUMENT(n), OPENCL_ARGUMENT(inclusive),
                                             OPENCL_WORDS_ARGUMENTS(words)};
        const opencl_launch launch = {kernel, "kernel:lookback", TILES, f->block, 8, arguments};
        if (status == SCAN_OK)
            status = opencl_run_kernel(&run, &launch);
        status = opencl_run_end(&run, status);
        clEnqueueReadBuffer(context->queue, to, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL);
        pair left = {1, 0};
        for (cl_uint i = 0; i < f->n; i++) {
            const pair next = {left.x * in[i].x, left.y * in[i].x + in[i].y};
            const pair expected = inclusive ? next : left;
            wrong += out[i].x != expected.x || out[i].y != expected.y;
            left = next;
        }
        if (status != SCAN_OK)
            wrong = -1;
    }
    clReleaseMemObject(to);
    clReleaseMemObject(from);
    opencl_words_free(&words);
    return wrong;
}

/* Builds status words and kernel, and runs them. */
static int run_texts(opencl_context *context, const char *order, const char *words,
                     const char *kernel_text, int64_t bits, const form *f)
{
    const scan_problem problem = {.struct_size = sizeof problem,
                                  .op = SCAN_OP_AFFINE,
                                  .dtype = SCAN_DTYPE_U32X2,
                                  .n = f->n,
                                  .element_bytes = sizeof(pair)};
    const char *const sources[] = {opencl_scan_ops,
                                   opencl_vectors,
                                   "static inline T swapped(T a, T b) { return combine(b, a); }\n",
                                   words,
                                   opencl_sub_groups,
                                   order,
                                   kernel_text};
    char common[OPENCL_MAX_OPTIONS];
    char options[OPENCL_MAX_OPTIONS];
    opencl_words_options(context, &problem, bits, common);
    snprintf(options, sizeof options,
             "%.120s -D BLOCK=%u -D ROWS=%d -D PATIENCE=20 -D SUB_GROUPS=%u", common, f->block,
             ROWS, f->width);
    cl_program program = NULL;
    cl_kernel kernel = NULL;
    if (opencl_build(context, sources, 7, options, &program) != SCAN_OK ||
        opencl_kernel(context, program, "lookback", &kernel) != SCAN_OK)
        return -1;
    const int wrong = run_kernel(context, kernel, &problem, bits, f);
    clReleaseKernel(kernel);
    return wrong;
}

static void check_schedule(opencl_context *context, const schedule *s, int64_t bits, const form *f)
{
    recorded_reason[0] = '\0';
    const int wrong = run_texts(context, s->text, opencl_status_words, lookback_cl, bits, f);
    ok(wrong == 0, "%s, words of %d bits, sub-groups of %u: %d of %u elements wrong %s", s->name,
       (int)bits, f->width, wrong, RUNS * f->n, recorded_reason);
}

/* The texts live as long as the context, which knows programs by their addresses. */
static void check_mutant(opencl_context *context, const mutant *m, const form *f, char **words_p,
                         char **kernel_p)
{
    *words_p = replace(opencl_status_words, m->right, m->wrong);
    *kernel_p = replace(lookback_cl, m->right, m->wrong);
    const bool mutated =
        strcmp(*words_p, opencl_status_words) != 0 || strcmp(*kernel_p, lookback_cl) != 0;
    int wrong = 0; /* each shows under its schedule; more tries, if a GPU's timing hides one */
    for (int i = 0; i < MUTANT_TRIES && wrong == 0; i++)
        wrong = run_texts(context, m->under->text, *words_p, *kernel_p, 32, f);
    ok(mutated && wrong > 0,
       "a kernel with sub-groups of %u that %s is caught: %d elements wrong %s", f->width, m->name,
       wrong, wrong < 0 ? recorded_reason : "");
}

static void check_form(opencl_context *context, const form *f, char *texts[MUTANTS][2])
{
    for (size_t i = 0; i < SCHEDULES; i++) {
        check_schedule(context, &schedules[i], 32, f);
        if (opencl_words_check(context, 64) == SCAN_OK)
            check_schedule(context, &schedules[i], 64, f);
        else
            ok(true, "%s, words of 64 bits # SKIP %s", schedules[i].name, recorded_reason);
    }
    for (size_t i = 0; i < MUTANTS; i++)
        check_mutant(context, &mutants[i], f, &texts[i][0], &texts[i][1]);
}

int main(void)
{
    void *opened = NULL;
    char *texts[FORMS][MUTANTS][2];
    recording_host_init(&host);
    if (opencl_memory.open(&host, NULL, 0, &opened) != SCAN_OK) {
        printf("TAP version 13\n1..0 # SKIP %s\n", recorded_reason);
        return 0;
    }
    opencl_context *context = opened;
    const cl_uint width = opencl_sub_group_width(context, SUB_GROUPS_BLOCK);
    const form forms[FORMS] = {FORM(0, SMALL_BLOCK), FORM(width, SUB_GROUPS_BLOCK)};
    const size_t count = width > 0 ? 2 : 1;
    tap_plan((int)count * (2 * SCHEDULES + MUTANTS));
    for (size_t i = 0; i < count; i++)
        check_form(context, &forms[i], texts[i]);
    opencl_memory.close(context);
    for (size_t i = 0; i < count * MUTANTS; i++) {
        free(texts[i / MUTANTS][i % MUTANTS][0]);
        free(texts[i / MUTANTS][i % MUTANTS][1]);
    }
    return tap_done();
}
