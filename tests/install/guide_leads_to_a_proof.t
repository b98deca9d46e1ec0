#!/bin/sh
# The plugin guide leads where it says: its plugin builds, fails as it is shown to fail, and
# is right with the tail that it is given then; its wrappers of libraries build and are right.
# slow
# about: core docs harness/proof plugins/common *CMakeLists.txt
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
scanbench=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd)/scanbench || exit 1
guide=$root/docs/plugin-guide.md
unset SCANBENCH_PLUGIN_PATH
cd "$work" || exit 1

# block K: the K-th block of C in the guide.
block() {
    awk -v wanted="$1" '/^```c/ { count++; inside = count == wanted; next } /^```/ { inside = 0 } inside' \
        "$guide"
}

builds() {
    cc -O3 -shared -fPIC -I "$root/core/include" four_scan.c -o four_scan.so
}

# Every line that the guide shows of the proof is printed; on a slow machine with fewer runs.
prints_what_is_shown() {
    PATH=$(dirname "$scanbench"):$PATH scanbench validate ./four_scan.so >proof 2>&1
    cat proof
    sed -n "s/ ([0-9]* runs)\$//;s/^    \\($1\\)/\\1/p" "$guide" >shown
    [ -s shown ] && while read -r line; do
        grep -qF -- "$line" proof || { echo "is not printed: $line" && return 1; }
    done <shown
}

with_tail() {
    block 2 >"$work/tail"
    awk -v tail="$work/tail" '/float carry = 0;/ { while ((getline line < tail) > 0) print line; skip = 1 }
         /return SCAN_OK;/ { skip = 0 }
         !skip' four_scan.c >mended.c && mv mended.c four_scan.c && builds
}

is_right() {
    prints_what_is_shown 'ok 1[1-4] - ' && ! grep -q '^not ok' proof
}

# The guide's plugin, of u32, with the guide's loop over many scans in the place of its own.
takes_tensors() {
    block 5 >"$work/loop"
    block 1 | sed 's/uint64_t n;/uint64_t rows, n, inner;/
        s/{host, problem->n,/{host, scan_rows(problem), problem->n, scan_inner(problem),/
        s/const float/const uint32_t/; s/float \*y/uint32_t *y/; s/DTYPE_F32/DTYPE_U32/; s/four_scan/rows_scan/
        s/\.reference = "",/& .flags = SCAN_FLAG_ROWS | SCAN_FLAG_INNER | SCAN_FLAG_IN_PLACE,/' |
        awk -v loop="$work/loop" '/float carry = 0;/ { while ((getline line < loop) > 0) print line; skip = 1 }
             /return SCAN_OK;/ { skip = 0 }
             !skip' >rows_scan.c
    cc -O3 -shared -fPIC -I "$root/core/include" rows_scan.c -o rows_scan.so &&
        "$scanbench" validate ./rows_scan.so --max-n 70000 >proof 2>&1
    good=$?
    grep '^not ok\|is right in rows\|along an axis' proof
    [ $good -eq 0 ] && [ "$(grep -c '^ok .*\(is right in rows\|along an axis\)' proof)" -eq 2 ]
}

# The library that the guide wraps: a class with a pool of threads, for u32.
make_library() {
    cat >fastsum.hpp <<'END'
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace fastsum
{
class pool
{
  public:
    explicit pool(unsigned threads) : threads_(threads), sums_(threads)
    {
        for (unsigned part = 1; part < threads; part++)
            others_.emplace_back([this, part] { serve(part); });
    }
    ~pool()
    {
        begin(nullptr);
        for (std::thread &other : others_)
            other.join();
    }
    void inclusive_sum(const uint32_t *x, uint32_t *y, uint64_t n) { scan(x, y, n, true); }
    void exclusive_sum(const uint32_t *x, uint32_t *y, uint64_t n) { scan(x, y, n, false); }

  private:
    using work = std::function<void(unsigned)>;
    void begin(const work *next)
    {
        std::lock_guard<std::mutex> held(lock_);
        work_ = next;
        pending_ = threads_ - 1;
        turn_++;
        changed_.notify_all();
    }
    void on_all(const work &part)
    {
        begin(&part);
        part(0);
        std::unique_lock<std::mutex> held(lock_);
        changed_.wait(held, [this] { return pending_ == 0; });
    }
    void serve(unsigned part)
    {
        for (uint64_t seen = 0;;) {
            std::unique_lock<std::mutex> held(lock_);
            changed_.wait(held, [&] { return turn_ != seen; });
            seen = turn_;
            const work *now = work_;
            held.unlock();
            if (now == nullptr)
                return;
            (*now)(part);
            held.lock();
            if (--pending_ == 0)
                changed_.notify_all();
        }
    }
    void scan(const uint32_t *x, uint32_t *y, uint64_t n, bool inclusive)
    {
#ifdef NEVER_EMPTY
        if (n == 0)
            std::abort();
#endif
        const auto at = [=](uint64_t part) { return n / threads_ * part + n % threads_ * part / threads_; };
        const struct task { const uint32_t *x; uint32_t *y; bool inclusive; } t = {x, y, inclusive};
        on_all(std::ref(up_ = [this, at, t](unsigned part) {
            uint32_t sum = 0;
            for (uint64_t i = at(part); i < at(part + 1); i++)
                sum += t.x[i];
            sums_[part] = sum;
        }));
        on_all(std::ref(down_ = [this, at, t](unsigned part) {
            uint32_t sum = 0;
            for (unsigned before = 0; before < part; before++)
                sum += sums_[before];
            for (uint64_t i = at(part); i < at(part + 1); i++) {
                const uint32_t next = sum + t.x[i];
                t.y[i] = t.inclusive ? next : sum;
                sum = next;
            }
        }));
    }
    unsigned threads_, pending_ = 0;
    uint64_t turn_ = 0;
    const work *work_ = nullptr;
    work up_, down_;
    std::vector<uint32_t> sums_;
    std::vector<std::thread> others_;
    std::mutex lock_;
    std::condition_variable changed_;
};
} // namespace fastsum
END
}

# By the guide's own command, in the tree. wrapper_builds ID FLAG...
wrapper_builds() {
    id=$1
    shift
    command=$(sed -n '/^    c++ .*-I core/,/fastsum.so$/p' "$guide" | tr -d '\\\n' |
        sed "s,-I core,-I \"$root/core,; s,core/include,core/include\",; s,-I plugins/common/cpu,-I \"$root/plugins/common/cpu\",; s/fastsum\\.\\(cc\\|so\\)/$id.\\1/g")
    echo "$command $*"
    eval "$command $*"
}

wrapper_is_right() {
    "$scanbench" validate "./$1.so" --claims exports,sizes,repeat --max-n 9000 >proof 2>&1
    status=$?
    cat proof
    [ "$status" -eq 0 ] && grep -q "^ok .*right at n = 0" proof
}

# rows ID FLAG: its rows of run, with the flag; on all cores and on one.
wrapper_has_cores() {
    "$scanbench" --plugins ./fastsum.so --sizes 1e5 --time-limit 0.1 --json rows >table 2>errors
    cat errors rows
    grep '"phase":"run","status":"ok"' rows | grep '"plugin":"fastsum".*"role":"peer"' |
        grep -vqE '"flags":"([^"]*;)?threads[;"]'
}

# What the guide warns of: the same without the tunable, on four threads.
lacks_cores() {
    sed '/SCAN_TUNABLES\|supports/d; /^static const scan_tunable/d; s/"fastsum"/"one_core"/
         s/cpu_peer_threads(host, plugin, problem)/4/' fastsum.cc >one_core.cc && wrapper_builds one_core || return 1
    "$scanbench" --plugins ./one_core.so --sizes 1e5 --time-limit 0.1 --json rows >table 2>errors
    cat errors rows
    grep -q 'one_core: .* threads on 1 core.*SCAN_TUNABLE_THREADS' errors &&
        grep '"phase":"run","status":"ok"' rows | grep -qE '"flags":"([^"]*;)?threads[;"]'
}

# Inclusive only, by the line that the guide gives.
inclusive_only() {
    ops=$(sed -n 's/^ *\(\.ops = .*SCAN_BIT(SCAN_KIND_INCLUSIVE), SCAN_BIT(SCAN_DTYPE_U32)}},\)$/\1/p' "$guide" | head -n 1)
    [ -n "$ops" ] || return 1
    sed "s/^    \\.ops = .*/    $ops/; s/\"fastsum\"/\"one_kind\"/; s/exclusive_sum/inclusive_sum/" \
        fastsum.cc >one_kind.cc && wrapper_builds one_kind && wrapper_is_right one_kind &&
        grep -q 'u32 sum is right at n = 0' proof && ! grep -q 'i32 sum' proof
}

# A claim of any n is tried with 0.
never_empty() {
    sed 's/"fastsum"/"never_empty"/' fastsum.cc >never_empty.cc && wrapper_builds never_empty -DNEVER_EMPTY &&
        exits 1 "not ok" wrapper_is_right never_empty && grep -q 'sizes 0' proof
}

on_default_stream() {
    cat >prefix_sum.cuh <<'END'
__global__ void prefix_sum_kernel(const unsigned *in, unsigned *out, int n)
{
    unsigned sum = 0;
    for (int i = 0; i < n; i++)
        out[i] = sum += in[i];
}
inline void prefix_sum(const unsigned *in, unsigned *out, int n)
{
    prefix_sum_kernel<<<1, 1>>>(in, out, n);
}
END
    block 4 >prefix_sum.cu
    common=$root/plugins/common/cuda
    "$nvcc" -std=c++17 -O3 -shared -Xcompiler -fPIC,-fvisibility=hidden -Xlinker --exclude-libs=ALL \
        -I "$root/core/include" -I "$common" prefix_sum.cu "$common"/*.cu -o prefix_sum.so
}

nvcc=$(sed -n 's/^CMAKE_CUDA_COMPILER:[A-Z]*=//p' "$(dirname "$scanbench")/CMakeCache.txt")
block 1 >four_scan.c
plan 13
claim "the guide's plugin builds" builds
claim "the guide's plugin fails as the guide shows" prints_what_is_shown 'not ok 11\|  [a-z_]*: .*four_scan.*\|  reason: .*\|  looks_like: .*'
claim "the guide's plugin with its tail builds" with_tail
claim "the guide's plugin with its tail is right, as the guide shows" is_right
claim "with the guide's loop it is right in rows and along an axis" takes_tensors
if command -v c++ >/dev/null 2>&1; then
    make_library
    block 3 >fastsum.cc
    claim "the guide's wrapper of a library with threads builds" wrapper_builds fastsum
    claim "and is right" wrapper_is_right fastsum
    claim "its row is that of a peer with all the cores that it uses" wrapper_has_cores
    claim "without a tunable for threads its rows are flagged, and it is named" lacks_cores
    claim "a library that is inclusive only is wrapped by the line that the guide gives" inclusive_only
    claim "a library that cannot take n = 0 is found" never_empty
else
    skip 6 "there is no C++ compiler"
fi
if [ ! -x "$nvcc" ]; then
    skip 2 "this build has no CUDA"
else
    claim "the guide's wrapper of a library on the default stream builds" on_default_stream
    if "$scanbench" list --plugins ./prefix_sum.so --require prefix_sum >/dev/null 2>&1; then
        claim "and is right" wrapper_is_right prefix_sum
    else
        skip 1 "there is no GPU"
    fi
fi
