#include "output/duration.h"

#include <stdio.h>

/* More than any sweep takes, and still whole seconds in a long. */
#define MOST_S 1e9

static long whole(double seconds)
{
    if (!(seconds > 0))
        return 0;
    return (long)((seconds < MOST_S ? seconds : MOST_S) + 0.5);
}

const char *duration_clock(double seconds, char text[DURATION_BYTES])
{
    const long s = whole(seconds);
    if (s < 3600)
        snprintf(text, DURATION_BYTES, "%ld:%02ld", s / 60, s % 60);
    else
        snprintf(text, DURATION_BYTES, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    return text;
}

const char *duration_words(double seconds, char text[DURATION_BYTES])
{
    const long s = whole(seconds), minutes = (s + 30) / 60;
    if (s < 60)
        snprintf(text, DURATION_BYTES, "%ld s", s);
    else if (s < 3600)
        snprintf(text, DURATION_BYTES, "%ld min %ld s", s / 60, s % 60);
    else
        snprintf(text, DURATION_BYTES, "%ld h %ld min", minutes / 60, minutes % 60);
    return text;
}
