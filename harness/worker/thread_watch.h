/*
 * thread_watch.h - how many threads computed while the samples of a visit were taken, and how many
 * cores they had
 *
 * A plugin without a tunable that counts threads is bound to one core, and its threads with it.
 * They take as long there as one thread, or longer, so the time says little about the library.
 * Only plugins on host memory are watched: the threads of a driver wait.
 */
#ifndef SCANBENCH_WORKER_THREAD_WATCH_H
#define SCANBENCH_WORKER_THREAD_WATCH_H

#include "protocol/watch.h"
#include "worker/trial.h"

enum { THREAD_WATCH_MOST = 256 };

/* The CPU times of this process, of the calling thread, and of each other thread. */
typedef struct thread_times {
    double process_ns, main_ns;
    uint64_t started; /* threads so far */
    size_t count;     /* of the others; the first THREAD_WATCH_MOST */
    struct {
        pid_t id;
        double ns;
    } others[THREAD_WATCH_MOST];
} thread_times;

typedef struct thread_watch {
    uint64_t asked_before; /* thread_hook_asked before the plugin's first call */
    thread_times start, end;
    uint64_t most; /* threads at once that were started between them and not joined */
} thread_watch;

/* Before the plugin's instances. */
void thread_watch_open(thread_watch *w);
/* Around the samples. */
void thread_watch_begin(thread_watch *w, const trial *e);
void thread_watch_end(thread_watch *w, const trial *e);
/* Sets what was seen in `seen->ns`, in which the plugin ran `runs` times. */
void thread_watch_tell(const thread_watch *w, const trial *e, uint64_t runs, watch *seen);

#endif
