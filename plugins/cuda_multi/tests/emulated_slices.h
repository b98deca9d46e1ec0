/*
 * emulated_slices.h - a problem of cuda_multi in slices between guards, and what is expected of it
 */
#ifndef EMULATED_SLICES_H
#define EMULATED_SLICES_H

#include "multi_part.cuh"

#include "emulated_scan.h"

#include <string>
#include <vector>

namespace
{

/* How one problem is run. */
struct setting {
    unsigned parts = 3;
    lookahead_shape shape = {1, 2, 3};
    bool looks_ahead = true;
    bool gathers = false;   /* as if by NCCL */
    bool in_turn = false;   /* reductions in a launch of their own */
    unsigned missing = ~0u; /* the part that is not reduced */
    unsigned blocks = 2;    /* of a reduction */
    unsigned ctas = 2;      /* of a look-ahead */
    unsigned runs = 1;
    unsigned patience = CUDA_PATIENCE;
    bool inclusive = false;
    bool in_place = false;
    unsigned skew = 0;
    uint64_t seed = 1;
    uint64_t most_steps = 100'000'000;
};

/* A problem's elements and result. */
template <typename Op> struct whole {
    using T = typename Op::value;
    std::vector<T> in, expected;

    whole(Op op, uint64_t n, bool inclusive)
    {
        T running = op.identity();
        for (uint64_t i = 0; i < n; i++) {
            T element;
            emulated_element(n + i, &element);
            const T next = op(running, element);
            in.push_back(element);
            expected.push_back(inclusive ? next : running);
            running = next;
        }
    }
};

/* A part's arrays, between guards. */
template <typename T> struct slice {
    static constexpr unsigned GUARD = 8;
    std::vector<cuda_vector<T>> room_in, room_out;
    uint64_t first, n;
    T *in, *out;

    slice(const std::vector<T> &from, uint64_t given_first, uint64_t given_n, const setting &how)
        : room_in(given_n + how.skew + 1), room_out(given_n + how.skew + 2 * GUARD + 1),
          first(given_first), n(given_n), in(room_in[0].element + how.skew % (16 / sizeof(T))),
          out(how.in_place ? in : room_out[0].element + GUARD + how.skew % (16 / sizeof(T)))
    {
        std::copy(from.begin() + static_cast<ptrdiff_t>(first),
                  from.begin() + static_cast<ptrdiff_t>(first + n), in);
    }

    std::string compare(const std::vector<T> &expected) const
    {
        for (uint64_t i = 0; i < n; i++)
            if (memcmp(&out[i], &expected[first + i], sizeof(T)) != 0)
                return "element " + std::to_string(first + i) + " is wrong";
        const T untouched = {};
        if (out != in && (memcmp(out - 1, &untouched, sizeof(T)) != 0 ||
                          memcmp(out + n, &untouched, sizeof(T)) != 0))
            return "wrote outside of the output";
        return "";
    }
};

} // namespace

#endif
