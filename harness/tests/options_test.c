/* options_test.c - command lines and their options, and the messages for bad ones */
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
    options o = {.grid.seed = 77};
    scan_status status = parse(line, &o);
    if (!ok(status == SCAN_INVALID && o.grid.seed == 77 && strstr(error.text, expected), "%s: %s",
            line, expected))
        printf("# got: %s\n", error.text);
}

static void test_defaults(void)
{
    options o;
    ok(parse("scanbench", &o) == SCAN_OK && o.verb == VERB_RUN, "run is the default");
    is_text(o.grid.sizes, "1e3..1e8", "its sizes");
    is_text(o.grid.types, "i32", "its types");
    ok(o.grid.seed == 1 && o.plugins.timeout_s == 60 && o.measuring.time_limit_s == 1 &&
           o.measuring.min_samples == 20 && o.measuring.max_samples == 1000 && !o.output.csv &&
           !o.quiet,
       "its numbers");
    ok(parse("scanbench validate a b.so", &o) == SCAN_OK && o.verb == VERB_VALIDATE &&
           o.argument_count == 2 && strcmp(o.arguments[1], "b.so") == 0,
       "validate takes plugins as they are");
    ok(!o.grid.sizes && strcmp(o.grid.types, "all") == 0, "and all types, and its own sizes");
    ok(parse("scanbench compare a.csv b.csv --threshold 2.5% --phase run,e2e", &o) == SCAN_OK &&
           o.verb == VERB_COMPARE && o.argument_count == 2 && o.compare.threshold_pct > 2.49 &&
           o.compare.threshold_pct < 2.51 && strcmp(o.compare.phases, "run,e2e") == 0,
       "compare takes files, a percentage and phases");
    ok(parse("scanbench list", &o) == SCAN_OK && o.verb == VERB_LIST, "list");
    ok(parse("scanbench report -o a.html --claims b.recipe c.csv", &o) == SCAN_OK &&
           o.verb == VERB_REPORT && strcmp(o.report.html, "a.html") == 0 &&
           strcmp(o.report.claims, "b.recipe") == 0 && !o.output.csv && !o.proof.claims,
       "report has options whose letters and names mean something else elsewhere");
    ok(parse("scanbench -o a.csv", &o) == SCAN_OK && strcmp(o.output.csv, "a.csv") == 0 &&
           !o.report.html && parse("scanbench validate --claims sizes", &o) == SCAN_OK &&
           strcmp(o.proof.claims, "sizes") == 0 && !o.report.claims,
       "and elsewhere they mean that");
}

static void test_forms(void)
{
    options o;
    ok(parse("scanbench --sizes 10 --types=f32 --json a.json", &o) == SCAN_OK &&
           strcmp(o.grid.sizes, "10") == 0 && strcmp(o.grid.types, "f32") == 0,
       "values follow in the next word or behind =");
    ok(parse("scanbench -n 20 -tu32", &o) == SCAN_OK && strcmp(o.grid.sizes, "20") == 0 &&
           strcmp(o.grid.types, "u32") == 0,
       "or behind the letter");
    ok(parse("scanbench -q -n 10 --sizes=10 --quiet", &o) == SCAN_OK &&
           strcmp(o.grid.sizes, "10") == 0,
       "what is said twice in the same words is said once");
    ok(parse("scanbench -q -v --resume --dry-run", &o) == SCAN_OK && o.quiet && o.verbose &&
           o.output.resume && o.dry_run,
       "flags");
    ok(parse("scanbench --set vt=1 --set pad=0,1 -s block=32", &o) == SCAN_OK &&
           o.grid.sets.count == 3 && strcmp(o.grid.sets.items[1], "pad=0,1") == 0,
       "--set gathers");
    ok(parse("scanbench --csv -", &o) == SCAN_OK && strcmp(o.output.csv, "-") == 0,
       "- is a file's name");
    ok(parse("scanbench --mem-limit 8Gi --seed 2^40", &o) == SCAN_OK &&
           o.measuring.mem_limit == UINT64_C(8) << 30 && o.grid.seed == UINT64_C(1) << 40,
       "numbers take the suffixes of sizes");
    ok(parse("scanbench --time-limit 0.05 --timeout 1e2", &o) == SCAN_OK &&
           o.measuring.time_limit_s == 0.05 && o.plugins.timeout_s == 100,
       "seconds");
    ok(parse("scanbench --min-samples 2000", &o) == SCAN_OK && o.measuring.max_samples == 2000,
       "more samples at least are more at most");
    ok(parse("scanbench --help", &o) == SCAN_OK && o.help == HELP_TEXT, "--help");
}

static void test_getopt(void)
{
    options o;
    ok(parse("scanbench -qvn 20 -tu32", &o) == SCAN_OK && o.quiet && o.verbose &&
           strcmp(o.grid.sizes, "20") == 0 && strcmp(o.grid.types, "u32") == 0,
       "letters combine; the last may take a value");
    ok(parse("scanbench -qvn20", &o) == SCAN_OK && strcmp(o.grid.sizes, "20") == 0,
       "behind itself too");
    ok(parse("scanbench validate a --quiet b -v", &o) == SCAN_OK && o.argument_count == 2 &&
           strcmp(o.arguments[1], "b") == 0 && o.quiet && o.verbose,
       "options may follow other arguments");
    ok(parse("scanbench validate -q -- -v --sizes", &o) == SCAN_OK && o.quiet && !o.verbose &&
           o.argument_count == 2 && strcmp(o.arguments[0], "-v") == 0 &&
           strcmp(o.arguments[1], "--sizes") == 0,
       "-- ends them");
    ok(parse("scanbench validate -", &o) == SCAN_OK && o.argument_count == 1, "- is no option");
    ok(parse("scanbench --sizes=", &o) == SCAN_OK && strcmp(o.grid.sizes, "") == 0,
       "a value may be empty");
    ok(parse("scanbench --sizes -5", &o) == SCAN_OK && strcmp(o.grid.sizes, "-5") == 0,
       "and begin with -");
    ok(parse("scanbench --help=man", &o) == SCAN_OK && o.help == HELP_MAN &&
           parse("scanbench -hq", &o) == SCAN_OK && o.help == HELP_TEXT && o.quiet,
       "a form belongs to --help, not to -h");
    setenv("POSIXLY_CORRECT", "1", 1);
    ok(parse("scanbench validate a -q", &o) == SCAN_OK && o.argument_count == 1 && o.quiet,
       "POSIXLY_CORRECT changes nothing");
    unsetenv("POSIXLY_CORRECT");
}

/* getopt keeps its position within a group of letters, and its globals, from call to call. */
static void test_again(void)
{
    options o;
    ok(parse("scanbench -qzv", &o) == SCAN_INVALID && parse("scanbench -qv", &o) == SCAN_OK &&
           o.quiet && o.verbose && !o.dry_run,
       "a group that was left halfway is not gone on with");
    ok(parse("scanbench validate a b c d e --max-n 5", &o) == SCAN_OK &&
           parse("scanbench list -q", &o) == SCAN_OK && o.quiet && o.argument_count == 0,
       "a shorter command line after a longer one");
    static char program[] = "scanbench", command[] = "validate", operand[] = "a", flag[] = "-q";
    char *argv[] = {program, command, operand, flag, NULL};
    char *const before[] = {program, command, operand, flag, NULL};
    ok(options_parse(4, argv, &o, &error) == SCAN_OK && memcmp(argv, before, sizeof argv) == 0,
       "the arguments stay in their order");
    ok(options_parse(0, (char *[]){NULL}, &o, &error) == SCAN_OK && o.verb == VERB_RUN,
       "no argument at all, not even a name");
}

static void test_refused(void)
{
    refuses("scanbench --size 10", "unknown option --size; did you mean --sizes?");
    refuses("scanbench --typs=i32", "unknown option --typs; did you mean --types?");
    refuses("scanbench --quiet=1", "--quiet takes no value");
    refuses("scanbench --quiet=", "--quiet takes no value");
    refuses("scanbench --siz 10", "unknown option --siz; did you mean --sizes?");
    refuses("scanbench --qui", "unknown option --qui; did you mean --quiet?");
    refuses("scanbench --unknwon", "unknown option --unknwon; see scanbench --help");
    refuses("scanbench --verison", "unknown option --verison; did you mean --version?");
    refuses("scanbench --s", "--s is ambiguous: --sizes, --set, --seed and --samples begin so");
    refuses("scanbench --m=1",
            "--m is ambiguous: --min-samples, --max-samples and --mem-limit begin so");
    refuses("scanbench list --s", "unknown option --s; see scanbench --help");
    refuses("scanbench -qz", "unknown option -z");
    refuses("scanbench -q\xc3\xa9", "unknown option -q\xc3\xa9");
    refuses("scanbench -q-", "unknown option --; see");
    refuses("scanbench -qn", "--sizes needs a value: --sizes RANGE");
    refuses("scanbench --siz", "unknown option --siz; did you mean --sizes?");
    refuses("scanbench -q list", "list is out of place; the command comes first");
    refuses("scanbench --help=csh", "--help=csh: write one of man bash zsh fish");
    refuses("scanbench --color blue",
            "--color: \"blue\" is unknown; write one of auto always never");
    refuses("scanbench --color nevr", "--color: \"nevr\" is unknown; did you mean never?");
    refuses("scanbench list --words plugins,claim",
            "--words: \"claim\" is unknown; did you mean claims?");
    refuses("scanbench list --words=", "--words: \"\" is unknown");
    refuses("scanbench compare a b --threshold 0", "--threshold 0: not a percentage above 0");
    refuses("scanbench compare a b --threshold 3x", "--threshold 3x: not a percentage above 0");
    refuses("scanbench compare a b --phase create", "--phase: \"create\" is unknown");
    refuses("scanbench validate --time-limit 1", "--time-limit is not an option of this command");
    refuses("scanbench -z", "unknown option -z");
    refuses("scanbench rnu", "unknown command rnu; did you mean run");
    refuses("scanbench --sizes", "--sizes needs a value: --sizes RANGE");
    refuses("scanbench list --csv a", "--csv is not an option of this command");
    refuses("scanbench run --pattern ones", "--pattern is not an option of this command");
    refuses("scanbench run cpu_serial", "cpu_serial is out of place");
    refuses("scanbench --set vt", "--set vt: write NAME=LIST");
    refuses("scanbench --timeout 0", "not a number above 0");
    refuses("scanbench --timeout nan", "not a number above 0");
    refuses("scanbench --timeout 1x", "not a number above 0");
    refuses("scanbench --min-samples 0", "--min-samples 0: not a whole number from 1 to 1000000");
    refuses("scanbench --max-samples 1e7", "--max-samples 1e7: not a whole number");
    refuses("scanbench --seed 1,2", "--seed 1,2: not a whole number of 0 or more");
    refuses("scanbench --mem-limit -1", "--mem-limit -1: not a whole number of 0 or more");
    refuses("scanbench --sizes 10 -n 20", "--sizes is given twice, as '10' and as '20'");
    refuses("scanbench --csv a.csv -q -ob.csv", "--csv is given twice, as 'a.csv' and as 'b.csv'");
    refuses("scanbench --sizes 10 --sizes=", "--sizes is given twice, as '10' and as ''");
    char line[512] = "scanbench";
    for (int i = 0; i <= OPTIONS_SETS; i++)
        strcat(line, " -s a=1");
    refuses(line, "at most 16 times");
}

int main(void)
{
    tap_plan(10 + 10 + 9 + 4 + 44);
    test_defaults();
    test_forms();
    test_getopt();
    test_again();
    test_refused();
    return tap_done();
}
