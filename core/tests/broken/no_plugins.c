#define BROKEN_PLUGINS NULL, &broken
#include "broken.h"
