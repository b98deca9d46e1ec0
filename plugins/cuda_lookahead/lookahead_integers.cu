/* lookahead_integers.cu - the look-ahead kernels for 32-bit integers */
#include "lookahead_instances.cuh"

LOOKAHEAD_COMPILE(cuda_sum<uint32_t>);
LOOKAHEAD_COMPILE(cuda_extremum<int32_t>);
LOOKAHEAD_COMPILE(cuda_extremum<uint32_t>);
