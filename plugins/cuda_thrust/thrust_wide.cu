/* thrust_wide.cu - Thrust's sums wider than their elements */
#include "thrust_scan.cuh"

#define THRUST_COMPILE_WIDE(From, To) THRUST_COMPILE_FROM(cuda::std::plus<To>, To, From, To)

THRUST_COMPILE_WIDE(int8_t, uint32_t);
THRUST_COMPILE_WIDE(uint8_t, uint32_t);
THRUST_COMPILE_WIDE(int16_t, uint32_t);
THRUST_COMPILE_WIDE(uint16_t, uint32_t);
THRUST_COMPILE_WIDE(int32_t, uint64_t);
THRUST_COMPILE_WIDE(uint32_t, uint64_t);
THRUST_COMPILE_WIDE(float, double);
THRUST_COMPILE_WIDE(__half, float);
THRUST_COMPILE_WIDE(__nv_bfloat16, float);
