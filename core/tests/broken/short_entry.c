#define BROKEN_ENTRY_SIZE 8
#include "broken.h"
