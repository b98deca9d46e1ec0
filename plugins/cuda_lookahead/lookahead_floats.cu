/* lookahead_floats.cu - the look-ahead kernels for floats of both sizes, and accurate sums */
#include "lookahead_instances.cuh"

LOOKAHEAD_COMPILE(cuda_sum<float>);
LOOKAHEAD_COMPILE(cuda_extremum<float>);
LOOKAHEAD_COMPILE(cuda_sum<cuda_accurate_f32>);
LOOKAHEAD_COMPILE(cuda_sum<double>);
LOOKAHEAD_COMPILE(cuda_extremum<double>);
