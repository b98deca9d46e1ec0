/* rows_longs.cu - the kernels of cuda_rows for 64-bit integers */
#include "rows_instances.cuh"

template rows_kernels<cuda_sum<uint64_t>> rows_kernels_of(cuda_sum<uint64_t>);
template rows_kernels<cuda_extremum<int64_t>> rows_kernels_of(cuda_extremum<int64_t>);
template rows_kernels<cuda_extremum<uint64_t>> rows_kernels_of(cuda_extremum<uint64_t>);
