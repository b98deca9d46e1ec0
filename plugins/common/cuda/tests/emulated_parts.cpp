/* emulated_parts.cpp - what CUDA plugins share, for emulated devices: parts */
#include "cuda_parts.cu"
