/* number_cell_test.c - which cells are numbers, and which are whole ones as a run writes them */
#include "output/csv_reader.h"
#include "tap.h"

#include <stdio.h>

/* How the cell is read: "whole", "real", or "-". */
static const char *read_as(const char *cell)
{
    return number_cell_is_whole(cell) ? "whole" : number_cell_is_real(cell) ? "real" : "-";
}

static const struct {
    const char *cell, *expected;
} cells[] = {
    {"64", "whole"},
    {"0", "whole"},
    {"-5", "whole"},
    {"18446744073709551615", "whole"},
    {"-9223372036854775808", "whole"},
    {"64.0", "real"},
    {"-5.000", "real"},
    {"64.5", "real"},
    {"64.", "real"},
    {".0", "real"},
    {"007", "real"},
    {"007.0", "real"},
    {"-0", "real"},
    {"+64", "real"},
    {"1.00E+03", "real"},
    {"18446744073709551616", "real"},
    {"-9223372036854775809", "real"},
    {"1,000", "-"},
    {"1.000,0", "-"},
    {"1e999", "-"},
    {"inf", "-"},
    {"nan", "-"},
    {"0x10", "-"},
    {" 64", "-"},
    {"", "-"},
    {"cpu 1.0", "-"},
};
enum { COUNT = sizeof cells / sizeof *cells };

int main(void)
{
    tap_plan(COUNT + 2);
    for (int i = 0; i < COUNT; i++)
        is_text(read_as(cells[i].cell), cells[i].expected, "'%s'", cells[i].cell);
    ok(number_cell_is_list("1", number_cell_is_real) &&
           number_cell_is_list("1.5 - 2e9", number_cell_is_real) &&
           number_cell_is_list("-", number_cell_is_real),
       "a list has numbers, and \"-\" for none");
    ok(!number_cell_is_list("", number_cell_is_real) &&
           !number_cell_is_list("1  2", number_cell_is_real) &&
           !number_cell_is_list("1 ", number_cell_is_real) &&
           !number_cell_is_list("1;2", number_cell_is_real) &&
           !number_cell_is_list("1 x", number_cell_is_real),
       "and one space between them");
    return tap_done();
}
