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

#ifdef EMULATED_DEVICES
void queue(cudaStream_t stream, const std::function<void()> &act)
{
    if (stream != nullptr && stream->captured != nullptr)
        stream->captured->nodes.push_back(act);
    else
        act();
}

devices &the_devices()
{
    static devices all;
    return all;
}

void run_queued()
{
    std::vector<queued_launch> launches;
    launches.swap(the_devices().queued);
    if (launches.empty())
        return;
    grid all = launches[0].shape;
    all.devices = static_cast<unsigned>(launches.size());
    for (const queued_launch &each : launches)
        all.blocks = each.shape.blocks > all.blocks ? each.shape.blocks : all.blocks;
    const std::string wrong = run(all, [&] {
        const queued_launch &mine = launches[device_index()];
        if (block_index().x < mine.shape.blocks)
            mine.kernel();
    });
    if (the_device().wrong.empty())
        the_device().wrong = wrong;
}
#endif

} // namespace emulator
