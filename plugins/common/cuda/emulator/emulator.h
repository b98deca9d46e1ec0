/*
 * emulator.h - runs CUDA kernels on the CPU, to find what goes wrong between their threads
 *
 * A kernel that includes <cuda_runtime.h> and finds the one of this folder is plain C++17: the same
 * source that nvcc compiles. Each thread is a fiber. A seed decides everything else: which thread
 * runs next, in which order blocks start, how old a value is that a relaxed load returns, when a
 * bulk copy takes place. So a failure can be repeated.
 *
 *     std::string wrong = emulator::run({.blocks = 8, .threads = 64, .seed = 1}, [&] {
 *         my_kernel(in, out, n);
 *     });
 *
 * What it finds: deadlocks (also those that need few resident blocks), missing barriers, missing
 * fences, wrong orders of accesses, shared memory that is not initialised (it is random) or that
 * belongs to a block that has not begun or has ended; shared memory that a bulk copy still writes
 * or reads, or that was not fenced before it does.
 *
 * What it cannot find: races between plain accesses with no switch between them, and what the
 * hardware or the compiler does beyond the memory model below.
 *
 * Threads switch only at accesses through the functions below, at barriers and at warp operations.
 * Loads and stores of plain C++ take effect at once and for everybody. Words that blocks exchange
 * go through load and store, under this model: a location keeps every value it has had in the
 * launch; a thread may load any that is not older than one it knows of. A release store passes on
 * all that its thread knows, and an acquire load takes that over; barriers do so among their
 * threads. This covers stores that become visible late and loads that are done early.
 */
#ifndef EMULATOR_H
#define EMULATOR_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace emulator
{

/* One launch; on several devices, one launch on each of them, at the same time. */
struct grid {
    unsigned blocks;         /* on each device */
    unsigned threads;        /* a block, a multiple of 32 */
    unsigned resident = ~0u; /* blocks that run at once on a device; at least a cluster */
    unsigned cluster = 1;    /* blocks of a cluster; divides `blocks` */
    unsigned devices = 1;
    uint64_t seed = 1;
    bool in_order = false;            /* do blocks start from 0 on? */
    uint64_t most_steps = 20'000'000; /* then the launch counts as endless */
};

/* Runs `kernel` in every thread of the grid. Returns "" or what went wrong. */
std::string run(const grid &shape, const std::function<void()> &kernel);

/* ---- for the kernel ----------------------------------------------------------------- */

struct position {
    unsigned x, y, z;
};
position thread_index();
position block_index();
position block_size();
position grid_size();
unsigned device_index(); /* 0 ... devices - 1; a block's index is that on its device */

enum class order { relaxed, acquire, release };

/* Accesses to words that several blocks use, 4 or 8 bytes at an address that is always accessed
 * with the same size. */
uint64_t load(const void *from, size_t bytes, order how);
void store(void *to, uint64_t bits, size_t bytes, order how);
/* A relaxed store whose value takes place some time later, as one into another device's memory:
 * until then not even its own thread sees it. */
void store_late(void *to, uint64_t bits, size_t bytes);
/* Adds to a word of 4 bytes, relaxed; returns what was there. */
uint32_t add(uint32_t *to, uint32_t value);
/* Orders this thread's accesses before against those after, for all threads. */
void fence();

/* The block's shared memory, at most SHARED_BYTES; the same at every call. */
constexpr size_t SHARED_BYTES = 16384;
void *shared(size_t bytes);
/* Where the shared memory `mine` lies in block `rank` of this cluster. */
void *shared_of(const void *mine, unsigned rank);

void block_barrier();
void cluster_arrive();
void cluster_wait();
unsigned cluster_rank();

/* All lanes of the warp call with the same `operation`; each gets the values of all 32, which stay
 * valid until its next call. */
const uint64_t *warp_exchange(const char *operation, uint64_t value);
void warp_barrier();

/* A barrier with phases at `at`, 8 bytes of shared memory: a phase is over when `arrivals` threads
 * have arrived and all bytes that they announced have been copied. */
void phases_begin(const void *at, unsigned arrivals);
void phases_arrive(const void *at, unsigned bytes);
/* Waits until the current phase, the first of which is 0, is odd or even unlike `parity`. */
void phases_wait(const void *at, unsigned parity);

/* Bulk copies, which take place later, in pieces and in any order. What they copy into is rubbish
 * until then. They see what was in shared memory when any thread of the block fenced it last. */
void bulk_load(void *to_shared, const void *from, size_t bytes, const void *arrives_at);
/* A load of 16 bytes by one thread, and its arrival once all loads that it began have come. */
void async_load(void *to_shared, const void *from);
void async_arrive(const void *at);
void bulk_store(void *to, const void *from_shared, size_t bytes);
void bulk_wait_read(unsigned but_newest = 0);
void bulk_fence();

/* Sends bytes to where `mine` lies in block `rank` of this cluster, some time later; they arrive at
 * the barrier where `arrives_at` lies there. */
void send(const void *mine, unsigned rank, const void *value, size_t bytes, const void *arrives_at);

/* Takes place some time later, at the latest when nothing else can. */
void later(std::function<void()> action);
/* A point where another thread may continue, as in a loop that waits. */
void step();
/* A coin, where the order of two things is open. */
bool toss();
/* Ends the launch: the kernel did what no kernel may, told in up to four pieces. Not a string,
 * which would be lost with the stack of a thread that never continues. */
[[noreturn]] void broken(const char *what, const char *more = "", const char *still_more = "",
                         const char *last = "");

} // namespace emulator

#endif
