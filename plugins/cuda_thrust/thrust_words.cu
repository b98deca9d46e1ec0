/* thrust_words.cu - Thrust's scans of 32-bit elements and integer pairs */
#include "thrust_scan.cuh"

THRUST_COMPILE(cuda::std::plus<uint32_t>, uint32_t);
THRUST_COMPILE(cuda::std::plus<float>, float);
THRUST_COMPILE(cuda::maximum<int32_t>, int32_t);
THRUST_COMPILE(cuda::minimum<int32_t>, int32_t);
THRUST_COMPILE(cuda::maximum<uint32_t>, uint32_t);
THRUST_COMPILE(cuda::minimum<uint32_t>, uint32_t);
THRUST_COMPILE(cuda::maximum<float>, float);
THRUST_COMPILE(cuda::minimum<float>, float);
THRUST_COMPILE(cuda_affine<uint32_t>, cuda_pair<uint32_t>);
