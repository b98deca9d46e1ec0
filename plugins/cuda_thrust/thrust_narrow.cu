/* thrust_narrow.cu - Thrust's scans of integers of 8 and 16 bits */
#include "thrust_scan.cuh"

THRUST_COMPILE(cuda::std::plus<uint8_t>, uint8_t);
THRUST_COMPILE(cuda::std::plus<uint16_t>, uint16_t);
THRUST_COMPILE(cuda::maximum<int8_t>, int8_t);
THRUST_COMPILE(cuda::minimum<int8_t>, int8_t);
THRUST_COMPILE(cuda::maximum<uint8_t>, uint8_t);
THRUST_COMPILE(cuda::minimum<uint8_t>, uint8_t);
THRUST_COMPILE(cuda::maximum<int16_t>, int16_t);
THRUST_COMPILE(cuda::minimum<int16_t>, int16_t);
THRUST_COMPILE(cuda::maximum<uint16_t>, uint16_t);
THRUST_COMPILE(cuda::minimum<uint16_t>, uint16_t);
