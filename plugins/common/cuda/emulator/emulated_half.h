/*
 * emulated_half.h - sums of floats of 16 bits with a mistake in what is done with words, which a
 * test of a kernel must find; what must come out is that of the sum
 */
#ifndef EMULATED_HALF_H
#define EMULATED_HALF_H

#include "cuda_packed.cuh"

/* A word is scanned, rounded, put behind what stands before it, and rounded again. */
template <typename T> struct emulated_rounded_twice : cuda_sum<T> {
};

template <typename T> struct cuda_packed<emulated_rounded_twice<T>> : cuda_packed<cuda_sum<T>> {
    template <bool INCLUSIVE> static unsigned scan(unsigned word, float *carry_p)
    {
        using half = cuda_half<T>;
        float within = 0;
        const unsigned once = cuda_packed<cuda_sum<T>>::template scan<INCLUSIVE>(word, &within);
        const unsigned twice = half::pair(*carry_p + half::low(once), *carry_p + half::high(once));
        *carry_p += within;
        return twice;
    }
};

/* What is carried from word to word is rounded to an element. */
template <typename T> struct emulated_half_carries : cuda_sum<T> {
};

template <typename T> struct cuda_packed<emulated_half_carries<T>> : cuda_packed<cuda_sum<T>> {
    template <bool INCLUSIVE> static unsigned scan(unsigned word, float *carry_p)
    {
        const unsigned scanned = cuda_packed<cuda_sum<T>>::template scan<INCLUSIVE>(word, carry_p);
        *carry_p = cuda_widen(cuda_narrow<T>(*carry_p));
        return scanned;
    }
};

#endif
