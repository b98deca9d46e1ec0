/* rows_pairs.cu - the kernels of cuda_rows for pairs, whose operator does not commute */
#include "rows_instances.cuh"

template rows_kernels<cuda_affine<uint32_t>> rows_kernels_of(cuda_affine<uint32_t>);
template rows_kernels<cuda_affine<float>> rows_kernels_of(cuda_affine<float>);
