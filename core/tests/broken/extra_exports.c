/* Two symbols that nobody asked for, as a library linked in whole brings them. */
#include "broken.h"

SCAN_EXPORT extern const int another_symbol;
SCAN_EXPORT void another_function(void);

const int another_symbol = 1;

void another_function(void)
{
}
