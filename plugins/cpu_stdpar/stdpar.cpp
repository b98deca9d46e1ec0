/*
 * stdpar.cpp - the C++ standard library's scans, for comparison
 *
 * cpu_stdpar_seq is std::exclusive_scan and std::inclusive_scan on one thread;
 * cpu_stdpar is the same with std::execution::par, which libstdc++ hands to TBB.
 * What the library does inside, its own scratch memory included, is part of what
 * is measured. Splitting the range differs from run to run, so the last bits of
 * float sums may as well.
 */
#include "cpu_team.h"
#include "operators.hpp"
#include "scan_plugin.h"

#include <exception>
#include <new>
#include <numeric>
#include <stdexcept>

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

/* Signed sums are the unsigned ones: the same bits, and overflow is defined. */
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

/* ---- one thread ----------------------------------------------------------- */

struct sequential {
    const scan_host *host;
    scan_call *call;
    uint64_t n;

    sequential(const scan_host *given, const scan_problem &problem)
        : host(given), call(call_for<false>(problem)), n(problem.n)
    {
    }

    void run(const void *in, void *out) const
    {
        call(in, out, n);
    }
};

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

/* The arena is given its size, because TBB would take it from the binding of the
 * calling thread; the control raises the limit that TBB took from the same. */
struct parallel {
    const scan_host *host;
    scan_call *call;
    uint64_t n;
    tbb::global_control control;
    tbb::task_arena arena;
    placement places;

    parallel(const scan_host *given, const scan_problem &problem)
        : host(given), call(call_for<true>(problem)), n(problem.n),
          control(tbb::global_control::max_allowed_parallelism, threads(given, problem)),
          arena(static_cast<int>(threads(given, problem))), places(given, arena)
    {
        arena.initialize();
    }

    static uint32_t threads(const scan_host *host, const scan_problem &problem)
    {
        return cpu_team_size(host, problem.tunables[0]);
    }

    void run(const void *in, void *out)
    {
        arena.execute([&] { call(in, out, n); });
        if (places.refused())
            throw std::runtime_error("pin_thread failed for a thread of TBB");
    }
};

scan_status parallel_supports(const scan_host *host, void *, const scan_problem *problem)
{
    return cpu_team_supports(host, problem->tunables[0]);
}
#endif

/* ---- the plugins ---------------------------------------------------------- */

template <typename Instance>
scan_status create(const scan_host *host, void *, const scan_problem *problem, void **self_p)
{
    try {
        *self_p = new Instance(host, *problem);
        return SCAN_OK;
    } catch (const std::bad_alloc &) {
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    } catch (const std::exception &error) {
        return host->fail(host, SCAN_ERROR, "preparing TBB failed: %s", error.what());
    }
}

template <typename Instance> scan_status run(void *opaque, scan_buffer in, scan_buffer out)
{
    Instance *self = static_cast<Instance *>(opaque);
    try {
        self->run(scan_host_pointer(in), scan_host_pointer(out));
        return SCAN_OK;
    } catch (const std::exception &error) {
        return self->host->fail(self->host, SCAN_ERROR, "the library's scan failed: %s",
                                error.what());
    }
}

template <typename Instance> void destroy(void *opaque)
{
    delete static_cast<Instance *>(opaque);
}

/* Evaluated by the compiler: the host reads the tables before any code here runs. */
template <typename Instance> constexpr scan_plugin describe(const char *id, const char *name)
{
    scan_plugin plugin{};
    plugin.struct_size = sizeof(scan_plugin);
    plugin.role = SCAN_ROLE_PEER;
    plugin.kinds = SCAN_KINDS_BOTH;
    plugin.dtypes = SCAN_DTYPES_ALL;
    plugin.ops = SCAN_OPS_ALL;
    plugin.id = id;
    plugin.name = name;
    plugin.version = "1.0";
    plugin.summary = "std::exclusive_scan and std::inclusive_scan";
    plugin.reference = "ISO C++17, [exclusive.scan] and [inclusive.scan]";
    plugin.backend = "cpu";
    plugin.create = create<Instance>;
    plugin.run = run<Instance>;
    plugin.destroy = destroy<Instance>;
    return plugin;
}

constexpr scan_plugin cpu_stdpar_seq =
    describe<sequential>("cpu_stdpar_seq", "C++ standard library, one thread");

#if STDPAR_TBB
constexpr const scan_tunable *tunables[] = {&cpu_team_threads, nullptr};

constexpr scan_plugin describe_parallel()
{
    scan_plugin plugin = describe<parallel>("cpu_stdpar", "C++ standard library, par on TBB");
    plugin.flags = SCAN_FLAG_NONDETERMINISTIC;
    plugin.tunables = tunables;
    plugin.supports = parallel_supports;
    return plugin;
}

constexpr scan_plugin cpu_stdpar = describe_parallel();
#endif

} // namespace

#if STDPAR_TBB
SCAN_EXPORT_PLUGINS(&cpu_stdpar_seq, &cpu_stdpar);
#else
SCAN_EXPORT_PLUGINS(&cpu_stdpar_seq);
#endif
