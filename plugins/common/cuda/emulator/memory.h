/*
 * memory.h - words that threads of several blocks use, under a weak memory model
 *
 * Each location keeps its values in the order in which they were stored. A thread has a view: for
 * each location, the oldest value it may still load. A relaxed load may return any value from there
 * on, and then moves the view. A value carries the view that its store released; an acquire load,
 * or a fence after a relaxed one, joins it to the thread's own (Kang et al., "A Promising Semantics
 * for Relaxed-Memory Concurrency", POPL 2017, without promises).
 */
#ifndef MEMORY_H
#define MEMORY_H

#include "emulator.h"
#include "generator.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace emulator
{

/* For each location the index of a value. Copies share their numbers until one of them changes. */
class view
{
  public:
    uint32_t at(size_t location) const;
    void advance(size_t location, uint32_t index);
    void join(const view &other);

  private:
    void own();
    std::shared_ptr<std::vector<uint32_t>> index_; /* empty: all 0 */
};

/* What a thread knows. */
struct knowledge {
    view seen;     /* its loads return nothing older */
    view loaded;   /* what relaxed loads found; a fence adds it to `seen` */
    view released; /* what relaxed stores carry: `seen` at the last fence */
};

class memory
{
  public:
    explicit memory(generator &random) : random_(random)
    {
    }
    uint64_t load(knowledge &thread, const void *from, size_t bytes, order how);
    void store(knowledge &thread, void *to, uint64_t bits, size_t bytes, order how);
    uint32_t add(knowledge &thread, uint32_t *to, uint32_t more);
    static void fence(knowledge &thread);
    /* The location at `address`, which is accessed with this size only. */
    size_t find(const void *address, size_t bytes);

  private:
    struct value {
        uint64_t bits;
        view carried;
    };
    struct location {
        size_t bytes;
        std::vector<value> values;
    };

    generator &random_;
    std::unordered_map<const void *, size_t> index_;
    std::vector<location> locations_;
};

} // namespace emulator

#endif
