/* thrust_halves.cu - Thrust's scans of floats of 16 bits */
#include "thrust_scan.cuh"

THRUST_COMPILE_FROM(cuda::std::plus<float>, float, __half, __half);
THRUST_COMPILE(cuda::maximum<__half>, __half);
THRUST_COMPILE(cuda::minimum<__half>, __half);
THRUST_COMPILE_FROM(cuda::std::plus<float>, float, __nv_bfloat16, __nv_bfloat16);
THRUST_COMPILE(cuda::maximum<__nv_bfloat16>, __nv_bfloat16);
THRUST_COMPILE(cuda::minimum<__nv_bfloat16>, __nv_bfloat16);
