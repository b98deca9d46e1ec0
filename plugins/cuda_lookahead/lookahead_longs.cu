/* lookahead_longs.cu - the look-ahead kernels for 64-bit integers */
#include "lookahead_instances.cuh"

LOOKAHEAD_COMPILE(cuda_sum<uint64_t>);
LOOKAHEAD_COMPILE(cuda_extremum<int64_t>);
LOOKAHEAD_COMPILE(cuda_extremum<uint64_t>);
