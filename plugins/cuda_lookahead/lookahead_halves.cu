/* lookahead_halves.cu - the look-ahead kernels for floats of 16 bits */
#include "lookahead_instances.cuh"

LOOKAHEAD_COMPILE(cuda_sum<cuda_f16>);
LOOKAHEAD_COMPILE(cuda_extremum<cuda_f16>);
LOOKAHEAD_COMPILE(cuda_sum<cuda_bf16>);
LOOKAHEAD_COMPILE(cuda_extremum<cuda_bf16>);
