/*
 * memory.cpp - loads that may be old, stores that carry what their thread knows
 */
#include "memory.h"

#include <algorithm>
#include <cstring>

namespace emulator
{

/* ---- views -------------------------------------------------------------------------- */

uint32_t view::at(size_t location) const
{
    return index_ && location < index_->size() ? (*index_)[location] : 0;
}

void view::own()
{
    if (!index_)
        index_ = std::make_shared<std::vector<uint32_t>>();
    else if (index_.use_count() > 1)
        index_ = std::make_shared<std::vector<uint32_t>>(*index_);
}

void view::advance(size_t location, uint32_t index)
{
    if (index <= at(location))
        return;
    own();
    if (location >= index_->size())
        index_->resize(location + 1);
    (*index_)[location] = index;
}

void view::join(const view &other)
{
    if (!other.index_ || other.index_ == index_)
        return;
    if (!index_) {
        index_ = other.index_;
        return;
    }
    for (size_t i = 0; i < other.index_->size(); i++)
        advance(i, (*other.index_)[i]);
}

/* ---- accesses ----------------------------------------------------------------------- */

size_t memory::find(const void *address, size_t bytes)
{
    const auto found = index_.try_emplace(address, locations_.size());
    const size_t place = found.first->second;
    if (found.second) {
        uint64_t bits = 0;
        std::memcpy(&bits, address, bytes);
        locations_.push_back({bytes, {{bits, view()}}});
    }
    if (locations_[place].bytes != bytes)
        broken("a word is accessed with different sizes");
    if (reinterpret_cast<uintptr_t>(address) % bytes != 0)
        broken("a word is accessed at a misaligned address");
    return place;
}

uint64_t memory::load(knowledge &thread, const void *from, size_t bytes, order how)
{
    const size_t place = find(from, bytes);
    const std::vector<value> &values = locations_[place].values;
    const auto newest = static_cast<uint32_t>(values.size() - 1);
    const uint32_t oldest = thread.seen.at(place);
    /* Mostly the newest, so that a thread that waits does not wait for long. */
    const bool old = newest > oldest && random_() % 4 == 0;
    const auto index = old ? oldest + static_cast<uint32_t>(random_() % (newest - oldest)) : newest;
    thread.seen.advance(place, index);
    if (how == order::acquire)
        thread.seen.join(values[index].carried);
    else
        thread.loaded.join(values[index].carried);
    return values[index].bits;
}

void memory::store(knowledge &thread, void *to, uint64_t bits, size_t bytes, order how)
{
    const size_t place = find(to, bytes);
    std::vector<value> &values = locations_[place].values;
    thread.seen.advance(place, static_cast<uint32_t>(values.size()));
    values.push_back({bits, how == order::release ? thread.seen : thread.released});
    std::memcpy(to, &bits, bytes);
}

/* An addition sees the newest value: it is done where the word lies. */
uint32_t memory::add(knowledge &thread, uint32_t *to, uint32_t more)
{
    const size_t place = find(to, sizeof *to);
    std::vector<value> &values = locations_[place].values;
    const auto was = static_cast<uint32_t>(values.back().bits);
    view carried = values.back().carried;
    thread.loaded.join(carried);
    carried.join(thread.released);
    thread.seen.advance(place, static_cast<uint32_t>(values.size()));
    values.push_back({was + more, carried});
    *to = was + more;
    return was;
}

void memory::fence(knowledge &thread)
{
    thread.seen.join(thread.loaded);
    thread.released = thread.seen;
}

} // namespace emulator
