/*
 * scan_plan.cuh - a plan of scan_cuda.h: its methods, loaded for one operator, and their launch
 *
 * The kernels are those of the plugins cuda_single, cuda_wave, cuda_lookback, cuda_lookahead and
 * cuda_rows. They share the plan's memory: each launch has a number of its own, whichever kernel it
 * is, and their words differ (lookahead_launcher.cuh).
 */
#ifndef SCAN_PLAN_CUH
#define SCAN_PLAN_CUH

#include "lookahead_launcher.cuh"
#include "lookback_launcher.cuh"
#include "scan_choice.h"
#include "single_launcher.cuh"
#include "wave_launcher.cuh"

/* What does not depend on the operator. */
struct scan_cuda_plan {
    cudaError_t (*launch)(scan_cuda_plan *self, unsigned index, const void *in, void *out,
                          uint64_t n, cudaStream_t stream);
    /* Does such a launch have a number, and words? */
    bool (*has_words)(const scan_cuda_plan *self, unsigned index, const void *in, uint64_t n);
    scan_cuda_problem problem; /* rows and inner are > 0 */
    unsigned element_bytes, result_bytes;
    int device;
    scan_choices choices;
    scan_choice fitted[SCAN_MOST_CHOICES]; /* those of a table, as far as the device holds them */
    uint64_t bytes;                        /* that the words need; 0: no method has words */
    cuda_words words;                      /* its memory is the caller's */
    bool captured;                         /* was a launch with words captured into a graph? */
};

/* A choice of the table, loaded. Of the launchers only that of its method is loaded. */
template <typename Op> struct scan_step {
    single_launcher<Op> single;
    lookback_launcher<Op> lookback;
    lookahead_launcher<Op> lookahead;
    rows_any_launcher<Op> rows;
    wave_launcher<Op> wave;
};

template <typename Op> struct scan_plan : scan_cuda_plan {
    Op op;
    scan_step<Op> step[SCAN_MOST_CHOICES];
};

/* Do the operator's results depend on the order of additions? */
template <typename Op> constexpr bool scan_rounds = false;
template <> inline constexpr bool scan_rounds<cuda_sum<float>> = true;
template <> inline constexpr bool scan_rounds<cuda_sum<double>> = true;
template <> inline constexpr bool scan_rounds<cuda_sum<cuda_f16>> = true;
template <> inline constexpr bool scan_rounds<cuda_sum<cuda_bf16>> = true;
template <> inline constexpr bool scan_rounds<cuda_affine<float>> = true;

template <typename Op, typename Launcher>
cudaError_t scan_launch_chained(scan_cuda_plan *self, const Launcher &launcher, Op op,
                                const typename Launcher::arrays_type &arrays, cudaStream_t stream)
{
    cudaError_t error = cuda_words_advance(&self->words, launcher.tickets_of(arrays), stream);
    if (error == cudaSuccess)
        error = launcher.launch(op, arrays, self->words, stream);
    if (error != cudaSuccess)
        self->words.turn = {}; /* it took no tickets: the next launch begins with new words */
    return error;
}

/* What a call scans: arrays of n elements for each row and column. */
template <typename Arrays>
Arrays scan_arrays(const scan_cuda_plan *plan, const void *in, void *out, uint64_t n)
{
    return {static_cast<decltype(Arrays::in)>(in), static_cast<decltype(Arrays::out)>(out),
            n * plan->problem.rows * plan->problem.inner,
            plan->problem.kind == SCAN_CUDA_INCLUSIVE};
}

template <typename Op>
bool scan_has_words(const scan_cuda_plan *plan, unsigned index, const void *in, uint64_t n)
{
    const auto *self = static_cast<const scan_plan<Op> *>(plan);
    const scan_cuda_method method = self->choices.at[index].method;
    if (method != SCAN_CUDA_ROWS)
        return method != SCAN_CUDA_SINGLE;
    return self->step[index].rows.tickets_of(
               scan_arrays<cuda_arrays<typename Op::value>>(plan, in, nullptr, n)) > 0;
}

template <typename Op>
cudaError_t scan_launch(scan_cuda_plan *plan, unsigned index, const void *in, void *out, uint64_t n,
                        cudaStream_t stream)
{
    auto *self = static_cast<scan_plan<Op> *>(plan);
    const auto arrays = scan_arrays<cuda_arrays<typename Op::value>>(plan, in, out, n);
    const scan_step<Op> &step = self->step[index];
    switch (self->choices.at[index].method) {
    case SCAN_CUDA_SINGLE:
        return step.single.launch(self->op, arrays, stream);
    case SCAN_CUDA_LOOKBACK:
        return scan_launch_chained(self, step.lookback, self->op, arrays, stream);
    case SCAN_CUDA_WAVE:
        return scan_launch_chained(self, step.wave, self->op, arrays, stream);
    case SCAN_CUDA_ROWS:
        if (!scan_has_words<Op>(plan, index, in, n))
            return step.rows.launch(self->op, arrays, self->words, stream);
        return scan_launch_chained(self, step.rows, self->op, arrays, stream);
    default:
        return scan_launch_chained(self, step.lookahead, self->op, arrays, stream);
    }
}

/* ---- how a plan is made --------------------------------------------------------------- */

/* A table is measured on one device. One whose multiprocessors do not hold as many blocks gets what
 * fits. *bytes_p is what its words need. */
template <typename Launcher>
scan_status scan_load_lookahead(Launcher *launcher, const cuda_limits &limits, uint64_t most_n,
                                lookahead_settings wanted, uint64_t *bytes_p, cuda_reason *reason)
{
    scan_status status = launcher->load(limits, most_n, wanted, reason);
    if (status == SCAN_UNSUPPORTED && wanted.ctas > 1) {
        wanted.ctas = 0;
        status = launcher->load(limits, most_n, wanted, reason);
    }
    if (status == SCAN_OK)
        *bytes_p = cuda_words_bytes(launcher->most_tiles(most_n), sizeof(typename Launcher::word));
    return status;
}

/* The same, whose settings `rows` and `inner` are the problem's. */
template <typename Launcher>
scan_status scan_load_tensor(Launcher *launcher, const scan_cuda_problem &problem,
                             const cuda_limits &limits, uint64_t most_n, rows_settings wanted,
                             uint64_t *bytes_p, cuda_reason *reason)
{
    wanted.rows = problem.rows;
    wanted.inner = problem.inner;
    const uint64_t most = most_n * wanted.rows * wanted.inner;
    const scan_status status = launcher->load(limits, most, wanted, reason);
    const uint64_t tiles = status == SCAN_OK ? launcher->most_tiles(most) : 0;
    *bytes_p = tiles > 0 ? cuda_words_bytes(tiles, sizeof(typename Launcher::word)) : 0;
    return status;
}

inline wave_settings scan_wave_settings(const scan_cuda_plan *self, const scan_choice &choice)
{
    wave_settings wanted = choice.wave;
    wanted.overlaps = (self->problem.flags & SCAN_CUDA_OVERLAP) != 0;
    wanted.together = wanted.together && !wanted.overlaps; /* cooperative ones cannot overlap */
    return wanted;
}

/* A table is measured on one device. One that holds fewer blocks gets one a multiprocessor, and one
 * whose registers hold less goes on to the next method earlier. */
template <typename Op>
scan_status scan_fit_choices(scan_plan<Op> *self, const cuda_limits &limits, cuda_reason *reason)
{
    scan_status status = SCAN_OK;
    for (unsigned i = 0; i < self->choices.count && status == SCAN_OK; i++) {
        scan_choice &mine = self->fitted[i] = self->choices.at[i];
        wave_launcher<Op> wave = {};
        if (mine.method != SCAN_CUDA_WAVE)
            continue;
        status = wave.load(limits, 0, mine.wave, reason);
        if (status == SCAN_UNSUPPORTED && mine.wave.ctas > 1) {
            mine.wave.ctas = 1;
            status = wave.load(limits, 0, mine.wave, reason);
        }
        mine.most_bytes = std::min(mine.most_bytes, wave.most_n() * sizeof(typename Op::value));
    }
    self->choices.at = self->fitted;
    return status;
}

/* The current device, which the plan is for from now on. */
inline scan_status scan_ask_device(scan_cuda_plan *self, cuda_limits *limits_p, cuda_reason *reason)
{
    const scan_status status = cuda_fail_if(reason, cudaGetDevice(&self->device), "cudaGetDevice");
    return status == SCAN_OK ? cuda_ask_limits(self->device, limits_p, reason) : status;
}

/* The word of the host, where launches have words at all. */
inline scan_status scan_make_words(scan_cuda_plan *self, cuda_reason *reason)
{
    return self->bytes == 0
               ? SCAN_OK
               : cuda_fail_if(reason, cuda_words_create(&self->words), "cudaHostAlloc of a word");
}

inline bool scan_is_array(const scan_cuda_problem &problem)
{
    return problem.rows == 1 && problem.inner == 1;
}

/* Loads choice `index` for arrays of up to most_n elements; self->bytes grows to what it needs. */
template <typename Op>
scan_status scan_load_choice(scan_plan<Op> *self, const cuda_limits &limits, unsigned index,
                             uint64_t most_n, cuda_reason *reason)
{
    const scan_choice &choice = self->choices.at[index];
    scan_step<Op> *step = &self->step[index];
    scan_status status = SCAN_OK;
    uint64_t bytes = 0;
    switch (choice.method) {
    case SCAN_CUDA_SINGLE:
        return step->single.load(limits, most_n, choice.single, reason);
    case SCAN_CUDA_LOOKBACK:
        status = step->lookback.load(limits, most_n, choice.lookback, reason);
        bytes = cuda_words_bytes(step->lookback.most_tiles(most_n),
                                 sizeof(typename lookback_launcher<Op>::word));
        break;
    case SCAN_CUDA_WAVE:
        status = step->wave.load(limits, most_n, scan_wave_settings(self, choice), reason);
        bytes = cuda_words_bytes(step->wave.most_tiles(most_n),
                                 sizeof(typename wave_launcher<Op>::word));
        break;
    case SCAN_CUDA_ROWS:
        status = scan_load_tensor(&step->rows, self->problem, limits, most_n, choice.rows, &bytes,
                                  reason);
        break;
    default:
        status =
            scan_load_lookahead(&step->lookahead, limits, most_n, choice.lookahead, &bytes, reason);
        break;
    }
    if (status == SCAN_OK && bytes > self->bytes)
        self->bytes = bytes;
    return status;
}

/* The choices that arrays of up to most_n elements need; the last of them reaches that far. */
template <typename Op>
scan_status scan_load_choices(scan_plan<Op> *self, const cuda_limits &limits, cuda_reason *reason)
{
    constexpr uint64_t size = sizeof(typename Op::value);
    const uint64_t most_n = self->problem.most_n;
    const unsigned last = scan_choices_find(self->choices, most_n * size);
    if (last == self->choices.count)
        return cuda_fail(
            reason, SCAN_UNSUPPORTED,
            "before compute capability 9.0, or in code made for it, a float scan of "
            "more than %llu bytes has no fixed order; allow any "
            "(SCAN_CUDA_ANY_ORDER)",
            static_cast<unsigned long long>(self->choices.at[self->choices.count - 1].most_bytes));
    scan_status status = SCAN_OK;
    for (unsigned index = 0; index <= last && status == SCAN_OK; index++) {
        const uint64_t here = self->choices.at[index].most_bytes / size;
        status = scan_load_choice(self, limits, index, here < most_n ? here : most_n, reason);
    }
    return status;
}

/* Of the code that the device runs of these kernels. */
template <typename Op>
scan_status scan_ask_version(const cuda_limits &limits, int *version_p, cuda_reason *reason)
{
    cuda_loaded loaded = {};
    const scan_status status =
        cuda_load(limits, reinterpret_cast<const void *>(lookahead_kernel_of<Op>(1)), CUDA_WARP, 0,
                  &loaded, reason);
    *version_p = loaded.code_version;
    return status;
}

/* Fills in a plan of which only problem and op are not 0. */
template <typename Op>
scan_status scan_plan_fill(scan_plan<Op> *self, const scan_table &table, cuda_reason *reason)
{
    self->launch = scan_launch<Op>;
    self->has_words = scan_has_words<Op>;
    self->element_bytes = self->result_bytes = sizeof(typename Op::value);
    const bool in_order = scan_rounds<Op> && (self->problem.flags & SCAN_CUDA_ANY_ORDER) == 0;
    if (in_order && self->problem.method == SCAN_CUDA_LOOKBACK)
        return cuda_fail(reason, SCAN_UNSUPPORTED,
                         "a look-back adds floats in no fixed order; allow any "
                         "(SCAN_CUDA_ANY_ORDER)");
    cuda_limits limits = {};
    int version = 0;
    scan_status status = scan_ask_device(self, &limits, reason);
    if (status == SCAN_OK)
        status = scan_ask_version<Op>(limits, &version, reason);
    if (status != SCAN_OK)
        return status;
    const bool is_array = scan_is_array(self->problem);
    if (!is_array && self->problem.method != SCAN_CUDA_BY_TABLE &&
        self->problem.method != SCAN_CUDA_ROWS)
        return cuda_fail(reason, SCAN_UNSUPPORTED,
                         "this method scans one array; SCAN_CUDA_BY_TABLE and SCAN_CUDA_ROWS take "
                         "rows and inner");
    self->choices = scan_choices_for(table, is_array ? self->problem.method : SCAN_CUDA_ROWS,
                                     version, in_order);
    if (self->problem.method == SCAN_CUDA_BY_TABLE)
        status = scan_fit_choices(self, limits, reason);
    if (status == SCAN_OK)
        status = scan_load_choices(self, limits, reason);
    return status == SCAN_OK ? scan_make_words(self, reason) : status;
}

#endif
