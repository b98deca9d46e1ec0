/* elf_fuzz.c - loader_check_elf on any bytes */
#include "loader/loader.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    errmsg error = {""};
    scan_status status = loader_check_elf(data, bytes, &error);
    ALWAYS(status == SCAN_OK || (status == SCAN_INVALID && error.text[0] != '\0'));
    return 0;
}
