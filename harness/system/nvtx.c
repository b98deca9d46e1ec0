#include "system/nvtx.h"

/* Of header files alone: what listens is loaded where a profiler names it in the environment. */
#ifdef SCANBENCH_NVTX
#include <nvtx3/nvToolsExt.h>

bool nvtx_is_built_in(void)
{
    return true;
}

void nvtx_push(const char *name)
{
    nvtxRangePushA(name);
}

void nvtx_pop(void)
{
    nvtxRangePop();
}
#else
bool nvtx_is_built_in(void)
{
    return false;
}

void nvtx_push(const char *name)
{
    (void)name;
}

void nvtx_pop(void)
{
}
#endif
