/*
 * rows_places.h - does a matrix of rows know where tiles lie that are far away?
 */
#ifndef ROWS_PLACES_H
#define ROWS_PLACES_H

#include "emulated_rows.h"

/* Do all that kernels ask a matrix agree with 64-bit arithmetic, at tiles anywhere? */
template <typename Matrix> std::string positions_differ(uint64_t length, uint64_t tile)
{
    constexpr unsigned elements = 8192;
    const auto matrix = emulated_matrix<Matrix>(length, 128);
    const rows_start start = matrix.start(static_cast<unsigned>(tile), elements, 3);
    const uint64_t first = tile * elements - 3;
    const uint64_t begun = (first / length * length + 3) / elements;
    if (start.begun != begun)
        return "tile " + std::to_string(tile) + ": the row is said to begin in another tile";
    for (unsigned i = 0; i < elements; i += 1 + i % 37) {
        const uint64_t position = (first + i) % length;
        const unsigned found = matrix.wrap(start.position + i);
        const uint64_t ahead = position == 0 ? 0 : length - position;
        if ((found > 5000) != (position > 5000) || (position <= 5000 && found != position) ||
            (matrix.beginnings(found) & 1) != (ahead == 0) ||
            (matrix.last_beginning(found, 100) >= 0) != (ahead < 100))
            return "element " + std::to_string(i) + " of tile " + std::to_string(tile) +
                   " of rows of " + std::to_string(length);
    }
    return "";
}

template <typename Matrix> std::string finds_places()
{
    std::string wrong;
    for (const uint64_t length : {UINT64_C(5), UINT64_C(1021), UINT64_C(32768), UINT64_C(32769),
                                  UINT64_C(50257), UINT64_C(1) << 30, (UINT64_C(1) << 30) + 1,
                                  (UINT64_C(1) << 32) + 4099, (UINT64_C(1) << 40) - 1})
        for (const uint64_t tile :
             {UINT64_C(1), UINT64_C(7), UINT64_C(131071), UINT64_C(131072), UINT64_C(131073),
              UINT64_C(524288), UINT64_C(524289), UINT64_C(134217727), UINT64_C(2147483646)})
            if (wrong.empty())
                wrong = positions_differ<Matrix>(length, tile);
    return wrong;
}

#endif
