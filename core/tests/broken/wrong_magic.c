#define BROKEN_MAGIC 0x12345678u
#include "broken.h"
