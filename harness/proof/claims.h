/*
 * claims.h - the claims of a proof, in the order they are tested
 *
 *     X(name, sentence, scope, base, applies, test, detail, mistake)
 *
 * name      one word, for --claims
 * sentence  what holds, behind the file, the plugin, or the plugin and its dtype and op
 * scope     PROOF_PER_...
 * base      true: if it fails, the claims that depend on right answers are skipped
 * applies   which plugins it applies to: a function of proof.c
 * test      a function of the claims_*.c it belongs to; claim.h declares it
 * detail    an argument of that function: a loader_step, a job_behaviour, else 0
 * mistake   its most likely cause, unless the fault tells more
 */
#ifndef SCANBENCH_PROOF_CLAIMS_H
#define SCANBENCH_PROOF_CLAIMS_H

#define PROOF_NO_KNOWN_MISTAKE "not a known mistake; repeat it in a debugger"

#define PROOF_LOADING_MAP(X)                                                                       \
    X(file, "is a complete shared object for this machine", PROOF_PER_FILE, false, always,         \
      proof_test_step, LOADER_FILE,                                                                \
      "a build or a copy that ended early, or a file for another machine")                         \
    X(loads, "loads, with every symbol it needs", PROOF_PER_FILE, false, always, proof_test_step,  \
      LOADER_LOAD,                                                                                 \
      "a library or an object that is missing in the link line (-Wl,-z,defs reports it at "        \
      "link time), or a constructor that does the work of create")                                 \
    X(entry, "exports scan_entry", PROOF_PER_FILE, false, always, proof_test_step, LOADER_ENTRY,   \
      "SCAN_EXPORT_PLUGINS left out, or hidden by a version script")                               \
    X(origin, "defines scan_entry itself, not through a library", PROOF_PER_FILE, false, always,   \
      proof_test_step, LOADER_ORIGIN, "a plugin linked as a library into another")                 \
    X(contract, "is built for this contract", PROOF_PER_FILE, false, always, proof_test_step,      \
      LOADER_CONTRACT, "a build against another scan_plugin.h, or a scan_entry made by hand")      \
    X(declares, "declares only what the contract has", PROOF_PER_FILE, false, always,              \
      proof_test_step, LOADER_TABLES, "a word, a range or a bit that this contract does not have") \
    X(exports, "exports nothing but scan_entry", PROOF_PER_FILE, false, always,                    \
      proof_test_exports, 0, "default visibility: two files may take each other's functions")      \
    X(quiet, "prints nothing while it is loaded", PROOF_PER_FILE, false, always, proof_test_quiet, \
      0, "a constructor or a library that prints")                                                 \
    X(load_time, "is loaded within a second", PROOF_PER_FILE, false, always, proof_test_load_time, \
      0, "a constructor that looks for devices or compiles kernels")                               \
    X(available, "says which device it has", PROOF_PER_DEVICE, false, always,                      \
      proof_test_available, 0, "a driver call that is not checked, or a status without a reason")

#define PROOF_ANSWER_MAP(X)                                                                        \
    X(sizes, "is right at n = 0, tile edges and primes", PROOF_PER_OP, true, always,               \
      proof_test_sizes, 0, PROOF_NO_KNOWN_MISTAKE)                                                 \
    X(levels, "is right through three levels of recursion", PROOF_PER_OP, false, is_tuned_scan,    \
      proof_test_levels, 0, PROOF_NO_KNOWN_MISTAKE)                                                \
    X(patterns, "is right on ones, impulses, extremes and signs", PROOF_PER_OP, false, is_scan,    \
      proof_test_patterns, 0, PROOF_NO_KNOWN_MISTAKE)                                              \
    X(remainders, "is right to n = 70, at each tail and around powers of 2", PROOF_PER_PLUGIN,     \
      false, is_scan, proof_test_remainders, 0, PROOF_NO_KNOWN_MISTAKE)                            \
    X(tunables, "handles or refuses every setting of its tunables", PROOF_PER_PLUGIN, true,        \
      is_tuned, proof_test_tunables, 0, "a setting that supports should refuse")                   \
    X(parts, "is right in 1 to 8 parts", PROOF_PER_PLUGIN, true, works_in_parts, proof_test_parts, \
      0, "elements looked for in another part, or at another place in it, than the layout says")   \
    X(repeat, "is right on repeated runs", PROOF_PER_PLUGIN, true, always, proof_test_repeat, 0,   \
      "a run that continues from the one before; each must start anew from its input")             \
    X(misaligned, "is right on misaligned buffers", PROOF_PER_PLUGIN, false, is_on_host,           \
      proof_test_misaligned, 0,                                                                    \
      "vector accesses to host memory, which is aligned only for its type")                        \
    X(bounds, "reads and writes nothing outside its buffers", PROOF_PER_PLUGIN, false, is_on_host, \
      proof_test_bounds, 0, "an index outside the arrays")                                         \
    X(in_place, "is right in place", PROOF_PER_PLUGIN, false, is_in_place, proof_test_in_place, 0, \
      "elements written before others have read them; do not declare SCAN_FLAG_IN_PLACE")          \
    X(same_bits, "gives the same bits again", PROOF_PER_PLUGIN, false, is_deterministic,           \
      proof_test_same_bits, 0, "atomics or threads that combine in the order they arrive")         \
    X(buffers, "works with other buffers and inputs on the next run", PROOF_PER_PLUGIN, false,     \
      always, proof_test_behaviour, BEHAVE_BUFFERS,                                                \
      "a pointer or an answer kept from the run before, or an order of the buffers in memory "     \
      "that is taken for granted")                                                                 \
    X(instances, "keeps two instances apart", PROOF_PER_PLUGIN, false, always,                     \
      proof_test_behaviour, BEHAVE_INSTANCES,                                                      \
      "a static variable for what belongs to the instance")                                        \
    X(large, "is right beyond 2^29 elements and 65535 blocks", PROOF_PER_PLUGIN, false, is_scan,   \
      proof_test_large, 0,                                                                         \
      "an index, an offset in bytes or a dimension of a grid that is too narrow")

#define PROOF_BEHAVIOUR_MAP(X)                                                                     \
    X(races, "is right in many runs whose threads are moved and delayed", PROOF_PER_PLUGIN, false, \
      always, proof_test_races, 0,                                                                 \
      "a race: a thread that reads what another has not written yet, or is not waited for; or "    \
      "memory that is used before it is written")                                                  \
    X(leaks, "leaves nothing behind in 100 lives and 2000 runs", PROOF_PER_PLUGIN, false, always,  \
      proof_test_behaviour, BEHAVE_LEAKS,                                                          \
      "a destroy that does not release all that create took, or a run that takes more each time")  \
    X(no_memory, "reports an allocation that fails", PROOF_PER_PLUGIN, false, always,              \
      proof_test_behaviour, BEHAVE_NO_MEMORY,                                                      \
      "an allocation whose result is not checked, or a failing create that does not release "      \
      "what it had")                                                                               \
    X(input, "never writes its input", PROOF_PER_PLUGIN, false, has_const_input,                   \
      proof_test_behaviour, BEHAVE_INPUT, "the input used as scratch, if only for a while")        \
    X(heap, "allocates nothing in run", PROOF_PER_PLUGIN, false, has_own_heap,                     \
      proof_test_behaviour, BEHAVE_HEAP, "scratch allocated in run")                               \
    X(waits, "has done its work when run returns", PROOF_PER_PLUGIN, false, always,                \
      proof_test_waits, 0, "a run without synchronisation at its end, or threads that never rest") \
    X(phases, "records phases that lie within run", PROOF_PER_PLUGIN, false, always,               \
      proof_test_behaviour, BEHAVE_PHASES,                                                         \
      "times in another unit than ns, or events that span more than the run")                      \
    X(process, "leaves the process as it was", PROOF_PER_PLUGIN, false, always,                    \
      proof_test_behaviour, BEHAVE_PROCESS,                                                        \
      "a setting that is not restored, output, or a process that is left behind")

#define PROOF_CLAIM_MAP(X) PROOF_LOADING_MAP(X) PROOF_ANSWER_MAP(X) PROOF_BEHAVIOUR_MAP(X)

/* Their names, for the command line. */
#define PROOF_WORD(name, ...) #name " "
#define PROOF_LOADING_WORDS PROOF_LOADING_MAP(PROOF_WORD)
#define PROOF_ANSWER_WORDS PROOF_ANSWER_MAP(PROOF_WORD)
#define PROOF_BEHAVIOUR_WORDS PROOF_BEHAVIOUR_MAP(PROOF_WORD)
#define PROOF_CLAIM_WORDS PROOF_CLAIM_MAP(PROOF_WORD)

#endif
