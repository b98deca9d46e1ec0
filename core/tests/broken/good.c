/* Nothing is broken: the control. */
#include "broken.h"
