/*
 * cpu_tbb.cpp - parallel_scan of oneTBB, for comparison
 *
 * TBB splits the range where threads are idle: a part that another thread takes is summed first
 * (the pre-scan) and scanned when the sum before it is known (the final scan), so what is split is
 * read twice; the rest is scanned in one pass. The parts, and with them the last bits of float
 * sums, differ from run to run. The scan of a part is a plain loop, as a user would write it. TBB
 * allocates its tasks in each call.
 *
 * Of many rows, and of scans that lie side by side, parallel_for gives each thread some.
 */
#include "cpu_team.h"
#include "scan_plugin.h"
#include "tbb_team.hpp"
#include "typed_call.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_scan.h>
#include <tbb/version.h>

namespace
{

using range = tbb::blocked_range<uint64_t>;

template <typename E, typename T, typename Op> T reduce_part(const E *x, const range &part, T sum)
{
    for (uint64_t i = part.begin(); i != part.end(); i++)
        sum = Op{}(sum, T(x[i]));
    return sum;
}

template <typename E, typename R, typename T, typename Op, scan_kind kind>
T scan_part(const E *x, R *y, const range &part, T sum)
{
    for (uint64_t i = part.begin(); i != part.end(); i++) {
        const T next = Op{}(sum, T(x[i]));
        y[i] = kind == SCAN_KIND_EXCLUSIVE ? sum : next;
        sum = next;
    }
    return sum;
}

template <typename E, typename R, typename T, typename Op, scan_kind kind>
void scan_row(const E *x, R *y, uint64_t n)
{
    const auto part = [x, y](const range &r, T sum, bool is_final) {
        return is_final ? scan_part<E, R, T, Op, kind>(x, y, r, sum)
                        : reduce_part<E, T, Op>(x, r, sum);
    };
    tbb::parallel_scan(range(0, n), Op::template identity<T>(), part, Op{});
}

/* Side by side there may be many scans: a thread takes so many of them at once. */
constexpr uint64_t most_columns = 256;

/* `width` <= most_columns scans side by side, of n elements each, `inner` elements apart. */
template <typename E, typename R, typename T, typename Op, scan_kind kind>
void scan_columns(const E *x, R *y, uint64_t n, uint64_t inner, uint64_t width)
{
    T sums[most_columns];
    std::fill_n(sums, width, Op::template identity<T>());
    for (uint64_t i = 0; i < n; i++, x += inner, y += inner)
        for (uint64_t j = 0; j < width; j++) {
            const T next = Op{}(sums[j], T(x[j]));
            y[j] = kind == SCAN_KIND_EXCLUSIVE ? sums[j] : next;
            sums[j] = next;
        }
}

struct engine {
    static constexpr bool boxes_floats = false;
    template <typename E, typename R, typename T, typename Op, scan_kind kind>
    static void scan(const void *in, void *out, const scan_shape &shape)
    {
        const E *x = static_cast<const E *>(in);
        R *y = static_cast<R *>(out);
        const uint64_t n = shape.n, inner = shape.inner;
        const auto threads = static_cast<uint64_t>(tbb::this_task_arena::max_concurrency());
        if (rows_one_by_one<R>(shape, threads)) {
            for (uint64_t row = 0; row < shape.rows; row++)
                scan_row<E, R, T, Op, kind>(x + row * n, y + row * n, n);
            return;
        }
        const uint64_t slabs = (inner + most_columns - 1) / most_columns;
        tbb::parallel_for(range(0, shape.rows * slabs), [=](const range &r) {
            for (uint64_t k = r.begin(); k != r.end(); k++) {
                const uint64_t begin = k % slabs * most_columns, at = k / slabs * n * inner + begin;
                if (inner == 1)
                    scan_part<E, R, T, Op, kind>(x + at, y + at, range(0, n),
                                                 Op::template identity<T>());
                else
                    scan_columns<E, R, T, Op, kind>(x + at, y + at, n, inner,
                                                    std::min(inner - begin, most_columns));
            }
        });
    }
};

struct instance {
    const scan_host *host;
    scan_call *call;
    scan_shape shape;
    tbb_team threads;
};

scan_status supports(const scan_host *host, const scan_plugin *, void *,
                     const scan_problem *problem)
{
    return cpu_team_supports(host, problem->tunables[0]);
}

scan_status create(const scan_host *host, const scan_plugin *, void *, const scan_problem *problem,
                   void **self_p)
{
    try {
        const uint32_t threads = cpu_team_size(host, problem->tunables[0]);
        *self_p = new instance{host, call_for<engine>(*problem), scan_shape(*problem),
                               tbb_team(host, threads)};
        return SCAN_OK;
    } catch (const std::bad_alloc &) {
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    } catch (const std::exception &error) {
        return host->fail(host, SCAN_ERROR, "preparing TBB failed: %s", error.what());
    }
}

scan_status run(void *opaque, scan_buffer in, scan_buffer out)
{
    instance *self = static_cast<instance *>(opaque);
    const scan_host *host = self->host;
    try {
        self->threads.arena.execute(
            [&] { self->call(scan_host_pointer(in), scan_host_pointer(out), self->shape); });
    } catch (const std::bad_alloc &) {
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the library's scan");
    } catch (const std::exception &error) {
        return host->fail(host, SCAN_ERROR, "the library's scan failed: %s", error.what());
    }
    if (self->threads.places.refused())
        return host->fail(host, SCAN_ERROR, "pin_thread failed for a thread of TBB");
    return SCAN_OK;
}

void destroy(void *opaque)
{
    delete static_cast<instance *>(opaque);
}

constexpr scan_tunable tunables[] = {CPU_TEAM_THREADS(0)};

const scan_plugin cpu_tbb = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_PEER,
    .id = "cpu_tbb",
    .name = "oneTBB, parallel_scan",
    .version = TBB_VERSION_STRING,
    .summary = "tbb::parallel_scan around plain loops; rows and axes: parallel_for",
    .reference = "oneAPI Threading Building Blocks, parallel_scan",
    .flags =
        SCAN_FLAG_NONDETERMINISTIC | SCAN_FLAG_ALLOCATES_IN_RUN | SCAN_FLAG_ROWS | SCAN_FLAG_INNER,
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

} // namespace

SCAN_EXPORT_PLUGINS(&cpu_tbb);
