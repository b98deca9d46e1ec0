#include "cli/options.h"
#include "tap.h"

#include <stdlib.h>

static errmsg error;

/* Parses the words of a line, which are separated by single spaces. */
static scan_status parse(const char *line, options *o_p)
{
    static char words[512];
    static char *argv[64];
    int argc = 0;
    snprintf(words, sizeof words, "%s", line);
    error.text[0] = '\0';
    for (char *rest = words; rest && argc < 64;)
        argv[argc++] = strsep(&rest, " ");
    return options_parse(argc, argv, o_p, &error);
}

static void refuses(const char *line, const char *expected)
{
    options o = {.seed = 77};
    scan_status status = parse(line, &o);
    if (!ok(status == SCAN_INVALID && o.seed == 77 && strstr(error.text, expected), "%s: %s", line,
            expected))
        printf("# got: %s\n", error.text);
}

static void test_defaults(void)
{
    options o;
    ok(parse("scanbench", &o) == SCAN_OK && o.verb == VERB_RUN, "run is the default");
    is_text(o.sizes, "1e3..1e8", "its sizes");
    is_text(o.types, "i32", "its types");
    ok(o.seed == 1 && o.timeout_s == 60 && o.time_limit_s == 1 && o.min_samples == 20 &&
           o.max_samples == 1000 && !o.csv && !o.quiet,
       "its numbers");
    ok(parse("scanbench validate a b.so", &o) == SCAN_OK && o.verb == VERB_VALIDATE &&
           o.argument_count == 2 && strcmp(o.arguments[1], "b.so") == 0,
       "validate takes plugins as they are");
    ok(!o.sizes && strcmp(o.types, "all") == 0, "and all types, and its own sizes");
    ok(parse("scanbench list", &o) == SCAN_OK && o.verb == VERB_LIST, "list");
}

static void test_forms(void)
{
    options o;
    ok(parse("scanbench --sizes 10 --types=f32 -n 20 -tu32", &o) == SCAN_OK &&
           strcmp(o.sizes, "20") == 0 && strcmp(o.types, "u32") == 0,
       "values follow in the next word, behind =, or behind the letter; the last counts");
    ok(parse("scanbench -q -v --resume --dry-run", &o) == SCAN_OK && o.quiet && o.verbose &&
           o.resume && o.dry_run,
       "flags");
    ok(parse("scanbench --set vt=1 --set pad=0,1 -s block=32", &o) == SCAN_OK && o.set_count == 3 &&
           strcmp(o.sets[1], "pad=0,1") == 0,
       "--set gathers");
    ok(parse("scanbench --csv -", &o) == SCAN_OK && strcmp(o.csv, "-") == 0, "- is a file's name");
    ok(parse("scanbench --mem-limit 8Gi --seed 2^40", &o) == SCAN_OK &&
           o.mem_limit == UINT64_C(8) << 30 && o.seed == UINT64_C(1) << 40,
       "numbers take the suffixes of sizes");
    ok(parse("scanbench --time-limit 0.05 --timeout 1e2", &o) == SCAN_OK &&
           o.time_limit_s == 0.05 && o.timeout_s == 100,
       "seconds");
    ok(parse("scanbench --min-samples 2000", &o) == SCAN_OK && o.max_samples == 2000,
       "more samples at least are more at most");
    ok(parse("scanbench --help", &o) == SCAN_OK && o.help, "--help");
}

static void test_refused(void)
{
    refuses("scanbench --size 10", "unknown option --size; did you mean --sizes?");
    refuses("scanbench --typs=i32", "unknown option --typs; did you mean --types?");
    refuses("scanbench --quiet=1", "unknown option --quiet");
    refuses("scanbench -z", "unknown option -z");
    refuses("scanbench rnu", "unknown command rnu; did you mean run");
    refuses("scanbench --sizes", "--sizes needs a value: --sizes RANGE");
    refuses("scanbench list --csv a", "--csv is not an option of this command");
    refuses("scanbench run --pattern ones", "--pattern is not an option of this command");
    refuses("scanbench run cpu_serial", "cpu_serial is out of place");
    refuses("scanbench --set vt", "--set vt: write NAME=LIST");
    refuses("scanbench --timeout 0", "this is no number of seconds above 0");
    refuses("scanbench --timeout nan", "this is no number of seconds above 0");
    refuses("scanbench --timeout 1x", "this is no number of seconds above 0");
    refuses("scanbench --min-samples 0", "--min-samples 0: this is no such number");
    refuses("scanbench --max-samples 1e7", "--max-samples 1e7: this is no such number");
    refuses("scanbench --seed 1,2", "--seed 1,2: this is no such number");
    refuses("scanbench --mem-limit -1", "--mem-limit -1: this is no such number");
    char line[512] = "scanbench";
    for (int i = 0; i <= OPTIONS_SETS; i++)
        strcat(line, " -s a=1");
    refuses(line, "at most 16 times");
}

int main(void)
{
    tap_plan(7 + 8 + 18);
    test_defaults();
    test_forms();
    test_refused();
    return tap_done();
}
