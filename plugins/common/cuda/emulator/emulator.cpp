/*
 * emulator.cpp - blocks, warps and their barriers, and the scheduler that decides who runs
 *
 * A thread that waits at a barrier is taken out of the list of those that can run and put back by
 * the last to arrive. The scheduler picks from the list at random, for a few steps at a time; from
 * time to time it holds one block back for a while, or one device, so that others run far ahead.
 */
#include "machine.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace emulator
{

machine *launched;
static stack_pool stacks;

machine::machine(const grid &given, const std::function<void()> &kernel)
    : shape(given), random(given.seed), words(random), body_([this, &kernel] {
          kernel();
          end_thread();
      }),
      lateness_(UINT64_C(8) << random() % 5)
{
    live_on_.resize(shape.devices);
    to_start_.resize(static_cast<size_t>(shape.devices) * (shape.blocks / shape.cluster));
    for (unsigned i = 0; i < to_start_.size(); i++)
        to_start_[i] = i;
    if (!shape.in_order)
        std::shuffle(to_start_.begin(), to_start_.end(), random);
}

machine::~machine()
{
    for (const auto &one : threads_)
        if (one->stack != nullptr)
            stacks.give(one->stack);
}

/* ---- blocks and threads begin and end ----------------------------------------------- */

void machine::start_block(cluster &group, unsigned device, unsigned index)
{
    blocks_.push_back(std::make_unique<block>());
    block &fresh = *blocks_.back();
    fresh.index = index;
    fresh.device = device;
    fresh.rank = index % shape.cluster;
    fresh.group = &group;
    for (size_t at = 0; at < SHARED_BYTES; at += sizeof(uint64_t)) {
        const uint64_t bits = random();
        std::memcpy(fresh.shared + at, &bits, sizeof bits);
    }
    std::memset(fresh.fenced, static_cast<int>(random() % 256), SHARED_BYTES);
    fresh.all.live = shape.threads;
    fresh.all.name = "__syncthreads";
    fresh.warps.resize(shape.threads / WARP);
    for (warp &each : fresh.warps) {
        each.all.live = WARP;
        each.all.name = "an operation of a warp";
    }
    group.blocks.push_back(&fresh);
    group.all.live += shape.threads;
    live_blocks_++;
    live_on_[device]++;
    for (unsigned i = 0; i < shape.threads; i++) {
        threads_.push_back(std::make_unique<thread>());
        thread &one = *threads_.back();
        one.of = &fresh;
        one.index = i;
        one.read.name = "its bulk stores";
        one.stack = stacks.take();
        one.context.prepare(&body_, one.stack, stack_pool::BYTES);
        add_runnable(&one);
    }
}

void machine::start_cluster(unsigned place)
{
    const unsigned on_each = shape.blocks / shape.cluster;
    clusters_.push_back(std::make_unique<cluster>());
    clusters_.back()->all.name = "a barrier of the cluster";
    for (unsigned rank = 0; rank < shape.cluster; rank++)
        start_block(*clusters_.back(), place / on_each, place % on_each * shape.cluster + rank);
}

/* Those for which their device has room. */
void machine::start_clusters()
{
    const unsigned on_each = shape.blocks / shape.cluster;
    size_t waiting = 0;
    for (const unsigned place : to_start_) {
        const size_t live = live_on_[place / on_each];
        if (live == 0 || live + shape.cluster <= shape.resident)
            start_cluster(place);
        else
            to_start_[waiting++] = place;
    }
    to_start_.resize(waiting);
    has_room_ = false;
}

void machine::end_thread()
{
    block &home = *now->of;
    if (home.all.live == 1 && home.copies > 0)
        broken("a block ends while bulk copies use its shared memory");
    now->ended = true;
    leave(now->its_warp().all);
    leave(home.all);
    leave(home.group->all);
    if (home.all.live == 0) {
        live_blocks_--;
        live_on_[home.device]--;
        has_room_ = true;
    }
    remove_runnable(now);
    for (;;)
        suspend();
}

/* ---- barriers ----------------------------------------------------------------------- */

/* Everybody knows what all who arrived knew. */
void machine::release(barrier &at)
{
    at.arrived = 0;
    at.generation++;
    for (thread *one : at.waiting) {
        one->knows.seen.join(at.joined);
        if (one->waits_at != &at)
            continue;
        one->waits_at = nullptr;
        add_runnable(one);
    }
    at.waiting.clear();
    at.joined = view();
}

/* A thread that ended is not waited for. */
void machine::leave(barrier &at)
{
    at.live--;
    if (at.arrived > 0 && at.arrived == at.live)
        release(at);
}

void machine::arrive(barrier &at)
{
    at.waiting.push_back(now);
    if (++at.arrived == at.live)
        release(at);
}

void machine::wait_for(barrier &at, uint64_t generation)
{
    if (at.generation != generation)
        return;
    now->waits_at = &at;
    remove_runnable(now);
    suspend();
}

/* ---- who runs ----------------------------------------------------------------------- */

void machine::add_runnable(thread *one)
{
    one->place = runnable_.size();
    runnable_.push_back(one);
}

void machine::remove_runnable(thread *one)
{
    runnable_.back()->place = one->place;
    runnable_[one->place] = runnable_.back();
    runnable_.pop_back();
}

void machine::suspend() const
{
    now->context.suspend();
}

void machine::maybe_suspend()
{
    if (random() % 2 == 0)
        suspend();
}

bool machine::is_held_back(const thread *one) const
{
    return one->of == slow_ || one->of->device == slow_device_;
}

thread *machine::pick()
{
    if (steps_ >= slow_until_) {
        slow_ = random() % 3 != 0 ? runnable_[random() % runnable_.size()]->of : nullptr;
        slow_until_ = steps_ + random() % 5000;
        if (shape.devices > 1)
            slow_device_ = static_cast<unsigned>(random() % (UINT64_C(2) * shape.devices));
    }
    thread *one = runnable_[random() % runnable_.size()];
    for (int tries = 0; is_held_back(one) && tries < 8; tries++)
        one = runnable_[random() % runnable_.size()];
    return one;
}

void machine::run_thread()
{
    now = pick();
    now->of->begun = true;
    for (auto turns = 1 + random() % 4; turns > 0; turns--) {
        steps_++;
        now->context.resume();
        if (now->ended || now->waits_at != nullptr || !wrong.empty())
            break;
    }
    if (now->ended) {
        stacks.give(now->stack);
        now->stack = nullptr;
    }
    now = nullptr;
}

void machine::act()
{
    const size_t i = random() % actions.size();
    std::swap(actions[i], actions.back());
    const std::function<void()> action = std::move(actions.back());
    actions.pop_back();
    action();
}

std::string machine::where() const
{
    std::map<std::string, unsigned> waiting;
    for (const auto &one : threads_)
        if (one->waits_at != nullptr)
            waiting[one->waits_at->name]++;
    std::string text;
    for (const auto &[name, threads] : waiting)
        text += std::to_string(threads) + " threads wait at " + name + ", ";
    return text + std::to_string(live_blocks_) + " blocks run, " +
           std::to_string(to_start_.size()) + " clusters have not begun, seed " +
           std::to_string(shape.seed);
}

std::string machine::run()
{
    while (wrong.empty()) {
        if (has_room_)
            start_clusters();
        if (!actions.empty() && (runnable_.empty() || random() % lateness_ == 0))
            act();
        else if (!runnable_.empty())
            run_thread();
        else if (live_blocks_ == 0)
            break;
        else
            wrong = "deadlock: " + where();
        if (wrong.empty() && steps_ > shape.most_steps)
            wrong = "no end in sight: " + where();
    }
    return wrong;
}

/* ---- what kernels call -------------------------------------------------------------- */

std::string run(const grid &shape, const std::function<void()> &kernel)
{
    if (shape.threads == 0 || shape.threads % WARP != 0 || shape.blocks % shape.cluster != 0)
        return "whole warps and whole clusters only";
    machine launch(shape, kernel);
    launched = &launch;
    std::string wrong = launch.run();
    launched = nullptr;
    return wrong;
}

position thread_index()
{
    return {launched->now->index, 0, 0};
}

position block_index()
{
    return {launched->now->of->index, 0, 0};
}

position block_size()
{
    return {launched->shape.threads, 1, 1};
}

position grid_size()
{
    return {launched->shape.blocks, 1, 1};
}

unsigned device_index()
{
    return launched->now->of->device;
}

void step()
{
    launched->suspend();
}

bool toss()
{
    return launched->random() % 2 == 0;
}

void broken(const char *what, const char *more, const char *still_more, const char *last)
{
    const thread &now = *launched->now;
    launched->wrong = std::string(what) + more + still_more + last + " (block " +
                      std::to_string(now.of->index) + ", thread " + std::to_string(now.index) +
                      ", seed " + std::to_string(launched->shape.seed) + ")";
    for (;;)
        launched->suspend();
}

uint64_t load(const void *from, size_t bytes, order how)
{
    launched->maybe_suspend();
    return launched->words.load(launched->now->knows, from, bytes, how);
}

void store(void *to, uint64_t bits, size_t bytes, order how)
{
    launched->maybe_suspend();
    launched->words.store(launched->now->knows, to, bits, bytes, how);
}

void store_late(void *to, uint64_t bits, size_t bytes)
{
    launched->maybe_suspend();
    launched->words.find(to, bytes); /* what is wrong with it is found now */
    later([from = launched->now->knows, to, bits, bytes]() mutable {
        launched->words.store(from, to, bits, bytes, order::relaxed);
    });
}

uint32_t add(uint32_t *to, uint32_t value)
{
    launched->maybe_suspend();
    return launched->words.add(launched->now->knows, to, value);
}

void fence()
{
    launched->maybe_suspend();
    memory::fence(launched->now->knows);
}

void *shared(size_t bytes)
{
    if (bytes > SHARED_BYTES)
        broken("more shared memory than the emulator has");
    return launched->now->of->shared;
}

void *shared_of(const void *mine, unsigned rank)
{
    const block &home = *launched->now->of;
    const auto offset = static_cast<size_t>(static_cast<const unsigned char *>(mine) - home.shared);
    if (rank >= home.group->blocks.size() || offset >= SHARED_BYTES)
        broken("no such shared memory in the cluster");
    launched->maybe_suspend();
    block &other = *home.group->blocks[rank];
    if (!other.begun || other.all.live == 0)
        broken("shared memory of a block that does not run");
    return other.shared + offset;
}

void block_barrier()
{
    launched->maybe_suspend();
    barrier &all = launched->now->of->all;
    const uint64_t generation = all.generation;
    all.joined.join(launched->now->knows.seen);
    launched->arrive(all);
    launched->wait_for(all, generation);
}

void cluster_arrive()
{
    launched->maybe_suspend();
    barrier &all = launched->now->of->group->all;
    launched->now->cluster_generation = all.generation;
    all.joined.join(launched->now->knows.seen);
    launched->arrive(all);
}

void cluster_wait()
{
    launched->wait_for(launched->now->of->group->all, launched->now->cluster_generation);
}

unsigned cluster_rank()
{
    return launched->now->of->rank;
}

/* `joins`: do the lanes learn what the others know? Only __syncwarp promises it. */
static const uint64_t *meet(const char *operation, uint64_t value, bool joins)
{
    launched->maybe_suspend();
    thread &now = *launched->now;
    warp &mine = now.its_warp();
    const uint64_t generation = mine.all.generation;
    if (mine.all.live < WARP)
        broken("a lane has ended before ", operation);
    if (mine.all.arrived == 0)
        mine.operation = operation;
    else if (std::strcmp(mine.operation, operation) != 0)
        broken("the lanes of a warp are at ", mine.operation, " and ", operation);
    uint64_t *const all = mine.value[generation % 2];
    all[now.lane()] = value;
    if (joins)
        mine.all.joined.join(now.knows.seen);
    launched->arrive(mine.all);
    launched->wait_for(mine.all, generation);
    return all;
}

const uint64_t *warp_exchange(const char *operation, uint64_t value)
{
    return meet(operation, value, false);
}

void warp_barrier()
{
    meet("__syncwarp", 0, true);
}

void later(std::function<void()> action)
{
    launched->actions.push_back(std::move(action));
}

} // namespace emulator
