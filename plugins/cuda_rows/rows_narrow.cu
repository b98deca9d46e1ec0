/* rows_narrow.cu - the kernels of cuda_rows for integers of 8 and 16 bits */
#include "rows_instances.cuh"

template rows_kernels<cuda_sum<uint8_t>> rows_kernels_of(cuda_sum<uint8_t>);
template rows_kernels<cuda_sum<uint16_t>> rows_kernels_of(cuda_sum<uint16_t>);
template rows_kernels<cuda_extremum<int8_t>> rows_kernels_of(cuda_extremum<int8_t>);
template rows_kernels<cuda_extremum<uint8_t>> rows_kernels_of(cuda_extremum<uint8_t>);
template rows_kernels<cuda_extremum<int16_t>> rows_kernels_of(cuda_extremum<int16_t>);
template rows_kernels<cuda_extremum<uint16_t>> rows_kernels_of(cuda_extremum<uint16_t>);
