/* Nothing is broken: it takes no more than a thousand elements, and says so. */
#include "fake.h"

FAKE_PLUGIN(.max_n = 1000, .run = fake_run);
