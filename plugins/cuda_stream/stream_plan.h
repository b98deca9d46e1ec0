/*
 * stream_plan.h - how an array in the host's memory is cut into chunks, and what the device's
 * memory holds
 *
 *     a buffer for each of `buffers` chunks, each behind the room of one tile (stream_scan.cuh)
 *     the carry from chunk to chunk
 *     the status words of the look-back over one chunk
 */
#ifndef STREAM_PLAN_H
#define STREAM_PLAN_H

#include <cstdint>

enum : uint64_t {
    STREAM_ALIGNED = 4096,        /* a chunk's bytes are a multiple of it */
    STREAM_LEAST_CHUNK = 1 << 20, /* bytes of a chunk that is chosen by n */
    STREAM_MOST_CHUNK = 64 << 20, /* the same; a few milliseconds on the bus */
    STREAM_CHUNKS_WANTED = 16,    /* so that the first and the last copy alone cost little */
    STREAM_MOST_BUFFERS = 16,
    STREAM_CARRY_BYTES = 256
};

/* What can be set. */
struct stream_settings {
    uint64_t chunk_bytes;  /* 0: by n */
    unsigned buffers;      /* chunks on the device at once */
    uint64_t device_bytes; /* the most that may be allocated there; 0: no limit */
};

/* What the algorithm needs beside the chunks themselves. */
struct stream_needs {
    uint64_t tile_bytes; /* of a tile of elements, a multiple of 16 */
    uint64_t word_bytes; /* of a tile's status word; 0: nothing is scanned */
    uint64_t fixed_bytes;
};

struct stream_plan {
    uint64_t bytes;       /* of the array */
    uint64_t chunk_bytes; /* of all chunks but the last */
    uint64_t chunks;
    uint64_t stride_bytes; /* from buffer to buffer */
    uint64_t lead_bytes;   /* from a buffer to its chunk */
    uint64_t words_bytes;
    uint64_t device_bytes; /* of all */
    unsigned buffers;
};

inline uint64_t stream_round_up(uint64_t bytes, uint64_t to)
{
    return (bytes + to - 1) / to * to;
}

/* The plan for chunks of that many bytes. */
inline stream_plan stream_plan_of(uint64_t bytes, uint64_t chunk_bytes, unsigned buffers,
                                  const stream_needs &needs)
{
    stream_plan plan = {};
    plan.bytes = bytes;
    plan.chunk_bytes = chunk_bytes;
    plan.chunks = (bytes + chunk_bytes - 1) / chunk_bytes;
    plan.buffers = plan.chunks < buffers ? static_cast<unsigned>(plan.chunks) : buffers;
    plan.lead_bytes = needs.word_bytes > 0 ? stream_round_up(needs.tile_bytes, STREAM_ALIGNED) : 0;
    plan.stride_bytes = plan.lead_bytes + chunk_bytes;
    if (needs.word_bytes > 0) /* a tile more: the carry's word */
        plan.words_bytes =
            needs.fixed_bytes +
            ((chunk_bytes + needs.tile_bytes - 1) / needs.tile_bytes + 1) * needs.word_bytes;
    plan.device_bytes = plan.buffers * plan.stride_bytes + STREAM_CARRY_BYTES + plan.words_bytes;
    return plan;
}

inline uint64_t stream_wanted_chunk(uint64_t bytes, const stream_settings &settings)
{
    uint64_t wanted = settings.chunk_bytes;
    if (wanted == 0) {
        wanted = bytes / STREAM_CHUNKS_WANTED;
        wanted = wanted < STREAM_LEAST_CHUNK ? STREAM_LEAST_CHUNK : wanted;
        wanted = wanted > STREAM_MOST_CHUNK ? STREAM_MOST_CHUNK : wanted;
    }
    wanted = wanted < bytes ? wanted : bytes; /* one that is larger only takes memory */
    return wanted > 0 ? stream_round_up(wanted, STREAM_ALIGNED) : STREAM_ALIGNED;
}

/* The largest chunks up to those wanted that fit into the limit. false: none do, and *plan_p says
 * how much the smallest would take. */
inline bool stream_plan_make(uint64_t bytes, const stream_settings &settings,
                             const stream_needs &needs, stream_plan *plan_p)
{
    uint64_t most = stream_wanted_chunk(bytes, settings) / STREAM_ALIGNED, least = 1;
    const auto fits = [&](uint64_t units) {
        *plan_p = stream_plan_of(bytes, units * STREAM_ALIGNED, settings.buffers, needs);
        return settings.device_bytes == 0 || plan_p->device_bytes <= settings.device_bytes;
    };
    if (fits(most))
        return true;
    while (least < most) { /* `most` does not fit */
        const uint64_t middle = (least + most) / 2;
        if (fits(middle))
            least = middle + 1;
        else
            most = middle;
    }
    return most > 1 ? fits(most - 1) : fits(1);
}

inline uint64_t stream_bytes_of(const stream_plan &plan, uint64_t chunk)
{
    const uint64_t left = plan.bytes - chunk * plan.chunk_bytes;
    return left < plan.chunk_bytes ? left : plan.chunk_bytes;
}

#endif
