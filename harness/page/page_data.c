#include "page/page_data.h"

#include "page/page_members.h"
#include "system/json.h"
#include "version.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Each flag once: its word, its sentence, and whether it casts doubt on the time. */
static void put_flag_words(const report *r, FILE *out)
{
    fputs(",\n\"flag_words\":{", out);
    size_t count = 0;
    for (size_t i = 0; i < r->flag_count; i++) {
        const report_flag *flag = &r->flags[i];
        bool is_new = true;
        for (size_t k = 0; k < i && is_new; k++)
            is_new = strcmp(r->flags[k].word, flag->word) != 0;
        if (!is_new)
            continue;
        fputs(count++ > 0 ? "," : "", out);
        json_string(out, flag->word);
        fputs(":{\"means\":", out);
        json_string(out, flag->means);
        fprintf(out, ",\"disturbed\":%s}", flag->is_disturbed ? "true" : "false");
    }
    fputc('}', out);
}

static void put_origin(FILE *out)
{
    char day[32] = "";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(day, sizeof day, "%Y-%m-%d", &utc);
    fputs("{\"format\":1,\"program\":", out);
    json_string(out, SCANBENCH_VERSION);
    fputs(",\"revision\":", out);
    json_string(out, SCANBENCH_REVISION);
    fprintf(out, ",\"made\":\"%s\",\n", day);
}

scan_status page_data_write(const report *r, const judged_list *claims, FILE *out)
{
    size_t *problem_ids = calloc(r->rows + 1, sizeof *problem_ids);
    if (!problem_ids)
        return SCAN_NO_MEMORY;
    put_origin(out);
    page_files_write(r, out);
    fputs(",\n", out);
    scan_status status = page_rows_write(r, problem_ids, out);
    if (status == SCAN_OK) {
        fputs(",\n", out);
        status = page_answers_write(r, problem_ids, out);
    }
    if (status == SCAN_OK) {
        fputs(",\n", out);
        status = page_scaling_write(r, out);
    }
    if (status == SCAN_OK) {
        fputs(",\n", out);
        page_claims_write(r, claims, out);
    }
    put_flag_words(r, out);
    fputs("}\n", out);
    free(problem_ids);
    return status;
}
