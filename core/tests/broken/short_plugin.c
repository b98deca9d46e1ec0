/* The declared size ends before run and destroy. */
#define BROKEN_SIZE offsetof(scan_plugin, run)
#include "broken.h"
