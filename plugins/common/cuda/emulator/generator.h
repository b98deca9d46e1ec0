/*
 * generator.h - the emulator's random numbers, several for each step, so they must be cheap
 *
 * SplitMix: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
 */
#ifndef GENERATOR_H
#define GENERATOR_H

#include <cstdint>

namespace emulator
{

class generator
{
  public:
    using result_type = uint64_t;
    static constexpr uint64_t min()
    {
        return 0;
    }
    static constexpr uint64_t max()
    {
        return UINT64_MAX;
    }
    explicit generator(uint64_t seed) : state_(seed)
    {
    }
    uint64_t operator()()
    {
        uint64_t z = state_ += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        return z ^ (z >> 31);
    }

  private:
    uint64_t state_;
};

} // namespace emulator

#endif
