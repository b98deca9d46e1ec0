#include "loader/loader.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char message[64] = "";
    scan_status status = loader_check_elf(data, bytes, message, sizeof message);
    ALWAYS(status == SCAN_OK || (status == SCAN_INVALID && message[0] != '\0'));
    return 0;
}
