/* emulated_launch.cpp - what CUDA plugins share, for emulated devices: runs, their times, graphs */
#include "cuda_graph.cu"
#include "cuda_launch.cu"
