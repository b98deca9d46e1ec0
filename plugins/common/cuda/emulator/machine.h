/*
 * machine.h - one launch: blocks, warps and their barriers, and the scheduler that decides who runs
 *
 * A thread that waits at a barrier is taken out of the list of those that can run and put back by
 * the last to arrive. The scheduler picks from the list at random, for a few steps at a time; from
 * time to time it holds one block back for a while, so that others run far ahead.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include "emulator.h"
#include "fiber.h"
#include "memory.h"

namespace emulator
{

constexpr unsigned WARP = 32;

struct thread;

/* Who has arrived at a barrier, and what they know together. */
struct barrier {
    unsigned live = 0; /* threads that have not ended */
    unsigned arrived = 0;
    uint64_t generation = 0;
    view joined;
    std::vector<thread *> waiting;
};

struct warp {
    barrier all;
    const char *operation = nullptr; /* of the exchange under way */
    uint64_t value[2][WARP] = {};    /* of this exchange and of the one before */
};

struct cluster;

struct block {
    unsigned index = 0;
    unsigned rank = 0; /* in its cluster */
    bool begun = false;
    barrier all;
    std::vector<warp> warps;
    cluster *group = nullptr;
    alignas(128) unsigned char shared[SHARED_BYTES];
};

struct cluster {
    barrier all;
    std::vector<block *> blocks;
};

struct thread {
    fiber context;
    block *of = nullptr;
    unsigned index = 0;
    const barrier *waits_at = nullptr; /* NULL: it can run */
    bool ended = false;
    size_t place = 0; /* in the list of those that can run */
    char *stack = nullptr;
    uint64_t cluster_generation = 0; /* in which it arrived */
    knowledge knows;

    unsigned lane() const
    {
        return index % WARP;
    }
    warp &its_warp() const
    {
        return of->warps[index / WARP];
    }
};

class machine
{
  public:
    machine(const grid &given, const std::function<void()> &kernel);
    ~machine();
    machine(const machine &) = delete;
    machine &operator=(const machine &) = delete;
    std::string run();

    void suspend() const;
    void maybe_suspend();
    void arrive(barrier &at);
    void wait_for(barrier &at, uint64_t generation);
    [[noreturn]] void end_thread();

    const grid shape;
    generator random;
    memory words;
    thread *now = nullptr;
    std::vector<std::function<void()>> actions;
    std::string wrong;

  private:
    void start_cluster();
    void start_block(cluster &group, unsigned rank);
    void release(barrier &at);
    void leave(barrier &at);
    void add_runnable(thread *one);
    void remove_runnable(thread *one);
    thread *pick();
    void run_thread();
    void act();
    std::string where() const;

    const std::function<void()> body_;
    std::vector<unsigned> start_order_; /* of the clusters */
    size_t started_ = 0;
    size_t live_blocks_ = 0;
    uint64_t steps_ = 0;
    const block *slow_ = nullptr; /* held back */
    uint64_t slow_until_ = 0;
    std::vector<std::unique_ptr<block>> blocks_;
    std::vector<std::unique_ptr<cluster>> clusters_;
    std::vector<std::unique_ptr<thread>> threads_;
    std::vector<thread *> runnable_;
};

} // namespace emulator

#endif
