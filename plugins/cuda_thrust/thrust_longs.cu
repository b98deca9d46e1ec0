/* thrust_longs.cu - Thrust's scans of 64-bit elements and float pairs */
#include "thrust_scan.cuh"

THRUST_COMPILE(cuda::std::plus<uint64_t>, uint64_t);
THRUST_COMPILE(cuda::std::plus<double>, double);
THRUST_COMPILE(cuda::maximum<int64_t>, int64_t);
THRUST_COMPILE(cuda::minimum<int64_t>, int64_t);
THRUST_COMPILE(cuda::maximum<uint64_t>, uint64_t);
THRUST_COMPILE(cuda::minimum<uint64_t>, uint64_t);
THRUST_COMPILE(cuda::maximum<double>, double);
THRUST_COMPILE(cuda::minimum<double>, double);
THRUST_COMPILE(cuda_affine<float>, cuda_pair<float>);
