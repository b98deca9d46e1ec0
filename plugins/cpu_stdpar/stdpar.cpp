/*
 * stdpar.cpp - the C++ standard library's scans, for comparison
 *
 * cpu_stdpar_seq is std::exclusive_scan and std::inclusive_scan on one thread; cpu_stdpar is the
 * same with std::execution::par, which libstdc++ hands to TBB. All that the library does is
 * measured; with par that includes allocating scratch memory in each call. The range is split
 * differently in each run, so the last bits of float sums may differ.
 */
#include "cpu_team.h"
#include "operators.hpp"
#include "scan_plugin.h"

#include <exception>
#include <memory>
#include <new>
#include <numeric>

#if STDPAR_TBB
#include <atomic>
#include <execution>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>
#endif

namespace
{

/* ---- the scans ------------------------------------------------------------ */

using scan_call = void(const void *in, void *out, uint64_t n);

template <typename T, typename Op, scan_kind kind, bool par>
void scan(const void *in, void *out, uint64_t n)
{
    const T *x = static_cast<const T *>(in);
    T *y = static_cast<T *>(out);
    const T identity = Op::template identity<T>();
#if STDPAR_TBB
    if constexpr (par && kind == SCAN_KIND_EXCLUSIVE)
        std::exclusive_scan(std::execution::par, x, x + n, y, identity, Op{});
    else if constexpr (par)
        std::inclusive_scan(std::execution::par, x, x + n, y, Op{}, identity);
    else
#endif
        if constexpr (kind == SCAN_KIND_EXCLUSIVE)
        std::exclusive_scan(x, x + n, y, identity, Op{});
    else
        std::inclusive_scan(x, x + n, y, Op{}, identity);
}

template <typename T, typename Op, bool par> scan_call *call_for_kind(uint32_t kind)
{
    return kind == SCAN_KIND_EXCLUSIVE ? scan<T, Op, SCAN_KIND_EXCLUSIVE, par>
                                       : scan<T, Op, SCAN_KIND_INCLUSIVE, par>;
}

template <typename T, bool par> scan_call *call_for_op(uint32_t op, uint32_t kind)
{
    return op == SCAN_OP_SUM   ? call_for_kind<T, sum_of, par>(kind)
           : op == SCAN_OP_MAX ? call_for_kind<T, max_of, par>(kind)
                               : call_for_kind<T, min_of, par>(kind);
}

template <typename T, bool par> scan_call *call_for_float(uint32_t op, uint32_t kind)
{
    if (!par || op == SCAN_OP_SUM)
        return call_for_op<T, par>(op, kind);
    return op == SCAN_OP_MAX ? call_for_kind<boxed<T>, on_boxed<max_of>, par>(kind)
                             : call_for_kind<boxed<T>, on_boxed<min_of>, par>(kind);
}

/* Signed sums are computed as unsigned: the same bits, and overflow is defined. */
template <bool par> scan_call *call_for(const scan_problem &problem)
{
    const bool sum = problem.op == SCAN_OP_SUM;
    switch (problem.dtype) {
    case SCAN_DTYPE_I32:
        return sum ? call_for_op<uint32_t, par>(problem.op, problem.kind)
                   : call_for_op<int32_t, par>(problem.op, problem.kind);
    case SCAN_DTYPE_U32:
        return call_for_op<uint32_t, par>(problem.op, problem.kind);
    case SCAN_DTYPE_I64:
        return sum ? call_for_op<uint64_t, par>(problem.op, problem.kind)
                   : call_for_op<int64_t, par>(problem.op, problem.kind);
    case SCAN_DTYPE_U64:
        return call_for_op<uint64_t, par>(problem.op, problem.kind);
    case SCAN_DTYPE_F32:
        return call_for_float<float, par>(problem.op, problem.kind);
    case SCAN_DTYPE_F64:
        return call_for_float<double, par>(problem.op, problem.kind);
    case SCAN_DTYPE_U32X2:
        return call_for_kind<pair<uint32_t>, affine_of, par>(problem.kind);
    default:
        return call_for_kind<pair<float>, affine_of, par>(problem.kind);
    }
}

/* ---- threads -------------------------------------------------------------- */

#if STDPAR_TBB
/* Binds each of TBB's threads once, the first time it enters the arena. */
class placement : public tbb::task_scheduler_observer
{
  public:
    placement(const scan_host *host, tbb::task_arena &arena)
        : tbb::task_scheduler_observer(arena), host_(host)
    {
        observe(true);
    }
    ~placement() override
    {
        observe(false);
    }
    void on_scheduler_entry(bool is_worker) override
    {
        bool &bound = bound_.local();
        if (!is_worker || bound)
            return;
        bound = true;
        if (host_->pin_thread(host_, next_++ % host_->places) != SCAN_OK)
            refused_ = true;
    }
    bool refused() const
    {
        return refused_;
    }

  private:
    const scan_host *host_;
    tbb::enumerable_thread_specific<bool> bound_{false};
    std::atomic<uint32_t> next_{1}; /* the calling thread is at the first place */
    std::atomic<bool> refused_{false};
};

/* The arena gets an explicit size, because TBB would derive it from the binding of the calling
 * thread; the control raises the limit, which TBB derived in the same way. */
struct team {
    tbb::global_control control;
    tbb::task_arena arena;
    placement places;

    team(const scan_host *host, uint32_t threads)
        : control(tbb::global_control::max_allowed_parallelism, threads),
          arena(static_cast<int>(threads)), places(host, arena)
    {
        arena.initialize();
    }
};
#else
struct team {
};
#endif

/* ---- the plugins ---------------------------------------------------------- */

struct instance {
    const scan_host *host;
    scan_call *call;
    uint64_t n;
    std::unique_ptr<team> threads; /* none: only the calling thread */
};

extern const scan_plugin cpu_stdpar_seq;

scan_status create(const scan_host *host, [[maybe_unused]] const scan_plugin *plugin, void *,
                   const scan_problem *problem, void **self_p)
{
    try {
        const uint64_t n = problem->n;
        auto self = std::make_unique<instance>(instance{host, call_for<false>(*problem), n, {}});
#if STDPAR_TBB
        if (plugin != &cpu_stdpar_seq) {
            self->call = call_for<true>(*problem);
            self->threads = std::make_unique<team>(host, cpu_team_size(host, problem->tunables[0]));
        }
#endif
        *self_p = self.release();
        return SCAN_OK;
    } catch (const std::bad_alloc &) {
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    } catch (const std::exception &error) {
        return host->fail(host, SCAN_ERROR, "preparing TBB failed: %s", error.what());
    }
}

scan_status run(void *opaque, scan_buffer in, scan_buffer out)
{
    const instance *self = static_cast<const instance *>(opaque);
    const scan_host *host = self->host;
    const auto scan = [&] { self->call(scan_host_pointer(in), scan_host_pointer(out), self->n); };
    try {
#if STDPAR_TBB
        if (self->threads) {
            self->threads->arena.execute(scan);
            if (self->threads->places.refused())
                return host->fail(host, SCAN_ERROR, "pin_thread failed for a thread of TBB");
            return SCAN_OK;
        }
#endif
        scan();
        return SCAN_OK;
    } catch (const std::bad_alloc &) {
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the library's scan");
    } catch (const std::exception &error) {
        return host->fail(host, SCAN_ERROR, "the library's scan failed: %s", error.what());
    }
}

void destroy(void *opaque)
{
    delete static_cast<instance *>(opaque);
}

constexpr char summary[] = "std::exclusive_scan and std::inclusive_scan";
constexpr char reference[] = "ISO C++17, [exclusive.scan] and [inclusive.scan]";

const scan_plugin cpu_stdpar_seq = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_PEER,
    .id = "cpu_stdpar_seq",
    .name = "C++ standard library, one thread",
    .version = "1.0",
    .summary = summary,
    .reference = reference,
    .ops = {SCAN_OPS_1_0},
    .backend = "cpu",
    .create = create,
    .run = run,
    .destroy = destroy,
};

#if STDPAR_TBB
scan_status supports(const scan_host *host, const scan_plugin *, void *,
                     const scan_problem *problem)
{
    return cpu_team_supports(host, problem->tunables[0]);
}

constexpr scan_tunable tunables[] = {CPU_TEAM_THREADS(0)};

const scan_plugin cpu_stdpar = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_PEER,
    .id = "cpu_stdpar",
    .name = "C++ standard library, par on TBB",
    .version = "1.0",
    .summary = summary,
    .reference = reference,
    .flags = SCAN_FLAG_NONDETERMINISTIC | SCAN_FLAG_ALLOCATES_IN_RUN,
    .ops = {SCAN_OPS_1_0},
    SCAN_TUNABLES(tunables),
    .backend = "cpu",
    .supports = supports,
    .create = create,
    .run = run,
    .destroy = destroy,
};
#endif

} // namespace

#if STDPAR_TBB
SCAN_EXPORT_PLUGINS(&cpu_stdpar_seq, &cpu_stdpar);
#else
SCAN_EXPORT_PLUGINS(&cpu_stdpar_seq);
#endif
