/* lookahead_floats.cu - the look-ahead kernels for floats of both sizes, and accurate sums */
#include "lookahead_instances.cuh"

CUDA_COMPILE_FLOATS(LOOKAHEAD_COMPILE);
LOOKAHEAD_COMPILE(cuda_sum<cuda_accurate_f32>);
