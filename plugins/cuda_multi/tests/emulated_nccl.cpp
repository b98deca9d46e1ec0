/* emulated_nccl.cpp - a build that found no NCCL */
#include "multi_nccl.cu"
