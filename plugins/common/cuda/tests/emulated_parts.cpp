/* emulated_parts.cpp - what CUDA plugins share, for emulated devices: parts */
#include "cuda_parts.cu"
#include "cuda_parts_memory.cu"
#include "cuda_parts_run.cu"
