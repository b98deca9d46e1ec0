/* emulated_launch.cpp - what CUDA plugins share, for emulated devices: runs and their times */
#include "cuda_launch.cu"
