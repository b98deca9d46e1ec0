/*
 * schedule_test.c - opencl_lookback is right in whatever order work-groups begin, and if some make
 * no progress
 *
 * A schedule says which tile a work-group takes and whether it says anything to others; one that
 * says nothing is, to the rest, one that makes no progress before all is over. Several runs follow
 * each other on the same words, with other inputs. Kernels with a mistake must fail here, or the
 * test sees nothing. Pairs under affine find swapped operands and torn values.
 */
#include "opencl_words.h"

#include "lookback.cl.h"
#include "recording_host.h"
#include "tap.h"

enum {
    BLOCK = 8,
    ROWS = 2,
    TILE = BLOCK * ROWS * 2,
    TILES = 64,
    N = TILES * TILE - 5,
    RUNS = 3,
    MUTANT_TRIES = 50
};

typedef struct pair {
    cl_uint x, y;
} pair;

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
    {"falls back on the wrong tile", "seen.empties - 1 + end", "seen.empties + end", &schedules[3]},
    {"falls back with swapped operands", "own = combine(own, reduce_vector(load_vector",
     "own = swapped(own, reduce_vector(load_vector", &schedules[3]},
    {"takes words of the run before", "tag >> 2 == run", "tag >> 2 != 0", &schedules[1]},
    {"combines prefixes the wrong way round", "combine(scan_items", "swapped(scan_items",
     &schedules[4]},
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
                      int64_t bits)
{
    static pair in[N], out[N];
    opencl_words words;
    cl_mem from = NULL, to = NULL;
    if (opencl_words_make(&words, context, problem, bits, TILES) != SCAN_OK ||
        opencl_allocate(context, "in", sizeof in, &from) != SCAN_OK ||
        opencl_allocate(context, "out", sizeof out, &to) != SCAN_OK)
        return -1;
    int wrong = 0;
    for (cl_uint r = 0; r < RUNS && wrong >= 0; r++) {
        const cl_uint inclusive = r % 2;
        const cl_ulong n = N;
        for (cl_uint i = 0; i < N; i++)
            in[i] = (pair){2 * (i * 2654435761u >> 7) + 1, i * 40503u + r};
        clEnqueueWriteBuffer(context->queue, from, CL_TRUE, 0, sizeof in, in, 0, NULL, NULL);
        opencl_run run;
        opencl_run_begin_unrecorded(&run, context);
        scan_status status = opencl_words_next(&words, &run, TILES);
        const opencl_argument arguments[] = {
            OPENCL_ARGUMENT(from),        OPENCL_ARGUMENT(to),
            OPENCL_ARGUMENT(n),           OPENCL_ARGUMENT(inclusive),
            OPENCL_ARGUMENT(words.words), OPENCL_ARGUMENT(words.tickets),
            OPENCL_ARGUMENT(words.run),   OPENCL_ARGUMENT(words.first_ticket)};
        if (status == SCAN_OK)
            status = opencl_set_arguments(context, kernel, "lookback", arguments, 8);
        if (status == SCAN_OK)
            status = opencl_run_kernel(&run, kernel, "kernel:lookback", TILES, BLOCK);
        status = opencl_run_end(&run, status);
        clEnqueueReadBuffer(context->queue, to, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL);
        pair left = {1, 0};
        for (cl_uint i = 0; i < N; i++) {
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
                     const char *kernel_text, int64_t bits)
{
    const scan_problem problem = {.struct_size = sizeof problem,
                                  .op = SCAN_OP_AFFINE,
                                  .dtype = SCAN_DTYPE_U32X2,
                                  .n = N,
                                  .element_bytes = sizeof(pair)};
    const char *const sources[] = {opencl_scan_ops,
                                   opencl_vectors,
                                   "static inline T swapped(T a, T b) { return combine(b, a); }\n",
                                   words,
                                   order,
                                   kernel_text};
    char common[OPENCL_MAX_OPTIONS];
    char options[OPENCL_MAX_OPTIONS];
    opencl_words_options(context, &problem, bits, common);
    snprintf(options, sizeof options, "%.120s -D BLOCK=%d -D ROWS=%d -D PATIENCE=20", common, BLOCK,
             ROWS);
    cl_program program = NULL;
    cl_kernel kernel = NULL;
    if (opencl_build(context, sources, 6, options, &program) != SCAN_OK ||
        opencl_kernel(context, program, "lookback", &kernel) != SCAN_OK)
        return -1;
    const int wrong = run_kernel(context, kernel, &problem, bits);
    clReleaseKernel(kernel);
    return wrong;
}

static void check_schedule(opencl_context *context, const schedule *s, int64_t bits)
{
    recorded_reason[0] = '\0';
    const int wrong = run_texts(context, s->text, opencl_status_words, lookback_cl, bits);
    ok(wrong == 0, "%s, words of %d bits: %d of %d elements wrong %s", s->name, (int)bits, wrong,
       RUNS * N, recorded_reason);
}

/* The texts live as long as the context, which knows programs by their addresses. */
static void check_mutant(opencl_context *context, const mutant *m, char **words_p, char **kernel_p)
{
    *words_p = replace(opencl_status_words, m->right, m->wrong);
    *kernel_p = replace(lookback_cl, m->right, m->wrong);
    const bool mutated =
        strcmp(*words_p, opencl_status_words) != 0 || strcmp(*kernel_p, lookback_cl) != 0;
    int wrong = 0; /* on a GPU, whose work-groups begin at once, some mistakes need luck */
    for (int i = 0; i < MUTANT_TRIES && wrong == 0; i++)
        wrong = run_texts(context, m->under->text, *words_p, *kernel_p, 32);
    ok(mutated && wrong > 0, "a kernel that %s is caught: %d elements wrong %s", m->name, wrong,
       wrong < 0 ? recorded_reason : "");
}

int main(void)
{
    enum { SCHEDULES = sizeof schedules / sizeof *schedules };
    enum { MUTANTS = sizeof mutants / sizeof *mutants };
    void *opened = NULL;
    char *texts[MUTANTS][2];
    recording_host_init(&host);
    if (opencl_memory.open(&host, NULL, 0, &opened) != SCAN_OK) {
        printf("TAP version 13\n1..0 # SKIP %s\n", recorded_reason);
        return 0;
    }
    opencl_context *context = opened;
    tap_plan(2 * SCHEDULES + MUTANTS);
    for (size_t i = 0; i < SCHEDULES; i++) {
        check_schedule(context, &schedules[i], 32);
        if (opencl_words_check(context, 64) == SCAN_OK)
            check_schedule(context, &schedules[i], 64);
        else
            ok(true, "%s, words of 64 bits # SKIP %s", schedules[i].name, recorded_reason);
    }
    for (size_t i = 0; i < MUTANTS; i++)
        check_mutant(context, &mutants[i], &texts[i][0], &texts[i][1]);
    opencl_memory.close(context);
    for (size_t i = 0; i < MUTANTS; i++) {
        free(texts[i][0]);
        free(texts[i][1]);
    }
    return tap_done();
}
