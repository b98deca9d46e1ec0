#define BROKEN_ROLE 99
#include "broken.h"
