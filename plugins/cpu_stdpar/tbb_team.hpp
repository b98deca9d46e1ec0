/*
 * tbb_team.hpp - an arena of TBB with as many threads as asked for, bound to the host's places
 */
#ifndef TBB_TEAM_HPP
#define TBB_TEAM_HPP

#include "scan_plugin.h"

#include <atomic>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

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

/* The arena gets an explicit size, because TBB would derive it from the binding of the calling
 * thread; the control raises the limit, which TBB derived in the same way. */
struct tbb_team {
    tbb::global_control control;
    tbb::task_arena arena;
    placement places;

    tbb_team(const scan_host *host, uint32_t threads)
        : control(tbb::global_control::max_allowed_parallelism, threads),
          arena(static_cast<int>(threads)), places(host, arena)
    {
        arena.initialize();
    }
};

#endif
