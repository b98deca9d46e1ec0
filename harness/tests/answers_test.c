/*
 * answers_test.c - which messages of a worker count as answers to the last command
 *
 * The worker here is a pipe.
 */
#include "supervisor/worker_process.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What becomes of a line when `number` is the last command's. */
static worker_process_event received(const char *line, uint64_t number)
{
    int ends[2];
    protocol_message m;
    if (pipe(ends) != 0)
        return WORKER_GONE;
    const ssize_t sent = write(ends[1], line, strlen(line));
    close(ends[1]);
    worker_process c = {.pid = getpid(), .pidfd = -1, .results = ends[0], .number = number};
    const worker_process_event event = sent > 0 ? worker_process_receive(&c, 5, &m) : WORKER_GONE;
    close(ends[0]);
    free(c.text);
    return event;
}

static void test_answers(void)
{
    static const struct {
        const char *line;
        uint64_t number;
        worker_process_event event;
        const char *what;
    } lines[] = {
        {"step\tname=run\tserial=18446744073709551615\n", UINT64_MAX, WORKER_MESSAGE,
         "a message with the command's number counts"},
        {"done\tserial=4\tfault=none\n", 5, WORKER_GARBAGE,
         "one with an earlier number is garbage"},
        {"done\tfault=none\n", 5, WORKER_GARBAGE, "as is one without a number"},
        {"phase\tname=run\tbatch=1\tsamples=1\n", 5, WORKER_GARBAGE, "a forged time"},
        {"done\tserial=\tfault=none\n", 5, WORKER_GARBAGE, "and one whose number is none"},
        {"done\tserial=5x\tfault=none\n", 5, WORKER_GARBAGE, "or more than one"},
        {"done\tserial=0\tfault=none\n", 0, WORKER_GARBAGE,
         "before a command nothing is an answer"},
        {"loaded\tns=1\n", 5, WORKER_MESSAGE, "what comes from loading needs no number"},
        {"failed\treason=x\n", 0, WORKER_MESSAGE, "nor does a failure of that"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        ok(received(lines[i].line, lines[i].number) == lines[i].event, "%s", lines[i].what);
}

static void test_numbers(void)
{
    char *sent = NULL;
    size_t bytes = 0;
    uint64_t serial = 0;
    protocol_message m;
    worker_process c = {.commands = open_memstream(&sent, &bytes)};
    worker_process_number(&c);
    const uint64_t first = c.number;
    worker_process_number(&c);
    fclose(c.commands);
    ok(first != 0 && c.number != 0 && first != c.number, "each command has another number");
    sent[strcspn(sent, "\n")] = '\0';
    ok(message_parse(sent, &m) && message_is(&m, "number") && message_u64(&m, "serial", &serial) &&
           serial == first,
       "and the worker is told");
    free(sent);
}

int main(void)
{
    tap_plan(9 + 2);
    test_answers();
    test_numbers();
    return tap_done();
}
