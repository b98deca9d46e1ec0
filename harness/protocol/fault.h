/*
 * fault.h - what went wrong, as data: a code and its fields
 *
 * A fault crosses the protocol as its code's word and the fields that are not 0:
 *
 *     done  fault=wrote_past buffer=output bytes=4 pattern=exact
 *
 * Code never parses a sentence: only fault_text makes them, where they are shown.
 */
#ifndef SCANBENCH_PROTOCOL_FAULT_H
#define SCANBENCH_PROTOCOL_FAULT_H

#include "protocol/message.h"
#include "protocol/status.h"
#include "scan_plugin.h"

#include <stdbool.h>

/* ---- what a worker is doing ---- */

/* Calls of the plugin, and work of the harness around them: where a crash, a hang or a failed call
 * happened. X(name, word). The word is used in messages to people and in `step name=`. */
#define STEP_MAP(X)                              \
    X(NONE, "nothing")                           \
    X(LOAD, "loading")                           \
    X(BIND, "binding")                           \
    X(PROBE, "probe")                            \
    X(OPEN, "open")                              \
    X(SUPPORTS, "supports")                      \
    X(CREATE, "create")                          \
    X(TILE, "tile")                              \
    X(ALLOCATE, "allocating the buffers")        \
    X(WRITE_INPUT, "writing the input")          \
    X(POISON, "filling the output")              \
    X(RUN, "run")                                \
    X(READ_ONLY_RUN, "a run on read-only input") \
    X(COMPARE, "comparing the output")           \
    X(COPY_IN, "copying in")                     \
    X(COPY_OUT, "copying out")                   \
    X(RESTORE, "restoring the input")            \
    X(SAMPLE, "sampling")                        \
    X(STORE, "storing results")                  \
    X(AVAILABLE, "available")                    \
    X(DESTROY, "destroy")                        \
    X(LIFE, "create and destroy")                \
    X(BUFFERS, "buffers and copies")             \
    X(FAILED_CREATE, "a create that fails")      \
    X(AFTER_RUN, "a moment after run")           \
    X(CLOSE, "close")

#define STEP_ENUMERATOR(name, word) STEP_##name,
typedef enum worker_step { STEP_MAP(STEP_ENUMERATOR) STEP_COUNT } worker_step;
#undef STEP_ENUMERATOR

/* The word of a step, "?" for an unknown number. Static text. */
const char *step_word(worker_step step);
/* The step of a word. false for NULL and for an unknown word. */
bool step_find(const char *word, worker_step *step_p);

/* ---- faults ---- */

/* Who finds a fault of this code. A message in which a worker reports any other is malformed. */
typedef enum fault_finder { FAULT_BY_WORKER, FAULT_BY_SUPERVISOR, FAULT_BY_PROOF } fault_finder;

/*
 * X(name, word, finder, row status, template)
 *
 * In a template {name} is a field; {why} is the text or, where that is empty, the meaning
 * of the status. Behind {pattern} comes the seed, where it is not the job's.
 */
#define FAULT_ANSWER_MAP(X)                                                                        \
    X(NONE, "none", BY_WORKER, OK, "")                                                             \
    X(WRONG_ELEMENTS, "wrong_elements", BY_WORKER, WRONG,                                          \
      "{count} of {total} elements are wrong, first at index {index}: got {got}, expected "        \
      "{expected} (input: {pattern})")                                                             \
    X(UNWRITTEN_ELEMENTS, "unwritten_elements", BY_WORKER, WRONG,                                  \
      "{count} of {total} elements are wrong, first at index {index}, which was never written: "   \
      "expected {expected} (input: {pattern})")                                                    \
    X(INACCURATE, "inaccurate", BY_WORKER, WRONG,                                                  \
      "{count} of {total} elements are not within one unit in the last place, which accurate=1 "   \
      "promises, first at index {index}: got {got}, expected {expected} (input: {pattern})")       \
    X(TIMED_WRONG, "timed_wrong", BY_WORKER, WRONG,                                                \
      "after a timed run element {index} of the output is wrong: got {got}, expected {expected} "  \
      "({count} of {total} elements looked at; input: {pattern}, with {bytes} elements changed)")  \
    X(TIMED_UNWRITTEN, "timed_unwritten", BY_WORKER, WRONG,                                        \
      "when a timed run returned, element {index} of the output was not written: expected "        \
      "{expected} ({count} of {total} elements looked at)")                                        \
    X(DIFFERENT_BITS, "different_bits", BY_WORKER, WRONG,                                          \
      "run {count} on the same input gave different bits, first at index {index}; declare "        \
      "SCAN_FLAG_NONDETERMINISTIC if that is intended")                                            \
    X(INPUT_CHANGED, "input_changed", BY_WORKER, WRONG,                                            \
      "the input was changed, first at index {index} (input: {pattern})")                          \
    X(WROTE_BEFORE, "wrote_before", BY_WORKER, WRONG,                                              \
      "wrote {bytes} bytes before the start of the {buffer} (input: {pattern})")                   \
    X(WROTE_PAST, "wrote_past", BY_WORKER, WRONG,                                                  \
      "wrote past the end of the {buffer}, {bytes} bytes behind its last element (input: "         \
      "{pattern})")                                                                                \
    X(WROTE_BEFORE_PART, "wrote_before_part", BY_WORKER, WRONG,                                    \
      "wrote {bytes} bytes before the start of part {count} of the {buffer} ({total} parts, the "  \
      "first is 0; input: {pattern})")                                                             \
    X(WROTE_PAST_PART, "wrote_past_part", BY_WORKER, WRONG,                                        \
      "wrote past the end of part {count} of the {buffer}, {bytes} bytes behind its last element " \
      "({total} parts, the first is 0; input: {pattern})")                                         \
    X(NO_TILE, "no_tile", BY_WORKER, WRONG,                                                        \
      "tile of its scan_parts returned 0 elements, expected at least 1")                           \
    X(TILE_CHANGED, "tile_changed", BY_WORKER, WRONG,                                              \
      "tile of its scan_parts returned {count} elements, "                                         \
      "and later {total}, for one problem")                                                        \
    X(SCRATCH_UNDERRUN, "scratch_underrun", BY_WORKER, WRONG,                                      \
      "wrote before the start of {bytes} bytes of scratch from host->allocate")                    \
    X(SCRATCH_OVERRUN, "scratch_overrun", BY_WORKER, WRONG,                                        \
      "wrote past the end of {bytes} bytes of scratch from host->allocate")                        \
    X(LATE_WRITE, "late_write", BY_WORKER, ERROR,                                                  \
      "index {index} of the output was written after run had returned")                            \
    X(RETURNED_EARLY, "returned_early", BY_WORKER, ERROR,                                          \
      "run returned before it was done: it took {ns}, a copy after it {copy_ns}, "                 \
      "and {expected_ns} on an idle device")                                                       \
    X(RANKS_RETURNED_EARLY, "ranks_returned_early", BY_WORKER, ERROR,                              \
      "run returned before all ranks were done: it took {ns}, their answers after it {copy_ns}, "  \
      "and {expected_ns} where they have nothing to do")                                           \
    X(WORKS_IN_COPY, "works_in_copy", BY_WORKER, ERROR,                                            \
      "copy_in of an element takes {copy_ns}, copying one back {expected_ns}, and run {ns}: work " \
      "of run is done in copy_in")                                                                 \
    X(WORKS_AFTER_COPY, "works_after_copy", BY_WORKER, ERROR,                                      \
      "run takes {expected_ns} right after an element was copied in, and {ns} where nothing was "  \
      "copied since the run before: there it does no work")                                        \
    X(NOT_COPIED, "not_copied", BY_WORKER, ERROR,                                                  \
      "copy_in succeeded, but index {index} of the {buffer} is not what the host had there when "  \
      "it returned")                                                                               \
    X(UNDECLARED_THREADS, "undeclared_threads", BY_WORKER, ERROR,                                  \
      "threads that it does not declare (SCAN_TUNABLE_THREADS) work on other cores than the "      \
      "{count} that it is given")                                                                  \
    X(COPIES_LATE, "copies_late", BY_WORKER, ERROR,                                                \
      "copy_in returned before it was done: reading a few bytes waits for it")                     \
    X(SLOW_COPIES, "slow_copies", BY_WORKER, ERROR,                                                \
      "copying a few bytes from the idle device takes {expected_ns}, and run {ns}: nobody can "    \
      "tell whether run does its work, or the copy behind it")                                     \
    X(NOT_FILLED, "not_filled", BY_WORKER, ERROR,                                                  \
      "fill succeeded, but index {index} of the {buffer} does not hold the value")

#define FAULT_CALL_MAP(X)                                                                          \
    X(UNSUPPORTED, "unsupported", BY_WORKER, UNSUPPORTED, "{text}")                                \
    X(REFUSED_SILENTLY, "refused_silently", BY_WORKER, ERROR,                                      \
      "supports refused the problem without a reason; give one with host->fail")                   \
    X(UNAVAILABLE, "unavailable", BY_WORKER, UNAVAILABLE, "{why}")                                 \
    X(CALL_FAILED, "call_failed", BY_WORKER, ERROR, "{step}: {why}")                               \
    X(NO_MEMORY, "no_memory", BY_WORKER, SKIPPED, "{step}: {why}")                                 \
    X(NO_HOST_MEMORY, "no_host_memory", BY_WORKER, SKIPPED,                                        \
      "cannot allocate {bytes} bytes of host memory: {text}")                                      \
    X(ALLOCATED_IN_RUN, "allocated_in_run", BY_WORKER, ERROR,                                      \
      "run called host->allocate; allocate in create")                                             \
    X(MALLOC_IN_RUN, "malloc_in_run", BY_WORKER, ERROR,                                            \
      "allocations in run: {count}, of up to {bytes} bytes; allocate in create")                   \
    X(LEAK_BLOCKS, "leak_blocks", BY_WORKER, ERROR,                                                \
      "{total} times {step} left {count} blocks of host->allocate")                                \
    X(LEAK_FILES, "leak_files", BY_WORKER, ERROR, "{total} times {step} left {count} open files")  \
    X(LEAK_THREADS, "leak_threads", BY_WORKER, ERROR, "{total} times {step} left {count} threads") \
    X(LEAK_TIMERS, "leak_timers", BY_WORKER, ERROR, "{total} times {step} left {count} timers")    \
    X(LEAK_SHARED, "leak_shared", BY_WORKER, ERROR,                                                \
      "{total} times {step} left {count} shared memory segments")                                  \
    X(LEAK_NAMES, "leak_names", BY_WORKER, ERROR,                                                  \
      "{total} times {step} left {count} files in a folder for temporary files or shared memory, " \
      "semaphores or message queues")                                                              \
    X(LEAK_HEAP, "leak_heap", BY_WORKER, ERROR,                                                    \
      "{total} times {step} left {bytes} bytes of the heap")                                       \
    X(LEAK_PAGES, "leak_pages", BY_WORKER, ERROR,                                                  \
      "{total} times {step} left {bytes} bytes mapped")                                            \
    X(LEAK_DEVICE, "leak_device", BY_WORKER, ERROR,                                                \
      "{total} times {step} left {bytes} bytes of the device's memory")                            \
    X(CREATED_WITHOUT_MEMORY, "created_without_memory", BY_WORKER, ERROR,                          \
      "create returned SCAN_OK although allocation {index} in it failed")                          \
    X(STARVED_SILENTLY, "starved_silently", BY_WORKER, ERROR,                                      \
      "allocation {index} failed, which create must report as SCAN_NO_MEMORY, with a reason")      \
    X(TOO_MANY_PHASES, "too_many_phases", BY_WORKER, ERROR,                                        \
      "recorded more than {count} phases, or a name that is too long")                             \
    X(BAD_TIME, "bad_time", BY_WORKER, ERROR, "recorded {ns} as {text}")                           \
    X(BAD_PHASE, "bad_phase", BY_WORKER, ERROR,                                                    \
      "recorded \"{text}\"; phases are device and kernel:<name>")                                  \
    X(PHASE_EXCEEDS_RUN, "phase_exceeds_run", BY_WORKER, ERROR,                                    \
      "a phase is {ns} longer than the run it is part of")                                         \
    X(PHASE_TOO_SHORT, "phase_too_short", BY_WORKER, ERROR,                                        \
      "with twice the elements run takes {expected_ns} longer, but the phases that it records "    \
      "only {ns}")                                                                                 \
    X(CHANGED_FLOAT_MODE, "changed_float_mode", BY_WORKER, ERROR,                                  \
      "loading changed the floating-point mode; link without -ffast-math")                         \
    X(CHANGED_PROCESS, "changed_process", BY_WORKER, ERROR, "{step} changed {part}")               \
    X(PRINTED, "printed", BY_WORKER, ERROR, "printed to stdout: \"{text}\"")                       \
    X(KEEPS_RUNNING, "keeps_running", BY_WORKER, ERROR,                                            \
      "long after run had returned, threads of the plugin still ran: {ns} of CPU time in "         \
      "{expected_ns}")                                                                             \
    X(LEFT_PROCESS, "left_process", BY_WORKER, ERROR, "left a process behind")                     \
    X(CANNOT_PROTECT, "cannot_protect", BY_WORKER, UNSUPPORTED,                                    \
      "this system cannot make memory read-only")                                                  \
    X(CANNOT_COUNT, "cannot_count", BY_WORKER, UNSUPPORTED,                                        \
      "this build of scanbench cannot count allocations")

#define FAULT_SUPERVISOR_MAP(X)                                                                    \
    X(NO_WORKER, "no_worker", BY_SUPERVISOR, ERROR, "{text}")                                      \
    X(BUILD_CHANGED, "build_changed", BY_SUPERVISOR, ERROR,                                        \
      "its file was {text} during the run, and what came before is of the old build: measure the " \
      "new one in a run of its own, or put the old one back and use --resume --retry")             \
    X(LOST, "lost", BY_SUPERVISOR, CRASHED,                                                        \
      "the worker was lost during {step}: killed by signal {count} ({text})")                      \
    X(KILLED, "killed", BY_SUPERVISOR, CRASHED,                                                    \
      "the worker was lost during {step}: killed by signal {count} ({text}), perhaps because "     \
      "memory ran out")                                                                            \
    X(RANKS_ENDED, "ranks_ended", BY_SUPERVISOR, CRASHED,                                          \
      "the ranks ended during {step}: the launcher exited with status {count}; see above "         \
      "why")                                                                                       \
    X(EXITED, "exited", BY_SUPERVISOR, CRASHED,                                                    \
      "the worker was ended by the plugin during {step}: exited with status {count}")              \
    X(SILENT, "silent", BY_SUPERVISOR, TIMEOUT, "no progress for {ns} during {step} (--timeout)")  \
    X(STOPPED, "stopped", BY_SUPERVISOR, TIMEOUT,                                                  \
      "the worker was stopped during {step} by signal {count} ({text}) and did not go on within "  \
      "{ns} (--timeout)")                                                                          \
    X(MALFORMED, "malformed", BY_SUPERVISOR, ERROR, "malformed message during {step}")             \
    X(BEYOND_PHYSICS, "beyond_physics", BY_SUPERVISOR, ERROR,                                      \
      "{text} took {ns}, but {bytes} bytes cannot go through this processor or device in less "    \
      "than {expected_ns}: run returns before its work is done, or the time is not real")          \
    X(IN_WORDS, "in_words", BY_SUPERVISOR, ERROR, "{text}")

#define FAULT_PROOF_MAP(X)                                                                       \
    X(EXPORTS_MORE, "exports_more", BY_PROOF, ERROR,                                             \
      "exports scan_entry and {count} more symbols, such as {text}; build with "                 \
      "-fvisibility=hidden, and hide libraries with -Wl,--exclude-libs,ALL or a version script") \
    X(PRINTED_ON_LOAD, "printed_on_load", BY_PROOF, ERROR,                                       \
      "printed to stdout while it was loaded: \"{text}\"; use host->message")                    \
    X(LOADED_SLOWLY, "loaded_slowly", BY_PROOF, ERROR,                                           \
      "loading took {ns}, expected at most {expected_ns}; move the work to probe or create")     \
    X(ENDLESS_DEVICES, "endless_devices", BY_PROOF, ERROR,                                       \
      "probe finds a device {index} ({text}); past the last index it must return "               \
      "SCAN_UNAVAILABLE")                                                                        \
    X(UNAVAILABLE_SILENTLY, "unavailable_silently", BY_PROOF, ERROR,                             \
      "probe found no device {index} and gave no reason; give one with host->fail")              \
    X(UNNAMED_DEVICE, "unnamed_device", BY_PROOF, ERROR, "probe found a device without a name")  \
    X(REQUIRED, "required", BY_PROOF, UNAVAILABLE, "{text} (--require)")

#define FAULT_MAP(X) \
    FAULT_ANSWER_MAP(X) FAULT_CALL_MAP(X) FAULT_SUPERVISOR_MAP(X) FAULT_PROOF_MAP(X)

#define FAULT_ENUMERATOR(name, ...) FAULT_##name,
typedef enum fault_code { FAULT_MAP(FAULT_ENUMERATOR) FAULT_COUNT } fault_code;

/* Which buffer. X(name, word) here and below; 0 is the default, which is not sent. */
#define FAULT_BUFFER_MAP(X) X(NO_BUFFER, "buffer") X(INPUT, "input") X(OUTPUT, "output")
typedef enum fault_buffer { FAULT_BUFFER_MAP(FAULT_ENUMERATOR) } fault_buffer;

/* Under which special circumstances. */
#define FAULT_PLACE_MAP(X)                                    \
    X(AT_FIRST, "the first instance and buffers")             \
    X(AT_SECOND_INSTANCE, "a second instance beside a first") \
    X(AT_OTHER_BUFFERS, "other buffers than the first run's") \
    X(AT_PLACES, "buffers at other places in a cache line")   \
    X(AT_SIDE, "input and output side by side")               \
    X(AT_LATER_RUN, "one of many runs")                       \
    X(AT_PAUSE, "a run after a pause")                        \
    X(AT_ONE_CORE, "a run with all threads on one core")      \
    X(AT_MOVED, "a run with its threads on other cores")      \
    X(AT_DELAYED, "a run whose threads were delayed")
typedef enum fault_place { FAULT_PLACE_MAP(FAULT_ENUMERATOR) } fault_place;

/* The parts of a process that a plugin must leave as they are. */
#define FAULT_PART_MAP(X)                                                \
    X(NO_PART, "nothing")                                                \
    X(AFFINITY, "the CPU affinity of the thread that called it")         \
    X(ROUNDING, "the rounding mode")                                     \
    X(FLOAT_MODE, "the floating-point mode")                             \
    X(SIGNALS, "a signal's handler, mask or stack")                      \
    X(TIMERS, "a timer")                                                 \
    X(LOCALE, "the locale")                                              \
    X(FOLDER, "the working folder")                                      \
    X(UMASK, "the mask of new files (umask)")                            \
    X(ENVIRONMENT, "the environment")                                    \
    X(STANDARD_FILES, "what stdin, stdout or stderr is, or its flags")   \
    X(LIMITS, "a resource limit")                                        \
    X(LOCKED_MEMORY, "what is locked in memory")                         \
    X(SHARED_NAMES, "which names of shared memory and semaphores exist") \
    X(PRCTL, "a setting of prctl or the like")                           \
    X(SUBREAPER, "who adopts orphans (PR_SET_CHILD_SUBREAPER)")          \
    X(MEMORY_POLICY, "where memory is placed (set_mempolicy, mbind)")    \
    X(PRIORITY, "the priority or the scheduling policy")                 \
    X(PROCESS_GROUP, "the process group or the session")
typedef enum fault_part { FAULT_PART_MAP(FAULT_ENUMERATOR) } fault_part;
#undef FAULT_ENUMERATOR

/* Sizes, with the final 0, of the text in a fault and of a whole sentence. */
enum { FAULT_TEXT_BYTES = 768, FAULT_SENTENCE_BYTES = 1024 };

/* A code's template says which fields it has; the others are 0. */
typedef struct fault {
    fault_code code;
    uint32_t step;    /* worker_step */
    uint32_t buffer;  /* fault_buffer */
    uint32_t place;   /* fault_place */
    uint32_t part;    /* fault_part */
    uint32_t pattern; /* input_pattern */
    uint32_t dtype;   /* of got and expected */
    uint64_t status;  /* the status that a call returned, as 32 bits */
    uint64_t count, total, index, bytes;
    uint64_t scan_n, inner;  /* as in input_spec: they say in which row and column index lies */
    uint64_t got, expected;  /* the bytes of an element, 0 behind them */
    uint64_t last, last_got; /* the last wrong element */
    uint64_t seed;           /* of the input, where it is not the job's; else 0 */
    double ns, copy_ns, expected_ns;
    char text[FAULT_TEXT_BYTES]; /* text of the plugin or of the system */
} fault;

/* A fault of that code with a text, cut if it is too long. */
fault fault_with_text(fault_code code, const char *text);

/* The sentence, for people; returns `text`. */
const char *fault_text(const fault *f, char *text, size_t size);

/* The word of a code, "?" for an unknown number. Static text. */
const char *fault_word(fault_code code);
/* The status of a row with that fault; ROW_ERROR for an unknown number. */
row_status fault_status(fault_code code);
fault_finder fault_found(fault_code code);

/* Does it have a first wrong element: index, got and expected? */
bool fault_has_element(const fault *f);

/* Writes the fault's fields into a message that has begun. */
void fault_write(FILE *out, const fault *f);
/* Reads what a worker wrote. false, and *f_p is unchanged, if the code is missing, unknown or not
 * one that a worker finds, or if a field is malformed. */
bool fault_read(const protocol_message *m, fault *f_p);

#endif
