/* emulated_common.cpp - what CUDA plugins share, for emulated devices: contexts and memory */
#include "cuda_common.cu"
