/*
 * cuda_turn.h - how the launches on one set of status words are numbered
 *
 * A launch knows its own words by its number, and its own tickets by how many the launches before
 * it took. So nothing has to be reset between launches. The numbers have 30 bits, which leaves two
 * of a word's half for a flag; when they are used up, the words are cleared once.
 */
#ifndef CUDA_TURN_H
#define CUDA_TURN_H

enum : unsigned { CUDA_MOST_LAUNCHES = (1u << 30) - 1 };

/* All 0: nothing is known about the words. */
struct cuda_turn {
    unsigned launch;       /* 1 ... CUDA_MOST_LAUNCHES */
    unsigned first_ticket; /* of this launch; tickets wrap at 2^32 */
    unsigned tickets;      /* that this launch takes */
};

/* Goes on to a launch that takes `tickets` tickets. Returns: must words and tickets be set to 0
 * before it? */
inline bool cuda_turn_advance(cuda_turn *turn, unsigned tickets)
{
    const bool begins = turn->launch == 0 || turn->launch == CUDA_MOST_LAUNCHES;
    turn->first_ticket = begins ? 0 : turn->first_ticket + turn->tickets;
    turn->launch = begins ? 1 : turn->launch + 1;
    turn->tickets = tickets;
    return begins;
}

#endif
