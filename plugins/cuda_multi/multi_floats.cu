/* multi_floats.cu - the kernels of cuda_multi for floats of both sizes */
#include "multi_instances.cuh"

template multi_kernels<cuda_sum<float>> multi_kernels_of<cuda_sum<float>>();
template multi_kernels<cuda_extremum<float>> multi_kernels_of<cuda_extremum<float>>();
template multi_kernels<cuda_sum<double>> multi_kernels_of<cuda_sum<double>>();
template multi_kernels<cuda_extremum<double>> multi_kernels_of<cuda_extremum<double>>();
