/*
 * step.h - what a worker is doing: calls of the plugin, and work of the harness around them. It
 * tells where a crash, a hang or a failed call happened
 */
#ifndef SCANBENCH_PROTOCOL_STEP_H
#define SCANBENCH_PROTOCOL_STEP_H

#include <stdbool.h>

/* X(name, word). The word is used in messages to people and in `step name=`. */
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
    X(LIFE, "create and destroy")

#define STEP_ENUMERATOR(name, word) STEP_##name,
#define STEP_ONE_MORE(name, word) +1
typedef enum worker_step { STEP_MAP(STEP_ENUMERATOR) } worker_step;
enum { STEP_COUNT = 0 STEP_MAP(STEP_ONE_MORE) };
#undef STEP_ENUMERATOR
#undef STEP_ONE_MORE

/* The word of a step, "?" for an unknown number. Static text. */
const char *step_word(worker_step step);
/* The step of a word. false for NULL and for an unknown word. */
bool step_find(const char *word, worker_step *step_p);

#endif
