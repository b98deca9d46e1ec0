/*
 * crew_test.cpp - every share is done once in every run, whoever sleeps
 */
#include "cuda_crew.h"

#include "tap.h"

#include <ctime>

namespace
{

constexpr unsigned MEMBERS = 3;

struct shares {
    unsigned done[MEMBERS];
    pthread_t by[MEMBERS];
};

void count(void *context, unsigned member)
{
    auto *all = static_cast<shares *>(context);
    all->done[member]++;
    all->by[member] = pthread_self();
}

void sleep_ms(long ms)
{
    const timespec time = {0, ms * 1'000'000};
    nanosleep(&time, nullptr);
}

bool each_has_done(const shares &all, unsigned runs)
{
    for (const unsigned done : all.done)
        if (done != runs)
            return false;
    return true;
}

void works_in_every_run()
{
    constexpr unsigned runs = 500;
    cuda_crew crew;
    shares all = {};
    bool right = crew.start(MEMBERS) == 0;
    for (unsigned r = 1; r <= runs && right; r++) {
        crew.run(count, &all);
        right = each_has_done(all, r);
    }
    crew.stop();
    ok(right, "each share is done once a run");
}

void works_while_members_sleep()
{
    cuda_crew crew;
    shares all = {};
    bool right = crew.start(MEMBERS) == 0, slept = true;
    for (unsigned r = 1; r <= 10 && right; r++) {
        for (int tries = 0; crew.awake() > 1 && tries < 2000; tries++)
            sleep_ms(2);
        slept = slept && crew.awake() == 1;
        crew.run(count, &all);
        right = each_has_done(all, r) && pthread_equal(all.by[MEMBERS - 1], pthread_self()) != 0;
    }
    ok(slept, "who has no work sleeps");
    ok(right, "the share of who sleeps is done by the caller");
    bool woken = false;
    for (int tries = 0; tries < 1000 && !woken; tries++) {
        crew.run(count, &all);
        sched_yield();
        woken = pthread_equal(all.by[MEMBERS - 1], pthread_self()) == 0;
    }
    ok(woken, "who was woken works again");
    crew.stop();
}

void works_alone()
{
    cuda_crew crew;
    shares all = {};
    const bool started = crew.start(1) == 0;
    crew.run(count, &all);
    crew.stop();
    ok(started && all.done[0] == 1 && all.done[1] == 0, "a crew of one is the caller");
}

} // namespace

int main()
{
    tap_plan(5);
    works_in_every_run();
    works_while_members_sleep();
    works_alone();
    return tap_done();
}
