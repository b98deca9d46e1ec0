/* rows_halves.cu - the kernels of cuda_rows for floats of 16 bits */
#include "rows_instances.cuh"

template rows_kernels<cuda_sum<cuda_f16>> rows_kernels_of(cuda_sum<cuda_f16>);
template rows_kernels<cuda_extremum<cuda_f16>> rows_kernels_of(cuda_extremum<cuda_f16>);
template rows_kernels<cuda_sum<cuda_bf16>> rows_kernels_of(cuda_sum<cuda_bf16>);
template rows_kernels<cuda_extremum<cuda_bf16>> rows_kernels_of(cuda_extremum<cuda_bf16>);
