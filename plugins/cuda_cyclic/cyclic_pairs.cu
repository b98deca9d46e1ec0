/* cyclic_pairs.cu - the cyclic kernels for pairs, whose operator does not commute */
#include "cyclic_instances.cuh"

CUDA_COMPILE_PAIRS(CYCLIC_COMPILE);
