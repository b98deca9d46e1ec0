/* library_version_test.c - versions of libraries are read as their users write them */
#include "results/library_version.h"
#include "results/result_file.h"
#include "tap.h"

#include <string.h>

static const char *read_as(const char *version)
{
    static char text[LIBRARY_VERSION_BYTES];
    return library_version(version, text);
}

/* The version of a row of that role in a CSV. */
static const char *of_role(const char *role, const char *version, char text[64])
{
    char csv[512];
    csv_table table;
    result_file file = {0};
    static errmsg error;
    const int bytes =
        snprintf(csv, sizeof csv,
                 "schema,plugin,plugin_version,role,backend,device,kind,op,dtype,n,block,vt,"
                 "params,cache,phase,status,reason,median_ns\n"
                 "1,p,%s,%s,cuda,d,exclusive,sum,i32,8,,,,hot,run,ok,,5\n",
                 version, role);
    *text = '\0';
    if (csv_read_text(csv, (size_t)bytes, "t", CSV_TAIL_KEEP, &table, &error) != SCAN_OK)
        return error.text;
    if (result_file_take(table, "t", &file, &error) != SCAN_OK) {
        csv_free_table(&table);
        return error.text;
    }
    snprintf(text, 64, "%s", file.rows[0].plugin_version);
    result_file_free(&file);
    return text;
}

int main(void)
{
    char text[64];
    tap_plan(12);
    is_text(read_as("300001"), "3.0.1", "CUB's number");
    is_text(read_as("200205"), "2.2.5", "of another version");
    is_text(read_as("201217"), "2.12.17", "with parts of two digits");
    is_text(read_as("1201700"), "12.17.0", "with three parts of two digits");
    is_text(read_as("1_74"), "1.74", "Boost's underscore");
    is_text(read_as("1_74_1"), "1.74.1", "two of them");
    is_text(read_as("3.0.1"), "3.0.1", "what is right stays");
    is_text(read_as("20241123"), "20241123", "so does a date");
    is_text(read_as("v_2"), "v_2", "and a word");
    is_text(read_as(""), "", "and nothing");
    is_text(of_role("peer", "300001", text), "3.0.1", "a peer in a CSV is read so");
    is_text(of_role("algorithm", "202411", text), "202411", "an algorithm's own number stays");
    return tap_done();
}
