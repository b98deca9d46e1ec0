#include "page/report_page.h"

#include "page/page_data.h"
#include "report_page_html.h"
#include "system/whole_file.h"

#include <stdlib.h>
#include <string.h>

/* In a script of HTML, where "</script" would end it: in JSON a < stands in strings only. */
static void put_in_script(const char *json, size_t bytes, FILE *out)
{
    const char *const end = json + bytes;
    while (json < end) {
        const char *sign = memchr(json, '<', (size_t)(end - json));
        const char *stop = sign ? sign : end;
        fwrite(json, 1, (size_t)(stop - json), out);
        if (sign)
            fputs("\\u003c", out);
        json = sign ? sign + 1 : end;
    }
}

/* The template with the data in its place. */
static void put_page(const char *json, size_t bytes, FILE *out)
{
    static const char mark[] = "@data@";
    const char *place = strstr(report_page_html, mark);
    fwrite(report_page_html, 1, (size_t)(place - report_page_html), out);
    put_in_script(json, bytes, out);
    fputs(place + strlen(mark), out);
}

static scan_status write_file(const char *path, const char *json, size_t bytes, errmsg *error)
{
    whole_file file;
    const scan_status status = whole_file_begin(path, NULL, &file, error);
    if (status != SCAN_OK)
        return status;
    put_page(json, bytes, file.out);
    return whole_file_end(&file, error);
}

scan_status report_page_write(const report *r, const judged_list *claims, const char *path,
                              errmsg *error)
{
    char *json = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&json, &bytes);
    scan_status status = memory ? page_data_write(r, claims, memory) : SCAN_NO_MEMORY;
    if (memory && (ferror(memory) || fclose(memory) != 0))
        status = SCAN_NO_MEMORY;
    if (status == SCAN_OK)
        status = write_file(path, json, bytes, error);
    else
        errmsg_set(error, status, "out of memory for the page");
    free(json);
    return status;
}
