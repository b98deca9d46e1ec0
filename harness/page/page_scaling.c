/*
 * page_scaling.c - what more parts gain, with rows as numbers
 */
#include "page/page_data.h"
#include "page/page_json.h"
#include "report/scaling.h"

scan_status page_scaling_write(const report *r, FILE *out)
{
    scaling_list list;
    const scan_status status = scaling_make(r, &list);
    if (status != SCAN_OK)
        return status;
    fputs("\"scaling\":[", out);
    for (size_t i = 0; i < list.count; i++) {
        const scaling_point *p = &list.points[i];
        fprintf(out, "%s{\"row\":%zu,\"one\":%zu,\"parts\":%u", i > 0 ? ",\n" : "",
                page_row_number(r, p->file, p->row), page_row_number(r, p->file, p->one), p->parts);
        page_text(out, "way", scaling_way_word(p->way));
        page_text(out, "layout", p->row->layout);
        page_number(out, "speedup", p->speedup.ratio, true);
        page_number(out, "lo", p->speedup.lo, p->speedup.has_interval);
        page_number(out, "hi", p->speedup.hi, p->speedup.has_interval);
        page_text(out, "doubt", ratio_doubt_text(p->speedup.doubt));
        page_number(out, "bound", p->bound, p->bound > 0);
        fputc('}', out);
    }
    fputc(']', out);
    scaling_free(&list);
    return SCAN_OK;
}
