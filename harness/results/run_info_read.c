#include "results/run_info.h"

#include "output/metadata.h"

#include <stdlib.h>

scan_status run_info_read(const char *csv, run_info *info_p)
{
    char *json = metadata_read(csv);
    const scan_status status = run_info_take(json, info_p);
    free(json);
    return status;
}
