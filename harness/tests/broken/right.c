/* Nothing is broken: the control. */
#include "mock.h"

MOCK_PLUGIN(.name = "right");
