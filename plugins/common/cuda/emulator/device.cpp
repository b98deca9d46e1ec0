/* device.cpp - the devices that the host's side of the emulated CUDA knows: what all have in
 * common, and what there is of each */
#include "cuda_runtime_api.h"

namespace emulator
{

device &the_device()
{
    static device only;
    return only;
}

devices &the_devices()
{
    static devices all;
    return all;
}

} // namespace emulator
