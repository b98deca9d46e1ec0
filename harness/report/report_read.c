#include "report/report.h"

#include "report/report_store.h"

#include <stdlib.h>

scan_status report_read(const char *const *paths, size_t count, report *report_p, errmsg *error)
{
    result_file *results = calloc(count + 1, sizeof *results);
    run_info *infos = calloc(count + 1, sizeof *infos);
    report r = {.rows = 0};
    scan_status status = results && infos ? SCAN_OK : SCAN_NO_MEMORY;
    errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < count && status == SCAN_OK; i++) {
        status = result_file_read(paths[i], &results[i], error);
        if (status == SCAN_OK)
            status = run_info_read(paths[i], &infos[i]);
    }
    if (status == SCAN_OK)
        status = report_make(results, infos, count, &r);
    if (status != SCAN_OK) {
        report_free_read(results, infos, results && infos ? count : 0);
        return status;
    }
    r.store->results = results;
    r.store->infos = infos;
    r.store->read_count = count;
    *report_p = r;
    return SCAN_OK;
}
