#include "tables/terminal_plot.h"

#include "output/fit.h"
#include "report/words.h"
#include "text/number.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 8, LEAST_WIDTH = 30, WIDEST = 200 };

typedef struct axes {
    double x_lo, x_hi, y_lo, y_hi; /* logarithms */
    size_t columns;
} axes;

typedef struct grid {
    char cells[PLOT_ROWS][WIDEST];
} grid;

static double scaled(double value, double lo, double hi, size_t cells)
{
    return hi > lo ? (log(value) - lo) / (hi - lo) * (double)(cells - 1) : 0;
}

static size_t column_of(const axes *a, double x)
{
    return (size_t)lround(scaled(x, a->x_lo, a->x_hi, a->columns));
}

static double height_of(const axes *a, double y)
{
    return scaled(y, a->y_lo, a->y_hi, PLOT_ROWS);
}

static void put(grid *g, size_t column, double height, char mark)
{
    const long row = PLOT_ROWS - 1 - lround(height);
    if (row < 0 || row >= PLOT_ROWS)
        return;
    char *cell = &g->cells[row][column];
    /* What joins points is behind all points. */
    if (*cell == ' ' || (*cell == '.' && mark != '.') || (*cell == '-' && mark != '.'))
        *cell = mark;
}

/* Joins two points of a line, without the points themselves. */
static void join(grid *g, const axes *a, const plot_point *from, const plot_point *to)
{
    const size_t first = column_of(a, from->x), last = column_of(a, to->x);
    const double y = height_of(a, from->y), to_y = height_of(a, to->y);
    for (size_t c = first + 1; c < last; c++)
        put(g, c, y + (to_y - y) * (double)(c - first) / (double)(last - first),
            to->line == PLOT_LIMIT ? '-' : '.');
}

static char mark_of(const plot_point *p)
{
    if (p->line == PLOT_LIMIT)
        return '-';
    return (char)('a' + p->line);
}

static axes axes_of(const plot_point *points, size_t count, size_t width)
{
    axes a = {INFINITY, -INFINITY, INFINITY, -INFINITY, width - LABEL - 3};
    for (size_t i = 0; i < count; i++) {
        a.x_lo = fmin(a.x_lo, log(points[i].x));
        a.x_hi = fmax(a.x_hi, log(points[i].x));
        a.y_lo = fmin(a.y_lo, log(points[i].y));
        a.y_hi = fmax(a.y_hi, log(points[i].y));
    }
    return a;
}

/* Is a power of ten of y nearer to this row than to the others? */
static bool has_tick(const axes *a, size_t row, double *y_p)
{
    if (a->y_hi <= a->y_lo)
        return row == PLOT_ROWS - 1 && (*y_p = exp(a->y_lo)) > 0;
    const double step = (a->y_hi - a->y_lo) / (PLOT_ROWS - 1);
    const double middle = a->y_lo + step * (double)(PLOT_ROWS - 1 - row);
    const double power = round(middle / log(10));
    *y_p = pow(10, power);
    return fabs(middle - power * log(10)) <= step / 2;
}

static void put_x_axis(const axes *a, FILE *out)
{
    char line[WIDEST + 32], text[WORDS_NUMBER_BYTES];
    size_t free_from = 0;
    memset(line, ' ', sizeof line);
    const int last = (int)floor(a->x_hi / log(10) + 1e-9);
    for (int e = (int)ceil(a->x_lo / log(10) - 1e-9); e <= last; e++) {
        const size_t at = column_of(a, pow(10, e));
        number_text((uint64_t)llround(pow(10, e)), text);
        size_t begin = at >= strlen(text) / 2 ? at - strlen(text) / 2 : 0;
        if (begin + strlen(text) > a->columns)
            begin = a->columns - strlen(text);
        if (begin < free_from)
            continue;
        memcpy(line + begin, text, strlen(text));
        free_from = begin + strlen(text) + 1;
    }
    line[free_from] = '\0';
    fprintf(out, "%*s  %s\n", LABEL, "n", line);
}

static void put_grid(const grid *g, const axes *a, const char *(*y_text)(double y, char *text),
                     FILE *out)
{
    for (size_t row = 0; row < PLOT_ROWS; row++) {
        char label[WORDS_NUMBER_BYTES] = "";
        double y;
        if (has_tick(a, row, &y))
            y_text(y, label);
        size_t length = a->columns;
        while (length > 0 && g->cells[row][length - 1] == ' ')
            length--;
        fprintf(out, "%*s%s |%.*s\n", (int)(LABEL - fit_width(label)), "", label, (int)length,
                g->cells[row]);
    }
    put_x_axis(a, out);
}

void plot_draw(const plot_point *points, size_t count, size_t width,
               const char *(*y_text)(double y, char *text), FILE *out)
{
    if (count == 0 || width < LEAST_WIDTH)
        return;
    const axes a = axes_of(points, count, width < WIDEST ? width : WIDEST);
    grid *g = a.x_hi > a.x_lo ? malloc(sizeof *g) : NULL;
    if (!g)
        return;
    memset(g->cells, ' ', sizeof g->cells);
    for (size_t i = 0; i < count; i++)
        put(g, column_of(&a, points[i].x), height_of(&a, points[i].y), mark_of(&points[i]));
    for (size_t i = 1; i < count; i++)
        if (points[i].line == points[i - 1].line)
            join(g, &a, &points[i - 1], &points[i]);
    put_grid(g, &a, y_text, out);
    free(g);
}
