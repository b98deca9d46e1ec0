#define BROKEN_PLUGINS &broken, &broken, NULL
#include "broken.h"
