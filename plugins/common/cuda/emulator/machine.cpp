#include "machine.h"

#include <algorithm>

namespace emulator
{

namespace
{
stack_pool stacks; /* kept from launch to launch */
}

machine::machine(const grid &given, const std::function<void()> &kernel)
    : shape(given), random(given.seed), words(random), body_([this, &kernel] {
          kernel();
          end_thread();
      })
{
    start_order_.resize(shape.blocks / shape.cluster);
    for (unsigned i = 0; i < start_order_.size(); i++)
        start_order_[i] = i;
    if (!shape.in_order)
        std::shuffle(start_order_.begin(), start_order_.end(), random);
}

machine::~machine()
{
    for (const auto &one : threads_)
        if (one->stack != nullptr)
            stacks.give(one->stack);
}

/* ---- blocks and threads begin and end ----------------------------------------------- */

void machine::start_block(cluster &group, unsigned rank)
{
    blocks_.push_back(std::make_unique<block>());
    block &fresh = *blocks_.back();
    fresh.index = start_order_[started_] * shape.cluster + rank;
    fresh.rank = rank;
    fresh.group = &group;
    for (unsigned char &byte : fresh.shared)
        byte = static_cast<unsigned char>(random());
    fresh.all.live = shape.threads;
    fresh.warps.resize(shape.threads / WARP);
    for (warp &each : fresh.warps)
        each.all.live = WARP;
    group.blocks.push_back(&fresh);
    group.all.live += shape.threads;
    live_blocks_++;
    for (unsigned i = 0; i < shape.threads; i++) {
        threads_.push_back(std::make_unique<thread>());
        thread &one = *threads_.back();
        one.of = &fresh;
        one.index = i;
        one.stack = stacks.take();
        one.context.prepare(&body_, one.stack, stack_pool::BYTES);
        add_runnable(&one);
    }
}

void machine::start_cluster()
{
    clusters_.push_back(std::make_unique<cluster>());
    for (unsigned rank = 0; rank < shape.cluster; rank++)
        start_block(*clusters_.back(), rank);
    started_++;
}

void machine::end_thread()
{
    block &home = *now->of;
    now->ended = true;
    leave(now->its_warp().all);
    leave(home.all);
    leave(home.group->all);
    if (home.all.live == 0)
        live_blocks_--;
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

thread *machine::pick()
{
    if (steps_ >= slow_until_) {
        slow_ = random() % 3 != 0 ? runnable_[random() % runnable_.size()]->of : nullptr;
        slow_until_ = steps_ + random() % 5000;
    }
    thread *one = runnable_[random() % runnable_.size()];
    for (int tries = 0; one->of == slow_ && tries < 8; tries++)
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
    size_t waiting = 0;
    for (const auto &one : threads_)
        waiting += one->waits_at != nullptr ? 1 : 0;
    return std::to_string(waiting) + " threads wait, " + std::to_string(live_blocks_) +
           " blocks run, " + std::to_string(start_order_.size() - started_) +
           " clusters have not begun, seed " + std::to_string(shape.seed);
}

std::string machine::run()
{
    while (wrong.empty()) {
        while (started_ < start_order_.size() &&
               (live_blocks_ == 0 || live_blocks_ + shape.cluster <= shape.resident))
            start_cluster();
        if (!actions.empty() && (runnable_.empty() || random() % 64 == 0))
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

} // namespace emulator
