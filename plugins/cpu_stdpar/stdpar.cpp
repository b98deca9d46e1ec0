/*
 * stdpar.cpp - the C++ standard library's scans, for comparison
 *
 * cpu_stdpar_seq is std::exclusive_scan and std::inclusive_scan on one thread; cpu_stdpar is the
 * same with std::execution::par, which libstdc++ hands to TBB. All that the library does is
 * measured; with par that includes allocating scratch memory in each call. The range is split
 * differently in each run, so the last bits of float sums may differ. Of many rows std::for_each
 * gives each thread some, which it scans one after the other.
 */
#include "cpu_team.h"
#include "scan_plugin.h"
#include "typed_call.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <numeric>
#include <vector>

#if STDPAR_TBB
#include "tbb_team.hpp"
#include <execution>
#include <tbb/version.h>
#endif

namespace
{

/* ---- the scans ------------------------------------------------------------ */

template <typename E, typename R, typename T, typename Op, scan_kind kind>
void scan_some_rows(const E *x, R *y, uint64_t rows, uint64_t n)
{
    const T identity = Op::template identity<T>();
    for (uint64_t row = 0; row < rows; row++, x += n, y += n)
        if constexpr (kind == SCAN_KIND_EXCLUSIVE)
            std::exclusive_scan(x, x + n, y, identity, on<T, Op>{});
        else
            std::inclusive_scan(x, x + n, y, on<T, Op>{}, identity);
}

struct sequential {
    static constexpr bool boxes_floats = false;
    template <typename E, typename R, typename T, typename Op, scan_kind kind>
    static void scan(const void *in, void *out, const scan_shape &shape)
    {
        scan_some_rows<E, R, T, Op, kind>(static_cast<const E *>(in), static_cast<R *>(out),
                                          shape.rows, shape.n);
    }
};

#if STDPAR_TBB
struct parallel {
    /* For floating-point types the parallel scans of libstdc++ begin each part with T{}, which is
     * the identity of sum but not of max and min; for a struct they do not. */
    static constexpr bool boxes_floats = true;
    template <typename E, typename R, typename T, typename Op, scan_kind kind>
    static void scan(const void *in, void *out, const scan_shape &shape)
    {
        const E *x = static_cast<const E *>(in);
        R *y = static_cast<R *>(out);
        const auto threads = static_cast<uint64_t>(tbb::this_task_arena::max_concurrency());
        if (!rows_one_by_one<R>(shape, threads)) {
            scan_shares<E, R, T, Op, kind>(x, y, shape, threads * shares_of_thread);
            return;
        }
        for (uint64_t row = 0; row < shape.rows; row++, x += shape.n, y += shape.n)
            scan_row<E, R, T, Op, kind>(x, y, shape.n);
    }

  private:
    static constexpr uint64_t shares_of_thread = 16;

    template <typename E, typename R, typename T, typename Op, scan_kind kind>
    static void scan_row(const E *x, R *y, uint64_t n)
    {
        const T identity = Op::template identity<T>();
        if constexpr (kind == SCAN_KIND_EXCLUSIVE)
            std::exclusive_scan(std::execution::par, x, x + n, y, identity, on<T, Op>{});
        else
            std::inclusive_scan(std::execution::par, x, x + n, y, on<T, Op>{}, identity);
    }

    template <typename E, typename R, typename T, typename Op, scan_kind kind>
    static void scan_shares(const E *x, R *y, const scan_shape &shape, uint64_t count)
    {
        const uint64_t share = (shape.rows + count - 1) / count;
        std::vector<uint64_t> firsts;
        for (uint64_t row = 0; row < shape.rows; row += share)
            firsts.push_back(row);
        std::for_each(std::execution::par, firsts.begin(), firsts.end(), [=](uint64_t row) {
            scan_some_rows<E, R, T, Op, kind>(x + row * shape.n, y + row * shape.n,
                                              std::min(share, shape.rows - row), shape.n);
        });
    }
};
#else
struct tbb_team {
};
#endif

/* ---- the plugins ---------------------------------------------------------- */

struct instance {
    const scan_host *host;
    scan_call *call;
    scan_shape shape;
    std::unique_ptr<tbb_team> threads; /* none: only the calling thread */
};

extern const scan_plugin cpu_stdpar_seq;

scan_status create(const scan_host *host, [[maybe_unused]] const scan_plugin *plugin, void *,
                   const scan_problem *problem, void **self_p)
{
    try {
        auto self = std::make_unique<instance>(
            instance{host, call_for<sequential>(*problem), scan_shape(*problem), {}});
#if STDPAR_TBB
        if (plugin != &cpu_stdpar_seq) {
            self->call = call_for<parallel>(*problem);
            self->threads =
                std::make_unique<tbb_team>(host, cpu_team_size(host, problem->tunables[0]));
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
    const auto scan = [&] {
        self->call(scan_host_pointer(in), scan_host_pointer(out), self->shape);
    };
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

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
#if defined(_GLIBCXX_RELEASE)
#define LIBRARY "libstdc++ " TEXT(_GLIBCXX_RELEASE)
#elif defined(_LIBCPP_VERSION)
#define LIBRARY "libc++ " TEXT(_LIBCPP_VERSION)
#else
#define LIBRARY "unknown"
#endif

constexpr char summary[] = "std::exclusive_scan and std::inclusive_scan";
constexpr char reference[] = "ISO C++17, [exclusive.scan] and [inclusive.scan]";

const scan_plugin cpu_stdpar_seq = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_PEER,
    .id = "cpu_stdpar_seq",
    .name = "C++ standard library, one thread",
    .version = LIBRARY,
    .summary = summary,
    .reference = reference,
    .flags = SCAN_FLAG_ROWS,
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1, SCAN_HALF_OPS_1_1},
    .backend = "cpu",
    .create = create,
    .run = run,
    .destroy = destroy,
    .get_extension = nullptr,
    .results = {SCAN_WIDE_1_1},
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
    .version = LIBRARY ", oneTBB " TBB_VERSION_STRING,
    .summary = summary,
    .reference = reference,
    .flags = SCAN_FLAG_NONDETERMINISTIC | SCAN_FLAG_ALLOCATES_IN_RUN | SCAN_FLAG_ROWS,
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1, SCAN_HALF_OPS_1_1},
    SCAN_TUNABLES(tunables),
    .backend = "cpu",
    .supports = supports,
    .create = create,
    .run = run,
    .destroy = destroy,
    .get_extension = nullptr,
    .results = {SCAN_WIDE_1_1},
};
#endif

} // namespace

#if STDPAR_TBB
SCAN_EXPORT_PLUGINS(&cpu_stdpar_seq, &cpu_stdpar);
#else
SCAN_EXPORT_PLUGINS(&cpu_stdpar_seq);
#endif
