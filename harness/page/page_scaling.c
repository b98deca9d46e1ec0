/*
 * page_scaling.c - what more parts gain, with rows as numbers
 */
#include "page/page_json.h"
#include "page/page_members.h"
#include "report/scaling.h"

#include <inttypes.h>

/* "own": the row of one part, null if it was not measured; then the speed-up over it. */
static void write_gain(const report *r, const char *key, const scaling_gain *gain, FILE *out)
{
    const bool known = gain->one != NULL, interval = known && gain->speedup.has_interval;
    if (known)
        fprintf(out, ",\"%s\":{\"one\":%zu", key, page_row_number(r, gain->file, gain->one));
    else
        fprintf(out, ",\"%s\":{\"one\":null", key);
    page_number(out, "speedup", gain->speedup.ratio, known);
    page_number(out, "lo", gain->speedup.lo, interval);
    page_number(out, "hi", gain->speedup.hi, interval);
    page_text(out, "doubt", known ? ratio_doubt_text(gain->speedup.doubt) : "");
    page_number(out, "efficiency", gain->efficiency, known);
    page_number(out, "of_bound", gain->of_bound, gain->of_bound > 0);
    fputc('}', out);
}

scan_status page_scaling_write(const report *r, FILE *out)
{
    scaling_list list;
    const scan_status status = scaling_make(r, &list);
    if (status != SCAN_OK)
        return status;
    fputs("\"scaling\":[", out);
    for (size_t i = 0; i < list.count; i++) {
        const scaling_point *p = &list.points[i];
        fprintf(out, "%s{\"row\":%zu,\"parts\":%u", i > 0 ? ",\n" : "",
                page_row_number(r, p->file, p->row), p->parts);
        page_text(out, "way", scaling_way_word(p->way));
        page_text(out, "layout", p->row->layout);
        fprintf(out, ",\"n_of_one\":%" PRIu64, p->n_of_one);
        page_number(out, "elements_per_s", p->elements_per_s, true);
        page_number(out, "bound", p->bound, p->bound > 0);
        write_gain(r, "own", &p->own, out);
        write_gain(r, "best", &p->best, out);
        fputc('}', out);
    }
    fputc(']', out);
    scaling_free(&list);
    return SCAN_OK;
}
