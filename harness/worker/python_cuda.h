/*
 * python_cuda.h - a GPU's memory for plugins written in Python: the worker allocates it and lends
 * it to the interpreter
 *
 * Each process has a context of its own on the GPU. Memory is the worker's, plain device memory;
 * the interpreter opens it by a CUDA IPC handle. Copies, guards and comparisons go through the
 * worker's context. The driver, libcuda.so.1, is loaded when a device is asked for; nothing is
 * linked with it.
 */
#ifndef SCANBENCH_WORKER_PYTHON_CUDA_H
#define SCANBENCH_WORKER_PYTHON_CUDA_H

#include "scan_plugin.h"

/* The probe of scan_plugin: SCAN_UNAVAILABLE where there is no driver or no such device. */
scan_status python_cuda_probe(const scan_host *host, const scan_plugin *plugin, uint32_t index,
                              scan_device *device);

/* Its `host` is that of a worker with an interpreter. open returns SCAN_UNAVAILABLE where memory
 * cannot be handed to another process. release tells a buffer from a view by where it begins, so no
 * view may begin where its buffer does. */
extern const scan_memory python_cuda_memory;

#endif
