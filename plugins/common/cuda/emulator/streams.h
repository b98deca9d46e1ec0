/*
 * streams.h - streams, events and asynchronous copies for the emulator
 *
 * What is queued on a stream takes place when somebody waits, one thing at a time: of all streams
 * whose next thing may take place, the seed of the device chooses one. A copy is two things, one
 * for each half. So whatever only the timing orders, and no event, goes wrong under some seed.
 * Without a stream everything takes place at once, as ever.
 */
#ifndef EMULATED_STREAMS_H
#define EMULATED_STREAMS_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <random>
#include <vector>

/* NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): these names are CUDA's.
 */
struct CUevent_st {
    uint64_t queued = 0; /* how often it has been recorded */
    uint64_t passed = 0; /* how many of these records have taken place */
};
using cudaEvent_t = struct CUevent_st *;

struct CUstream_st {
    struct thing {
        std::function<void()> act;
        const CUevent_st *behind = nullptr; /* it waits for this event, if any */
        uint64_t times = 0;                 /* until that has passed this often */
    };
    std::deque<thing> things;
};
using cudaStream_t = struct CUstream_st *;
/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */

namespace emulator
{

inline std::vector<CUstream_st *> &all_streams()
{
    static std::vector<CUstream_st *> streams;
    return streams;
}

/* On the stream; without one, now. */
inline void queue(CUstream_st *stream, std::function<void()> act)
{
    if (stream != nullptr)
        stream->things.push_back({std::move(act)});
    else
        act();
}

/* Lets one thing take place. false: nothing can. */
inline bool advance_streams(uint64_t seed)
{
    static std::minstd_rand choice;
    static uint64_t seeded = 0;
    if (seed != seeded)
        choice.seed(static_cast<unsigned>(seeded = seed));
    std::vector<CUstream_st *> ready;
    for (CUstream_st *stream : all_streams())
        if (!stream->things.empty() &&
            (stream->things.front().behind == nullptr ||
             stream->things.front().behind->passed >= stream->things.front().times))
            ready.push_back(stream);
    if (ready.empty())
        return false;
    CUstream_st *chosen = ready[choice() % ready.size()];
    const CUstream_st::thing next = chosen->things.front();
    chosen->things.pop_front();
    if (next.act)
        next.act();
    return true;
}

} // namespace emulator

#endif
