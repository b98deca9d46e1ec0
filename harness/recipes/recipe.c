#include "recipes/recipe.h"

#include "system/whole_file.h"
#include "text/suggest.h"
#include "text/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MOST = 1 << 20 };

/* A file being read: one entry of it. */
typedef struct reading {
    formula_source source; /* begin, end: of the text behind the keyword */
    recipe *r;
    size_t keyword; /* where it begins */
    errmsg *error;
} reading;

typedef scan_status take_function(reading *r);

static scan_status refuse(const reading *r, size_t at, const char *what)
{
    char place[512];
    return errmsg_set(r->error, SCAN_INVALID, "%s: %s",
                      formula_place(&r->source, at, place, sizeof place), what);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The text of the entry in one line, with single blanks; "" if there is none. NULL without
 * memory. */
static char *take_line(const reading *r)
{
    char *line = malloc(r->source.end - r->source.begin + 1);
    size_t used = 0;
    for (size_t i = r->source.begin; line && i < r->source.end; i++) {
        const char c = r->source.text[i];
        if (!is_blank(c))
            line[used++] = c;
        else if (used > 0 && line[used - 1] != ' ')
            line[used++] = ' ';
    }
    while (line && used > 0 && line[used - 1] == ' ')
        used--;
    if (line)
        line[used] = '\0';
    return line;
}

/* Stores the text in a place that must be empty. */
static scan_status store(const reading *r, char **place, const char *once)
{
    if (*place)
        return refuse(r, r->keyword, once);
    char *line = take_line(r);
    if (!line)
        return errmsg_set(r->error, SCAN_NO_MEMORY, "out of memory");
    if (!*line || !utf8_is_valid(line)) {
        const bool empty = !*line;
        free(line);
        return refuse(r, r->keyword,
                      empty ? "a text is missing behind the keyword" : "the text is not UTF-8");
    }
    utf8_clean(line);
    *place = line;
    return SCAN_OK;
}

static scan_status take_title(reading *r)
{
    return store(r, &r->r->title, "there is a title already");
}

static scan_status take_measure(reading *r)
{
    return store(r, &r->r->measure, "there is a line \"measure\" already");
}

static scan_status take_source(reading *r)
{
    recipe_claim *last = r->r->count > 0 ? &r->r->claims[r->r->count - 1] : NULL;
    return store(r, last ? &last->source : &r->r->source, "there is a source already");
}

/* Is the last claim without an expectation? */
static bool lacks_expectation(const recipe *r)
{
    return r->count > 0 && r->claims[r->count - 1].count == 0;
}

static scan_status take_claim(reading *r)
{
    if (lacks_expectation(r->r))
        return refuse(r, r->keyword, "the claim before has no line \"expect\"");
    recipe_claim *larger = realloc(r->r->claims, (r->r->count + 1) * sizeof *larger);
    if (!larger)
        return errmsg_set(r->error, SCAN_NO_MEMORY, "out of memory");
    r->r->claims = larger;
    larger[r->r->count] = (recipe_claim){.text = NULL};
    return store(r, &larger[r->r->count++].text, "");
}

static scan_status take_expectation(reading *r)
{
    if (r->r->count == 0)
        return refuse(r, r->keyword, "\"expect\" belongs below a line \"claim\"");
    recipe_claim *c = &r->r->claims[r->r->count - 1];
    recipe_expectation *larger = realloc(c->expectations, (c->count + 1) * sizeof *larger);
    if (!larger)
        return errmsg_set(r->error, SCAN_NO_MEMORY, "out of memory");
    c->expectations = larger;
    recipe_expectation *e = &larger[c->count];
    memset(e, 0, sizeof *e);
    scan_status status = store(r, &e->text, "");
    if (status == SCAN_OK)
        status = formula_parse(&r->source, &e->formula, r->error);
    if (status == SCAN_OK)
        c->count++;
    else
        free(e->text);
    return status;
}

static const struct {
    const char *word;
    take_function *take;
} keywords[] = {{"title", take_title},
                {"measure", take_measure},
                {"source", take_source},
                {"claim", take_claim},
                {"expect", take_expectation}};
enum { KEYWORDS = sizeof keywords / sizeof *keywords };

static scan_status take_entry(reading *r, const char *word)
{
    const char *known[KEYWORDS];
    char suggestion[SUGGEST_BYTES], what[SUGGEST_BYTES + 160];
    for (size_t i = 0; i < KEYWORDS; i++) {
        known[i] = keywords[i].word;
        if (strcmp(known[i], word) == 0)
            return i > 0 && !r->r->title
                       ? refuse(r, r->keyword, "a line \"title TEXT\" comes first")
                       : keywords[i].take(r);
    }
    suggest_text(word, known, KEYWORDS, suggestion, sizeof suggestion);
    snprintf(what, sizeof what, "\"%.60s\" is no keyword%s", word,
             *suggestion ? suggestion : "; write title, measure, source, claim or expect");
    return refuse(r, r->keyword, what);
}

/* Where the entry that begins at `at` ends: before a line that does not begin with a blank. A
 * comment ends it too. */
static size_t end_of_entry(const char *text, size_t at)
{
    for (;;) {
        at += strcspn(text + at, "\n");
        if (!text[at])
            return at;
        const char next = text[at + 1];
        if (next != ' ' && next != '\t')
            return at;
        at++;
    }
}

static scan_status take_entries(reading *r)
{
    const char *text = r->source.text;
    scan_status status = SCAN_OK;
    for (size_t at = 0; text[at] && status == SCAN_OK;) {
        if (text[at] == '#' || is_blank(text[at])) {
            const bool continues = text[at] == ' ' || text[at] == '\t';
            const size_t word = at + strspn(text + at, " \t\r");
            if (continues && text[word] && text[word] != '\n' && text[word] != '#')
                return refuse(r, word, "nothing to go on with; a keyword begins its line");
            at += strcspn(text + at, "\n");
            at += text[at] == '\n';
            continue;
        }
        char word[64];
        const size_t length = strcspn(text + at, " \t\r\n");
        snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), text + at);
        r->keyword = at;
        r->source.begin = at + length;
        r->source.end = end_of_entry(text, at);
        status = take_entry(r, word);
        at = r->source.end + (text[r->source.end] == '\n');
    }
    return status;
}

scan_status recipe_parse(const char *text, const char *name, recipe *recipe_p, errmsg *error)
{
    recipe made = {.count = 0};
    reading r = {.source = {.name = name, .text = text}, .r = &made, .error = error};
    scan_status status = take_entries(&r);
    r.keyword = strlen(text);
    if (status == SCAN_OK && lacks_expectation(&made))
        status = refuse(&r, r.keyword, "the last claim has no line \"expect\"");
    if (status == SCAN_OK && made.count == 0)
        status = refuse(&r, r.keyword, "there is no line \"claim\"");
    if (status == SCAN_OK)
        *recipe_p = made;
    else
        recipe_free(&made);
    return status;
}

scan_status recipe_read(const char *path, recipe *recipe_p, errmsg *error)
{
    FILE *in = input_file_open(path);
    char *text = in ? calloc(FILE_BYTES_MOST + 1, 1) : NULL;
    const size_t bytes = text ? fread(text, 1, FILE_BYTES_MOST + 1, in) : 0;
    const int failed = !in || ferror(in) ? errno : 0;
    scan_status status = SCAN_OK;
    if (failed == ETIMEDOUT)
        status = errmsg_set(error, SCAN_INVALID, "%s is a FIFO, and nobody writes to it", path);
    else if (!in || failed)
        status = errmsg_set(error, SCAN_ERROR, "%s: %s", path, strerror(failed));
    else if (!text)
        status = errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    else if (bytes > FILE_BYTES_MOST || strlen(text) != bytes)
        status = errmsg_set(error, SCAN_INVALID, "%s is not a recipe: it is %s", path,
                            bytes > FILE_BYTES_MOST ? "longer than 1 MiB" : "not a text file");
    else
        status = recipe_parse(text, path, recipe_p, error);
    free(text);
    if (in)
        fclose(in);
    return status;
}

void recipe_free(recipe *r)
{
    for (size_t i = 0; i < r->count; i++) {
        recipe_claim *c = &r->claims[i];
        for (size_t k = 0; k < c->count; k++)
            free(c->expectations[k].text);
        free(c->expectations);
        free(c->text);
        free(c->source);
    }
    free(r->claims);
    free(r->title);
    free(r->measure);
    free(r->source);
    *r = (recipe){0};
}
