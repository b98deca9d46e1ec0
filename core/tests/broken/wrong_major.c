#define BROKEN_MAJOR (SCAN_ABI_MAJOR + 1)
#include "broken.h"
