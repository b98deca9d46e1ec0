#define BROKEN_ID "Bad-Id"
#include "broken.h"
