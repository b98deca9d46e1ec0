/*
 * compare_fuzz.c - any table is refused with a reason or compared with itself: then nothing has
 * changed, and each report can be written
 */
#include "compare/comparison_print.h"

#include "fuzz.h"

static void write_reports(const comparison *c)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    ALWAYS(out);
    ALWAYS(comparison_print_table(c, 80, out) == SCAN_OK &&
           comparison_print_table(c, 40, out) == SCAN_OK);
    ALWAYS(comparison_print_markdown(c, out) == SCAN_OK);
    ALWAYS(comparison_print_json(c, out) == SCAN_OK);
    ALWAYS(fclose(out) == 0 && bytes > 0);
    free(text);
}

static void compare_with_itself(const result_file *file)
{
    const result_file files[] = {*file, *file};
    comparison c;
    ALWAYS(comparison_make(files, 2, "run,device", 0.03, &c) == SCAN_OK);
    ALWAYS(c.regressions == 0 && comparison_count(&c, VERDICT_FASTER) == 0 &&
           comparison_count(&c, VERDICT_MISSING) == 0);
    write_reports(&c);
    comparison_free(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    errmsg error = {""};
    csv_table table = {0};
    result_file file = {0};
    char *text = fuzz_text(data, bytes);
    ALWAYS(text);
    if (csv_read_text(text, bytes, "t", CSV_TAIL_KEEP, &table, &error) == SCAN_OK) {
        if (result_file_take(table, "t", &file, &error) == SCAN_OK) {
            compare_with_itself(&file);
            result_file_free(&file);
        } else {
            ALWAYS(error.text[0] != '\0');
            csv_free_table(&table);
        }
    }
    free(text);
    return 0;
}
