/*
 * machine.h - what the parts of the emulator know of a launch: its blocks, warps, threads and their
 * barriers
 */
#ifndef MACHINE_H
#define MACHINE_H

#include "emulator.h"
#include "fiber.h"
#include "memory.h"

#include <memory>
#include <unordered_map>

namespace emulator
{

constexpr unsigned WARP = 32;

struct thread;

/* Who has arrived at a barrier, and what they know together. */
struct barrier {
    const char *name = "a barrier";
    unsigned live = 0; /* threads that have not ended */
    unsigned arrived = 0;
    uint64_t generation = 0;
    view joined;
    std::vector<thread *> waiting;
};

/* A barrier with phases, in shared memory (bulk.cpp). `waiting` holds those who wait for a phase.
 */
struct phases {
    unsigned arrivals = 0; /* in each phase */
    unsigned missing = 0;  /* of this phase */
    int64_t bytes = 0;     /* announced, and not yet here */
    uint64_t over = 0;     /* phases that are */
    view passed;           /* what those who arrived in the last of them knew */
    barrier all;
};

struct warp {
    barrier all;
    const char *operation = nullptr; /* of the exchange under way */
    uint64_t value[2][WARP] = {};    /* of this exchange and of the one before */
};

struct cluster;

struct block {
    unsigned index = 0; /* on its device */
    unsigned device = 0;
    unsigned rank = 0; /* in its cluster */
    bool begun = false;
    barrier all;
    std::vector<warp> warps;
    cluster *group = nullptr;
    std::unordered_map<const void *, phases> phased;
    unsigned copies = 0; /* bulk copies under way that use `shared` */
    alignas(128) unsigned char shared[SHARED_BYTES];
    unsigned char fenced[SHARED_BYTES]; /* `shared` as bulk copies see it */
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
    unsigned loads = 0; /* asynchronous loads under way */
    std::vector<std::function<void()>> after_loads;
    std::vector<unsigned> stores; /* pieces of each bulk store that have not read shared memory */
    barrier read;                 /* where it waits for them */

    unsigned lane() const
    {
        return index % WARP;
    }
    warp &its_warp() const
    {
        return of->warps[index / WARP];
    }
};

/* One launch. */
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
    void release(barrier &at);
    [[noreturn]] void end_thread();

    const grid shape;
    generator random;
    memory words;
    thread *now = nullptr;
    std::vector<std::function<void()>> actions;
    std::string wrong;

  private:
    void start_clusters();
    void start_cluster(unsigned place);
    void start_block(cluster &group, unsigned device, unsigned index);
    bool is_held_back(const thread *one) const;
    void leave(barrier &at);
    void add_runnable(thread *one);
    void remove_runnable(thread *one);
    thread *pick();
    void run_thread();
    void act();
    std::string where() const;

    const std::function<void()> body_;
    std::vector<unsigned> to_start_; /* clusters, those of device 0 first, in a random order */
    bool has_room_ = true;           /* may some of them begin? */
    std::vector<size_t> live_on_;    /* blocks, by device */
    size_t live_blocks_ = 0;
    uint64_t steps_ = 0;
    const block *slow_ = nullptr; /* held back */
    unsigned slow_device_ = ~0u;
    uint64_t slow_until_ = 0;
    const uint64_t lateness_; /* of actions: steps between two of them, on average */
    std::vector<std::unique_ptr<block>> blocks_;
    std::vector<std::unique_ptr<cluster>> clusters_;
    std::vector<std::unique_ptr<thread>> threads_;
    std::vector<thread *> runnable_;
};

/* The launch under way: built-in variables have no argument that could say. */
extern machine *launched;

} // namespace emulator

#endif
