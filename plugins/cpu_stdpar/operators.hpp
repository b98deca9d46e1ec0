/*
 * operators.hpp - the contract's operators as function objects with an identity
 */
#ifndef STDPAR_OPERATORS_HPP
#define STDPAR_OPERATORS_HPP

#include "scan_half.h"

#include <limits>

struct sum_of {
    template <typename T> static T identity()
    {
        return T{};
    }
    template <typename T> T operator()(const T &left, const T &right) const
    {
        return static_cast<T>(left + right);
    }
};

/* The bound of all values: infinity if the type has one. */
template <typename T> T highest()
{
    using limits = std::numeric_limits<T>;
    return limits::has_infinity ? limits::infinity() : limits::max();
}

template <typename T> T lowest()
{
    using limits = std::numeric_limits<T>;
    return limits::has_infinity ? -limits::infinity() : limits::lowest();
}

struct max_of {
    template <typename T> static T identity()
    {
        return lowest<T>();
    }
    template <typename T> T operator()(const T &left, const T &right) const
    {
        return left < right ? right : left;
    }
};

struct min_of {
    template <typename T> static T identity()
    {
        return highest<T>();
    }
    template <typename T> T operator()(const T &left, const T &right) const
    {
        return right < left ? right : left;
    }
};

template <typename T> struct pair {
    T a, b;
};

struct affine_of {
    template <typename P> static P identity()
    {
        return P{1, 0};
    }
    template <typename P> P operator()(const P &left, const P &right) const
    {
        return P{left.a * right.a, left.b * right.a + right.b};
    }
};

/* A float in a struct. */
template <typename T> struct boxed {
    T value;
};

/* A float of 16 bits in memory, which is added and compared as float, or as a float in a struct. */
template <float (*load)(uint16_t), uint16_t (*store)(float)> class half
{
  public:
    half(float value) : word_(store(value))
    {
    }
    half(boxed<float> box) : half(box.value)
    {
    }
    operator float() const
    {
        return load(word_);
    }
    operator boxed<float>() const
    {
        return {load(word_)};
    }

  private:
    uint16_t word_;
};
using f16 = half<scan_f16_to_f32, scan_f16_from_f32>;
using bf16 = half<scan_bf16_to_f32, scan_bf16_from_f32>;

/* An f32 in memory that is compared as an f64 in a struct. */
struct to_be_boxed {
    float value;
    operator boxed<double>() const
    {
        return {static_cast<double>(value)};
    }
};

/* An operator on values of T alone, to which elements of other types are converted. */
template <typename T, typename Op> struct on {
    T operator()(const T &left, const T &right) const
    {
        return Op{}(left, right);
    }
};

template <typename Op> struct on_boxed {
    template <typename Box> static Box identity()
    {
        return Box{Op::template identity<decltype(Box::value)>()};
    }
    template <typename Box> Box operator()(const Box &left, const Box &right) const
    {
        return Box{Op{}(left.value, right.value)};
    }
};

#endif
