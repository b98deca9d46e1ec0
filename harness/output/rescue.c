#include "output/rescue.h"

#include "output/kept_name.h"
#include "output/line_file.h"

#include <stdio.h>
#include <string.h>

/* Adds to what is told. */
static void add(rescue *r, const char *text, const char *more)
{
    const errmsg so_far = r->what;
    errmsg_set(&r->what, SCAN_ERROR, "%s%s%s", so_far.text, text, more);
}

/* true if its lines are in a new file now. */
static bool look(rescue *r, line_file *file)
{
    errmsg error;
    const size_t bytes = file->written;
    const char *disturbed = line_file_disturbed(file);
    if (!disturbed)
        return false;
    add(r, r->happened ? "; " : "", file->path);
    add(r, " ", disturbed);
    add(r, " while a run wrote it: ", "");
    r->happened = true;
    if (line_file_rescue(file, &error) != SCAN_OK) {
        add(r, error.text, "");
        file->regular = false; /* told once */
        return false;
    }
    add(r, file->written == bytes ? "all rows so far are in " : "what was left of it is in ",
        kept_name_shown(file->path));
    return true;
}

void rescue_look(rescue *r, result_csv *csv, metadata *m)
{
    errmsg error;
    if (look(r, csv_file(csv->rows))) {
        snprintf(r->csv, sizeof r->csv, "%s", csv_file(csv->rows)->path);
        if (r->resumes)
            add(r, ", and --resume goes on with them there", "");
        if (metadata_move(m, r->csv, &error) != SCAN_OK)
            add(r, "; ", error.text);
    }
    if (csv->samples && look(r, csv_file(csv->samples)) &&
        metadata_write_samples(csv_file(csv->samples)->path, &error) != SCAN_OK)
        add(r, "; ", error.text);
    if (csv->json)
        look(r, json_rows_file(csv->json));
}

scan_status rescue_tell(rescue *r, errmsg *error)
{
    if (!r->happened || r->told)
        return SCAN_OK;
    r->told = true;
    return errmsg_set(error, SCAN_ERROR, "%s", r->what.text);
}
