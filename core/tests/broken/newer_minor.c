#define BROKEN_MINOR (SCAN_ABI_MINOR + 1)
#include "broken.h"
