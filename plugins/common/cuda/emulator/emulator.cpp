/*
 * emulator.cpp - what kernels call, each time for the thread of the launch that runs now
 */
#include "emulator.h"

#include "machine.h"

#include <cstring>

namespace emulator
{

/* The launch under way: built-in variables have no argument that could say. */
static machine *launched;

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
