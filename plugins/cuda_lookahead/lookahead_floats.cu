/* lookahead_floats.cu - the look-ahead kernels for floats of both sizes, and accurate sums */
#include "lookahead_instances.cuh"

template lookahead_kernel<cuda_sum<float>> lookahead_kernel_of<cuda_sum<float>>(unsigned);
template lookahead_kernel<cuda_extremum<float>> lookahead_kernel_of<cuda_extremum<float>>(unsigned);
template lookahead_kernel<cuda_sum<cuda_accurate_f32>>
lookahead_kernel_of<cuda_sum<cuda_accurate_f32>>(unsigned);
template lookahead_kernel<cuda_sum<double>> lookahead_kernel_of<cuda_sum<double>>(unsigned);
template lookahead_kernel<cuda_extremum<double>>
lookahead_kernel_of<cuda_extremum<double>>(unsigned);
