#include "commands/baseline_file.h"
#include "commands/verbs.h"
#include "exit_status.h"
#include "template_words.h"
#include "version.h"
#include "worker/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A closed descriptor 0 to 2 would be reused by our next open. A closed stdout becomes a read-only
 * /dev/null, so that writes to it still fail and are reported. */
static bool open_standard_files(void)
{
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0 &&
            open("/dev/null", i == STDERR_FILENO ? O_WRONLY : O_RDONLY) != i)
            return false;
    return true;
}

/* Runs the verb. */
static int obey(const options *o, char *const *argv)
{
    if (o->help) {
        char claims[VALIDATE_WORDS_BYTES];
        const option_words words = {.claims = validate_claim_words(claims, sizeof claims),
                                    .templates = TEMPLATE_BACKENDS,
                                    .roles = TEMPLATE_ROLES,
                                    .print_columns = run_print_columns};
        options_print_help(o, &words, stdout);
        return EXIT_GOOD;
    }
    if (o->version) {
        printf("scanbench %s (%s), plugin contract %u.%u\n", SCANBENCH_VERSION, SCANBENCH_REVISION,
               SCAN_ABI_MAJOR, SCAN_ABI_MINOR);
        return EXIT_GOOD;
    }
    switch (o->verb) {
    case VERB_LIST:
        return list_main(o);
    case VERB_VALIDATE:
        return validate_main(o);
    case VERB_TUNE:
        return tune_main(o, argv);
    case VERB_NEW:
        return new_main(o);
    case VERB_COMPARE:
        return compare_main(o);
    case VERB_REPORT:
        return report_main(o);
    case VERB_SUBMIT:
        return submit_main(o);
    case VERB_RUN:
        break;
    }
    return run_main(o, argv);
}

/* A status of `status`, unless stdout could not be written. A reader who closed the pipe has seen
 * enough, and needs no message. */
static int with_stdout(int status)
{
    errno = 0;
    const bool failed = fflush(stdout) != 0 || ferror(stdout);
    if (!failed || status == EXIT_USAGE)
        return status;
    if (errno != EPIPE)
        fprintf(stderr, "scanbench: standard output cannot be written%s%s\n", errno ? ": " : "",
                errno ? strerror(errno) : "");
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    /* If SIGCHLD were inherited as ignored, we could not learn how a worker ended. */
    signal(SIGCHLD, SIG_DFL);
    if (!open_standard_files()) {
        fprintf(stderr, "scanbench: opening /dev/null: %s\n", strerror(errno));
        return EXIT_USAGE;
    }
    /* Not a verb for people: see worker.h. */
    if ((argc == 4 || argc == 5) && strcmp(argv[1], "worker") == 0)
        return worker_main(argv[3], strcmp(argv[2], "-v") == 0, argc == 5 ? argv[4] : NULL);

    if (argc > 1 && strcmp(argv[1], "complete") == 0) { /* nor is this one: see complete.c */
        complete_print(argc - 2, argv + 2, stdout);
        return with_stdout(EXIT_GOOD);
    }

    /* A file at its limit is then a full disk: writing fails, and what was there stays. */
    signal(SIGXFSZ, SIG_IGN);
    options o;
    errmsg error;
    char baseline[PATH_MAX];
    if (options_parse(argc, argv, &o, &error) != SCAN_OK ||
        baseline_file_take(&o, baseline, &error) != SCAN_OK) {
        fprintf(stderr, "scanbench: %s\n", error.text);
        return EXIT_USAGE;
    }
    return with_stdout(obey(&o, argv));
}
