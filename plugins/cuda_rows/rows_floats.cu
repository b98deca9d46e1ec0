/* rows_floats.cu - the kernels of cuda_rows for floats */
#include "rows_instances.cuh"

template rows_kernels<cuda_sum<float>> rows_kernels_of(cuda_sum<float>);
template rows_kernels<cuda_sum<double>> rows_kernels_of(cuda_sum<double>);
template rows_kernels<cuda_extremum<float>> rows_kernels_of(cuda_extremum<float>);
template rows_kernels<cuda_extremum<double>> rows_kernels_of(cuda_extremum<double>);
