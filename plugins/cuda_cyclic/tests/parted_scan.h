/*
 * parted_scan.h - for tests that scan a problem in parts under the emulator: the arrays of each
 * part, the words that outlive a launch, and the launch on all devices
 */
#ifndef PARTED_SCAN_H
#define PARTED_SCAN_H

#include "cyclic_kernel.cuh"
#include "emulated_scan.h"
#include "emulated_words.h"
#include "scan_parts.h"

#include <memory>

/* How a problem is run. */
struct parted_setting {
    unsigned parts = 2;
    unsigned devices = 2; /* part p lies on device p mod devices */
    lookahead_shape shape = {1, 2, 3};
    unsigned ctas = 3;       /* of each part */
    unsigned resident = ~0u; /* on each device */
    unsigned patience = CUDA_PATIENCE;
    unsigned missing = ~0u; /* a device that does not launch */
    bool inclusive = false;
    bool in_place = false;
    unsigned skew_out = 0;
    uint64_t seed = 1;
    uint64_t most_steps = 50'000'000;
};

/* The tiles of n elements, dealt to the parts: a view of `all` for each, with arrays of its own. */
template <typename Op> class parted_arrays
{
  public:
    using T = typename Op::value;

    struct part {
        std::vector<cuda_vector<T>> in, out;
        uint64_t n;
        T *first_out; /* behind the guard */
    };

    parted_arrays(Op op, uint64_t n, uint64_t tile, const parted_setting &how)
        : tile_(tile), how_(how), of_(how.parts)
    {
        for (unsigned p = 0; p < how.parts; p++)
            make(p, scan_parts_length(n, tile, how.parts, p));
        T running = op.identity();
        for (uint64_t i = 0; i < n; i++) {
            T element;
            emulated_element(n + i, &element);
            *in_at(i) = element;
            const T next = op(running, element);
            expected_.push_back(how.inclusive ? next : running);
            running = next;
        }
    }

    const T *in(unsigned p) const
    {
        return of_[p].in[0].element;
    }
    T *out(unsigned p)
    {
        return how_.in_place ? of_[p].in[0].element : of_[p].first_out;
    }
    /* Element i of the problem. */
    T *in_at(uint64_t i)
    {
        return of_[part_of(i)].in[0].element + place_of(i);
    }
    T *out_at(uint64_t i)
    {
        return out(part_of(i)) + place_of(i);
    }
    uint64_t n(unsigned p) const
    {
        return of_[p].n;
    }

    /* "" or what is wrong with the outputs. */
    std::string compare()
    {
        for (uint64_t i = 0; i < expected_.size(); i++)
            if (memcmp(out_at(i), &expected_[i], sizeof(T)) != 0)
                return "element " + std::to_string(i) + " of " + std::to_string(expected_.size()) +
                       " in " + std::to_string(how_.parts) + " parts is wrong";
        for (unsigned p = 0; p < how_.parts && !how_.in_place; p++)
            for (uint64_t i = 0; i < GUARD; i++)
                if (!is_poison(of_[p].first_out - GUARD + i) ||
                    !is_poison(of_[p].first_out + of_[p].n + i))
                    return "wrote outside of part " + std::to_string(p);
        return "";
    }

  private:
    static constexpr unsigned GUARD = 8; /* a multiple of 16 bytes */

    void make(unsigned p, uint64_t n)
    {
        part &mine = of_[p];
        mine.n = n;
        mine.in.resize(n * sizeof(T) / 16 + 1);
        mine.out.resize((n + 2 * GUARD) * sizeof(T) / 16 + 2);
        memset(static_cast<void *>(mine.out.data()), POISON, mine.out.size() * 16);
        mine.first_out = mine.out[0].element + GUARD + how_.skew_out;
    }

    static bool is_poison(const T *at)
    {
        T poison;
        memset(static_cast<void *>(&poison), POISON, sizeof poison);
        return memcmp(at, &poison, sizeof poison) == 0;
    }

    unsigned part_of(uint64_t i) const
    {
        return static_cast<unsigned>(i / tile_ % how_.parts);
    }
    uint64_t place_of(uint64_t i) const
    {
        return i / tile_ / how_.parts * tile_ + i % tile_;
    }

    static constexpr int POISON = 0xa5;
    uint64_t tile_;
    const parted_setting how_;
    std::vector<part> of_;
    std::vector<T> expected_;
};

/* What outlives a launch: a copy of the words for each part, and its tickets. */
template <typename Words> struct parted_words {
    using word = typename Words::word;
    std::vector<std::vector<word>> copy;
    std::vector<unsigned> tickets;
    std::vector<unsigned> first_ticket;
    unsigned failed_tile = CUDA_NO_TILE;
    cuda_turn turn = {};

    parted_words(unsigned parts, size_t tiles, unsigned first = 0)
        : copy(parts, std::vector<word>(tiles)), tickets(parts, first), first_ticket(parts, first)
    {
    }

    /* Goes on to the next launch. */
    void advance()
    {
        if (!cuda_turn_advance(&turn, 0))
            return;
        for (auto &words : copy)
            std::fill(words.begin(), words.end(), word());
    }

    std::string outcome() const
    {
        if (failed_tile != CUDA_NO_TILE)
            return "tile " + std::to_string(failed_tile) + " gave up";
        return tickets == first_ticket ? "" : "tickets miscounted";
    }
};

/* What device d is given. */
template <typename Op, typename Words, typename T = typename Op::value>
cyclic_launch<T, typename Words::word> parted_launch(parted_words<Words> &self,
                                                     parted_arrays<Op> &data, uint64_t tile,
                                                     const parted_setting &how, unsigned device)
{
    cyclic_launch<T, typename Words::word> launch = {};
    for (unsigned p = 0; p < how.parts; p++) {
        launch.copy[p] = self.copy[p].data();
        const auto tiles = static_cast<unsigned>((data.n(p) + tile - 1) / tile);
        if (p % how.devices != device || tiles == 0)
            continue;
        launch.here[launch.count++] = {
            data.in(p), data.out(p), data.n(p), &self.tickets[p], tiles, self.first_ticket[p], p};
    }
    launch.failed_tile = &self.failed_tile;
    launch.parts = how.parts;
    launch.launch = self.turn.launch;
    launch.patience = how.patience;
    launch.inclusive = how.inclusive;
    return launch;
}

/* Launches once on all devices. "" or what is wrong, the outputs apart. */
template <typename Op, unsigned LINES, typename Words, typename Rules>
std::string parted_run(Op op, parted_words<Words> &self, parted_arrays<Op> &data,
                       const parted_setting &how)
{
    using T = typename Op::value;
    const uint64_t tile = lookahead_tile_elements<T>(how.shape.scanners, LINES);
    self.advance();
    std::vector<cyclic_launch<T, typename Words::word>> launches;
    emulator::grid shape = {.blocks = 0,
                            .threads = lookahead_threads(how.shape),
                            .resident = how.resident,
                            .devices = how.devices};
    for (unsigned d = 0; d < how.devices; d++) {
        launches.push_back(parted_launch<Op, Words>(self, data, tile, how, d));
        shape.blocks = std::max(shape.blocks, launches[d].count * how.ctas);
    }
    for (unsigned d = 0; d < how.devices; d++)
        for (unsigned i = 0; i < launches[d].count; i++)
            self.first_ticket[launches[d].here[i].part] += launches[d].here[i].tiles + how.ctas;
    shape.seed = how.seed;
    shape.most_steps = how.most_steps;
    const std::string wrong = emulator::run(shape, [&] {
        const unsigned device = emulator::device_index();
        if (device != how.missing && blockIdx.x < launches[device].count * how.ctas)
            cyclic_scan<Op, LINES, Words, Rules, T>(op, launches[device], how.shape);
    });
    return wrong.empty() ? self.outcome() : wrong;
}

/* Scans n elements once. "" or what is wrong. */
template <typename Op, unsigned LINES, typename Words, typename Rules = lookahead_rules>
std::string parted_scan(Op op, parted_words<Words> &self, uint64_t n, const parted_setting &how)
{
    const uint64_t tile = lookahead_tile_elements<typename Op::value>(how.shape.scanners, LINES);
    if ((n + tile - 1) / tile > self.copy[0].size())
        return "the test has too few words";
    parted_arrays<Op> data(op, n, tile, how);
    const std::string wrong = parted_run<Op, LINES, Words, Rules>(op, self, data, how);
    return wrong.empty() ? data.compare() : wrong;
}

#endif
