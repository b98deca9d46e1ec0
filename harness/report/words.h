/*
 * words.h - numbers and settings as all forms of a report print them
 */
#ifndef SCANBENCH_REPORT_WORDS_H
#define SCANBENCH_REPORT_WORDS_H

#include "report/report.h"

enum { WORDS_NUMBER_BYTES = 64, WORDS_SETTING_BYTES = 256, WORDS_PLUGIN_BYTES = 256 };

/* "1.08 ms", "697 µs", "12.3 s": three significant digits. "-" for 0. */
const char *words_time(double ns, char text[WORDS_NUMBER_BYTES]);

/* Three significant digits without an exponent: "0.0123", "1.23", "123", "1230". "-" unless it is
 * a number above 0. */
const char *words_number(double value, char text[WORDS_NUMBER_BYTES]);

/* A size that is not known exactly, to one digit: "4e4", "700". */
const char *words_rough(double n, char text[WORDS_NUMBER_BYTES]);

/* Half of the interval in percent of the time, "0.8 %"; "-" without one. */
const char *words_half_width(const result_row *row, char text[WORDS_NUMBER_BYTES]);

/* A margin: "+4.2 % (+3.1 to +5.6)", "2.31x (2.25 to 2.40)"; "+4.2 % (?)" without an interval. */
enum { WORDS_RATIO_BYTES = 96 };
const char *words_ratio(const report_ratio *ratio, char text[WORDS_RATIO_BYTES]);

/* Short: "+4.2 %", "2.31x"; with "?" behind it without an interval. "tie" where the ratio of what
 * is behind by its median is below 1. */
const char *words_margin(const report_ratio *ratio, char text[WORDS_NUMBER_BYTES]);

/* "2 of 6", the settings that are tied with a plugin's best; "? of 6" without
 * intervals. */
const char *words_ties(const report_entry *entry, char text[WORDS_NUMBER_BYTES]);

/* The plugins of some rows, each once: "cuda_cub, cuda_thrust", "a, b, c, ... (9 plugins)". */
const char *words_plugins(const result_row *const *rows, size_t count, char *text, size_t size);

/* The version of a peer's library; "" for other plugins, and if it is not known. "1.0" counts as
 * not known: templates begin with it, and in older CSVs it is the version of our wrapper. */
const char *words_version(const result_row *row);

/* The plugin, a peer's version, and its kind where both compete and it has only the other one:
 * "cuda_cub 3.0.1", "my_scan (inclusive)", "cuda_scan". */
const char *words_plugin(const result_row *row, char text[WORDS_PLUGIN_BYTES]);

/* "block=256 vt=7 pad=1"; "" if the plugin has no tunables. */
const char *words_setting(const result_row *row, char text[WORDS_SETTING_BYTES]);

/* "exclusive i32 sum", ", cold caches" behind it; "exclusive or inclusive i32 sum"; "i32 copy". */
const char *words_sheet(const report_sheet *sheet, char text[WORDS_SETTING_BYTES]);

/* "on NVIDIA H200, data already there". */
const char *words_place(const report_problem *p, char text[WORDS_SETTING_BYTES]);

#endif
