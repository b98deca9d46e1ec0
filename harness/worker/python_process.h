/*
 * python_process.h - the interpreter that a worker starts for a plugin written in Python, and the
 * memory that both map
 *
 * The interpreter is a child of the worker. It runs python_driver.py, which loads the plugin's file
 * and obeys the worker's messages, one at a time. Inputs and outputs lie in memory that both
 * processes map, or in a GPU's, which the worker lends (python_cuda.h). The clock, the reference
 * and the comparison are the worker's alone. Where the interpreter ends, the worker ends in the
 * same way, so that the supervisor says how.
 */
#ifndef SCANBENCH_WORKER_PYTHON_PROCESS_H
#define SCANBENCH_WORKER_PYTHON_PROCESS_H

#include "scan_plugin.h"
#include "text/errmsg.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct python_process python_process;

enum { PYTHON_TEXT_BYTES = 1 << 17 }; /* the longest message */

/* What the interpreter is asked to do; python_driver.py has the same numbers. */
typedef enum python_verb {
    PYTHON_DESCRIBE, /* load the file, and say what it declares */
    PYTHON_SUPPORTS,
    PYTHON_CREATE,
    PYTHON_RUN,
    PYTHON_DESTROY,
    PYTHON_TAKE_DEVICE, /* make the GPU of that number the current one */
    PYTHON_WAKE_DEVICE, /* have it run a short kernel of the interpreter's */
    PYTHON_OPEN,        /* open memory of it that is lent */
    PYTHON_CLOSE
} python_verb;

/* A message to it; a text may follow. */
typedef struct python_request {
    uint32_t serial; /* the answer has the same */
    uint32_t verb, instance;
    uint32_t timed;   /* PYTHON_RUN on a GPU: answer for how many ns it was at work */
    uint64_t in, out; /* PYTHON_RUN: where both begin in memory; PYTHON_OPEN and PYTHON_CLOSE: in */
} python_request;

/* Starts the interpreter that WORKER_PYTHON names, else that of the virtual environment that is
 * active, else python3. SCAN_OK and *process_p, which lives as long as the worker; SCAN_NO_MEMORY,
 * or SCAN_ERROR. The first answer says whether there is an interpreter. */
scan_status python_start(const char *file, bool verbose, python_process **process_p, errmsg *error);

/* Sends a request with a text, or NULL, and waits for the answer, whose status this is. `serial` is
 * set here. Does not return if the interpreter ends. */
scan_status python_ask(python_process *p, python_request request, const char *text);
/* The text of the last answer. */
const char *python_answer(const python_process *p);
/* Tells the host the text of an answer whose status this is, if it is no success. Returns the
 * status. */
scan_status python_told(const python_process *p, const scan_host *host, scan_status status);

/* How long a request takes that does nothing, in ns: the shortest of some. */
double python_call_ns(python_process *p);

/* Its number; 0 if `p` is NULL. */
pid_t python_pid(const python_process *p);

/* Has it run on the units that the calling thread may use, with all its threads. */
void python_bind(python_process *p);
/* May a thread of it run on other units? */
bool python_has_left(const python_process *p);
/* The CPU time of all its threads, in ns; 0 if it has ended. */
double python_cpu_ns(const python_process *p);

/* ---- memory of the host, in whole pages ---- */

/* Puts memory that the interpreter can map in place of pages that nothing has touched yet. false:
 * errno. */
bool python_share(python_process *p, void *address, size_t bytes);
/* Gives back the pages among which an address lies, if they are shared. Allows NULL. */
void python_unshare(python_process *p, const void *address);

/* ---- memory of a GPU ---- */

/* Has it use the GPU of that number, as the system counts them for both. The status of its answer,
 * here and below. */
scan_status python_take_device(python_process *p, uint32_t index);
/* Has a short kernel run there. */
scan_status python_wake_device(python_process *p);
/* Has it open memory that begins at an address here, by a CUDA IPC handle in hexadecimal. */
scan_status python_lend(python_process *p, void *address, size_t bytes, const char *handle);
/* Has it close the memory that begins at that address. false: none that was lent begins there. */
bool python_take_back(python_process *p, const void *address);

/* ---- memory of either ---- */

/* Where an address lies in what the interpreter has. false: it does not. */
bool python_locate(const python_process *p, const void *address, uint64_t *at_p);

#endif
