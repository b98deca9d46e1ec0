/* Nothing is broken: a device plugin, whose buffers no host code can read. */
#include "fake.h"

FAKE_PLUGIN(.run = fake_run);
