/* Prints while it is loaded, in the form of a row. */
#include "mock.h"

#include <stdio.h>

__attribute__((constructor)) static void load(void)
{
    puts("1,prints,prints,prints,ok");
}

MOCK_PLUGIN(.name = "prints_on_load");
