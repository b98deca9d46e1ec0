#define BROKEN_RUN NULL
#include "broken.h"
