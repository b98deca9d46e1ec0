/* device.cpp - the one device that the host's side of the emulated CUDA knows */
#include "cuda_runtime_api.h"

namespace emulator
{

device &the_device()
{
    static device only;
    return only;
}

} // namespace emulator
