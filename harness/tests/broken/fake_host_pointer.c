/* Takes a device's buffer for an address of the host. */
#include "fake.h"

FAKE_PLUGIN(.run = mock_run);
