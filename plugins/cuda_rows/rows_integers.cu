/* rows_integers.cu - the kernels of cuda_rows for 32-bit integers */
#include "rows_instances.cuh"

template rows_kernels<cuda_sum<uint32_t>> rows_kernels_of(cuda_sum<uint32_t>);
template rows_kernels<cuda_extremum<int32_t>> rows_kernels_of(cuda_extremum<int32_t>);
template rows_kernels<cuda_extremum<uint32_t>> rows_kernels_of(cuda_extremum<uint32_t>);
