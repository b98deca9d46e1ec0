/* lookahead_narrow.cu - the look-ahead kernels for integers of 8 and 16 bits */
#include "lookahead_instances.cuh"

LOOKAHEAD_COMPILE(cuda_sum<uint8_t>);
LOOKAHEAD_COMPILE(cuda_sum<uint16_t>);
LOOKAHEAD_COMPILE(cuda_extremum<int8_t>);
LOOKAHEAD_COMPILE(cuda_extremum<uint8_t>);
LOOKAHEAD_COMPILE(cuda_extremum<int16_t>);
LOOKAHEAD_COMPILE(cuda_extremum<uint16_t>);
