/* cyclic_floats.cu - the cyclic kernels for floats of both sizes */
#include "cyclic_instances.cuh"

template cyclic_kernel<cuda_sum<float>> cyclic_kernel_of<cuda_sum<float>>(unsigned);
template cyclic_kernel<cuda_extremum<float>> cyclic_kernel_of<cuda_extremum<float>>(unsigned);
template cyclic_kernel<cuda_sum<double>> cyclic_kernel_of<cuda_sum<double>>(unsigned);
template cyclic_kernel<cuda_extremum<double>> cyclic_kernel_of<cuda_extremum<double>>(unsigned);
