#include "page/page_json.h"

#include "system/json.h"

#include <math.h>

void page_text(FILE *out, const char *key, const char *text)
{
    fprintf(out, ",\"%s\":", key);
    json_string(out, text);
}

void page_number(FILE *out, const char *key, double value, bool known)
{
    if (known && isfinite(value))
        fprintf(out, ",\"%s\":%.6g", key, value);
    else
        fprintf(out, ",\"%s\":null", key);
}
