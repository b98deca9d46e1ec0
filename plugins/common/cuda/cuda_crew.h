/*
 * cuda_crew.h - threads that launch on several devices at once
 *
 * A launch takes the host two or three microseconds. One thread that launches on four devices in
 * turn starts the last of them ten microseconds late, which is a third of a scan of 10^7 elements
 * on each. So each further device has a thread that launches for it.
 *
 * A member of the crew waits for work by spinning, because while measuring the next run usually
 * follows at once. After a while without work it sleeps, so that it takes no core from others.
 * Whoever sleeps is not waited for: the caller does its share, and wakes it for the next run.
 */
#ifndef CUDA_CREW_H
#define CUDA_CREW_H

#include <atomic>
#include <chrono>
#include <pthread.h>
#include <sched.h>

enum : unsigned { CUDA_CREW_MOST = 32 };

class cuda_crew
{
  public:
    /* Does a member's share; called on any of the crew's threads, with no device of its own. */
    using work_type = void (*)(void *context, unsigned member);

    /* Starts threads for members 1 ... members-1; the caller is member 0. 0, or why a thread could
     * not be started, as an errno; then nothing is left behind. */
    int start(unsigned members)
    {
        for (unsigned m = 1; m < members; m++) {
            member &one = of_[m];
            one.crew = this;
            one.number = m;
            one.state = IDLE;
            const int error = pthread_create(&one.thread, nullptr, serve, &one);
            if (error != 0) {
                stop();
                return error;
            }
            members_ = m + 1;
        }
        return 0;
    }

    /* Calls work(context, m) for each member, at the same time, and returns when all are done. */
    void run(work_type work, void *context)
    {
        bool is_mine[CUDA_CREW_MOST] = {};
        work_ = work;
        context_ = context;
        for (unsigned m = 1; m < members_; m++)
            is_mine[m] = !of_[m].change(IDLE, WORK);
        work(context, 0);
        for (unsigned m = 1; m < members_; m++)
            if (is_mine[m])
                work(context, m);
        for (unsigned m = 1; m < members_; m++) {
            if (is_mine[m])
                of_[m].wake(IDLE);
            else
                for (unsigned spins = 0; !of_[m].change(DONE, IDLE); spins++)
                    pause(spins);
        }
    }

    /* Ends the threads. */
    void stop()
    {
        for (unsigned m = 1; m < members_; m++) {
            of_[m].wake(QUIT);
            (void)pthread_join(of_[m].thread, nullptr);
        }
        members_ = 1;
    }

    unsigned members() const
    {
        return members_;
    }

    /* How many do not sleep, the caller included. */
    unsigned awake() const
    {
        unsigned count = 1;
        for (unsigned m = 1; m < members_; m++)
            count += of_[m].state != ASLEEP ? 1 : 0;
        return count;
    }

  private:
    enum state { IDLE, WORK, DONE, ASLEEP, QUIT };

    struct alignas(64) member {
        std::atomic<unsigned> state{IDLE};
        cuda_crew *crew = nullptr;
        unsigned number = 0;
        pthread_t thread{};
        pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
        pthread_cond_t woken = PTHREAD_COND_INITIALIZER;

        /* From `from` to `to`; false if it is not in `from`. */
        bool change(unsigned from, unsigned to)
        {
            return state.compare_exchange_strong(from, to, std::memory_order_acq_rel);
        }

        void wake(unsigned to)
        {
            pthread_mutex_lock(&mutex);
            state.store(to, std::memory_order_release);
            pthread_cond_signal(&woken);
            pthread_mutex_unlock(&mutex);
        }

        void sleep()
        {
            pthread_mutex_lock(&mutex);
            if (change(IDLE, ASLEEP))
                while (state.load(std::memory_order_acquire) == ASLEEP)
                    pthread_cond_wait(&woken, &mutex);
            pthread_mutex_unlock(&mutex);
        }
    };

    static void pause(unsigned spins)
    {
        if (spins % 64 == 63)
            sched_yield(); /* the thread that is waited for may be waiting for this core */
#if defined(__x86_64__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        __asm__ __volatile__("yield");
#endif
    }

    static void *serve(void *opaque)
    {
        constexpr std::chrono::milliseconds patience(1);
        member &me = *static_cast<member *>(opaque);
        auto idle_since = std::chrono::steady_clock::now();
        for (unsigned spins = 0;; spins++) {
            const unsigned state = me.state.load(std::memory_order_acquire);
            if (state == QUIT)
                return nullptr;
            if (state == WORK) {
                me.crew->work_(me.crew->context_, me.number);
                me.state.store(DONE, std::memory_order_release);
                idle_since = std::chrono::steady_clock::now();
            } else if (state == IDLE && std::chrono::steady_clock::now() - idle_since > patience) {
                me.sleep();
                idle_since = std::chrono::steady_clock::now();
            }
            pause(spins);
        }
    }

    unsigned members_ = 1;
    work_type work_ = nullptr; /* of the current run */
    void *context_ = nullptr;
    member of_[CUDA_CREW_MOST];
};

#endif
