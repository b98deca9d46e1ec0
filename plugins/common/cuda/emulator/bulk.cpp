/*
 * bulk.cpp - barriers with phases, and bulk copies that come late, in pieces, in any order
 *
 * The ordinary accesses of threads and bulk copies see shared memory on different ways, which only
 * a fence joins. So there are two images of it: a bulk load writes both, a bulk store reads the
 * second one, and a fence copies the first to the second. (A fence of one thread counts for its
 * whole block, which the hardware does not promise.) Asynchronous loads of single threads write the
 * first, as ordinary accesses do.
 */
#include "machine.h"

#include <algorithm>
#include <cstring>

namespace emulator
{

static phases &find(const void *at, block &home = *launched->now->of)
{
    std::unordered_map<const void *, phases> &all = home.phased;
    const auto found = all.find(at);
    if (found == all.end())
        broken("a barrier with phases that was not set up");
    return found->second;
}

static void end_phase_if_complete(phases &one)
{
    if (one.missing > 0 || one.bytes != 0)
        return;
    one.missing = one.arrivals;
    one.over++;
    one.passed = one.all.joined;
    launched->release(one.all);
}

void phases_begin(const void *at, unsigned arrivals)
{
    launched->maybe_suspend();
    phases &one = launched->now->of->phased[at];
    if (one.arrivals != 0)
        broken("a barrier with phases that was set up twice");
    one.arrivals = one.missing = arrivals;
    one.all.name = "a barrier with phases";
}

static void arrive(phases &one, unsigned bytes, const view &seen)
{
    if (one.missing == 0)
        broken("more arrivals at a barrier with phases than it was set up for");
    one.all.joined.join(seen);
    one.bytes += bytes;
    one.missing--;
    end_phase_if_complete(one);
}

void phases_arrive(const void *at, unsigned bytes)
{
    launched->maybe_suspend();
    arrive(find(at), bytes, launched->now->knows.seen);
}

void phases_wait(const void *at, unsigned parity)
{
    launched->maybe_suspend();
    phases &one = find(at);
    while (one.over % 2 == parity) {
        one.all.waiting.push_back(launched->now);
        launched->wait_for(one.all, one.all.generation);
    }
    launched->now->knows.seen.join(one.passed);
}

/* ---- copies ------------------------------------------------------------------------- */

static size_t offset_in_shared(const void *shared, size_t bytes)
{
    const block &home = *launched->now->of;
    const auto address = reinterpret_cast<uintptr_t>(shared);
    const auto begin = reinterpret_cast<uintptr_t>(home.shared);
    if (address < begin || address - begin + bytes > SHARED_BYTES)
        broken("a bulk copy outside of shared memory");
    return address - begin;
}

static void check_alignment(const void *to, const void *from, size_t bytes)
{
    if ((reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from) | bytes) % 16 != 0)
        broken("a bulk copy that is not aligned to 16 bytes");
}

/* Calls `copy` for pieces of the bytes. */
static void in_pieces(size_t bytes, const std::function<void(size_t first, size_t bytes)> &copy)
{
    for (size_t first = 0; first < bytes;) {
        const size_t piece =
            std::min<size_t>(bytes - first, 16 * (1 + launched->random() % (bytes / 16)));
        copy(first, piece);
        first += piece;
    }
}

void bulk_load(void *to_shared, const void *from, size_t bytes, const void *arrives_at)
{
    launched->maybe_suspend();
    check_alignment(to_shared, from, bytes);
    const size_t offset = offset_in_shared(to_shared, bytes);
    phases &barrier = find(arrives_at);
    block &home = *launched->now->of;
    for (size_t i = offset; i < offset + bytes; i++)
        home.shared[i] = home.fenced[i] = static_cast<unsigned char>(launched->random());
    in_pieces(bytes, [&](size_t first, size_t piece) {
        home.copies++;
        const auto *source = static_cast<const unsigned char *>(from) + first;
        const size_t to = offset + first;
        later([&home, &barrier, source, to, piece] {
            std::memcpy(home.shared + to, source, piece);
            std::memcpy(home.fenced + to, source, piece);
            home.copies--;
            barrier.bytes -= static_cast<int64_t>(piece);
            end_phase_if_complete(barrier);
        });
    });
}

void async_load(void *to_shared, const void *from)
{
    constexpr size_t bytes = 16;
    launched->maybe_suspend();
    check_alignment(to_shared, from, bytes);
    const size_t offset = offset_in_shared(to_shared, bytes);
    thread &owner = *launched->now;
    for (size_t i = offset; i < offset + bytes; i++)
        owner.of->shared[i] = static_cast<unsigned char>(launched->random());
    owner.of->copies++;
    owner.loads++;
    later([&owner, from, offset] {
        std::memcpy(owner.of->shared + offset, from, bytes);
        owner.of->copies--;
        if (--owner.loads > 0)
            return;
        for (const auto &arrives : owner.after_loads)
            arrives();
        owner.after_loads.clear();
    });
}

void async_arrive(const void *at)
{
    launched->maybe_suspend();
    phases &one = find(at);
    thread &now = *launched->now;
    if (now.loads == 0)
        arrive(one, 0, now.knows.seen);
    else
        now.after_loads.emplace_back([&one, seen = now.knows.seen] { arrive(one, 0, seen); });
}

void send(const void *mine, unsigned rank, const void *value, size_t bytes, const void *arrives_at)
{
    const auto *at = static_cast<const unsigned char *>(shared_of(mine, rank));
    block &other = *launched->now->of->group->blocks[rank];
    phases &barrier = find(shared_of(arrives_at, rank), other);
    const auto offset = static_cast<size_t>(at - other.shared);
    const auto *from = static_cast<const unsigned char *>(value);
    other.copies++;
    later([&other, &barrier, offset, sent = std::vector<unsigned char>(from, from + bytes)] {
        std::memcpy(other.shared + offset, sent.data(), sent.size());
        other.copies--;
        barrier.bytes -= static_cast<int64_t>(sent.size());
        end_phase_if_complete(barrier);
    });
}

/* Reads shared memory, and writes what it has read still later. */
void bulk_store(void *to, const void *from_shared, size_t bytes)
{
    launched->maybe_suspend();
    check_alignment(to, from_shared, bytes);
    const size_t offset = offset_in_shared(from_shared, bytes);
    thread &owner = *launched->now;
    const size_t number = owner.stores.size();
    owner.stores.push_back(0);
    in_pieces(bytes, [&](size_t first, size_t piece) {
        owner.of->copies++;
        owner.stores[number]++;
        unsigned char *target = static_cast<unsigned char *>(to) + first;
        const size_t from = offset + first;
        later([&owner, number, target, from, piece] {
            const unsigned char *data = owner.of->fenced + from;
            const std::vector<unsigned char> read(data, data + piece);
            owner.of->copies--;
            if (--owner.stores[number] == 0)
                launched->release(owner.read);
            later([read, target] { std::memcpy(target, read.data(), read.size()); });
        });
    });
}

void bulk_wait_read(unsigned but_newest)
{
    launched->maybe_suspend();
    thread &now = *launched->now;
    const auto has_read = [](unsigned pieces) { return pieces == 0; };
    const auto newest = static_cast<ptrdiff_t>(std::min<size_t>(but_newest, now.stores.size()));
    while (!std::all_of(now.stores.begin(), now.stores.end() - newest, has_read)) {
        now.read.waiting.push_back(&now);
        launched->wait_for(now.read, now.read.generation);
    }
}

void bulk_fence()
{
    launched->maybe_suspend();
    block &home = *launched->now->of;
    std::memcpy(home.fenced, home.shared, SHARED_BYTES);
}

} // namespace emulator
