/*
 * emulated_words.h - for tests of kernels whose tiles exchange words: what outlives a launch, and
 * what becomes of mutants
 */
#ifndef EMULATED_WORDS_H
#define EMULATED_WORDS_H

#include "cuda_words.h"
#include "tap.h"

#include <algorithm>
#include <string>
#include <vector>

/* The words and counters of one instance of a plugin. */
template <typename Words> struct emulated_words {
    std::vector<typename Words::word> words;
    unsigned tickets = 17; /* nothing is known about them yet */
    unsigned failed_tile = CUDA_NO_TILE;
    cuda_turn turn = {};

    explicit emulated_words(size_t tiles) : words(tiles)
    {
    }

    /* As after the launches that `from` counts. */
    emulated_words(size_t tiles, const cuda_turn &from)
        : words(tiles), tickets(from.first_ticket + from.tickets), turn(from)
    {
    }

    /* Goes on to a launch, as cuda_words_advance does. */
    void advance(unsigned launch_tickets)
    {
        if (!cuda_turn_advance(&turn, launch_tickets))
            return;
        std::fill(words.begin(), words.end(), typename Words::word());
        tickets = 0;
    }

    /* "" or what was wrong with the launch. */
    std::string outcome() const
    {
        if (failed_tile != CUDA_NO_TILE)
            return "tile " + std::to_string(failed_tile) + " gave up";
        return tickets == turn.first_ticket + turn.tickets ? "" : "tickets miscounted";
    }
};

inline void report(const std::string &wrong, const char *text)
{
    if (!ok(wrong.empty(), "%s", text))
        printf("# %s\n", wrong.c_str());
}

/* A mutant must go wrong. */
inline void found(const std::string &wrong, const char *what)
{
    ok(!wrong.empty(), "%s: %s", what, wrong.c_str());
}

#endif
