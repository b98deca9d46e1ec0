/*
 * recipe_fuzz.c - any text is a recipe, or refused with its line and column
 */
#include "recipes/recipe.h"

#include "fuzz.h"

#include <math.h>
#include <string.h>

static void check(const recipe *r)
{
    ALWAYS(r->title && *r->title && r->count > 0);
    for (size_t i = 0; i < r->count; i++) {
        ALWAYS(r->claims[i].text && r->claims[i].count > 0);
        for (size_t k = 0; k < r->claims[i].count; k++) {
            const formula *f = &r->claims[i].expectations[k].formula;
            ALWAYS(f->count > 0 && f->count <= FORMULA_FACTORS && f->loop_count <= FORMULA_LOOPS);
            ALWAYS(isfinite(f->limit) && f->limit > 0);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    errmsg error = {""};
    recipe r = {.count = 0};
    char *text = fuzz_text(data, bytes);
    ALWAYS(text);
    if (recipe_parse(text, "t", &r, &error) == SCAN_OK) {
        check(&r);
        recipe_free(&r);
    } else {
        ALWAYS(strncmp(error.text, "t, line ", 8) == 0);
    }
    free(text);
    return 0;
}
