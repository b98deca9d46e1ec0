/*
 * claims.c - the table of all claims, in the order they are tested
 */
#include "proof/claim.h"

#include "text/plugin_list.h"

#include <string.h>

/* Traits of plugins; a claim applies to those that have all it needs. */
enum {
    SCANS = 1 << 0,
    HAS_BLOCKS = 1 << 1,
    HAS_TUNABLES = 1 << 2,
    IN_PARTS = 1 << 3,
    ON_HOST = 1 << 4,
    IN_PLACE = 1 << 5,
    KEEPS_INPUT = 1 << 6,
    DETERMINISTIC = 1 << 7,
    KEEPS_HEAP = 1 << 8,
    TAKES_ROWS = 1 << 9,
    TAKES_COLUMNS = 1 << 10,
    IS_ACCURATE = 1 << 11,
    WIDENS = 1 << 12,
    IS_COMPILED = 1 << 13,
};

static uint32_t trait(bool has, uint32_t bit)
{
    return has ? bit : 0;
}

static bool widens(const plugin_info *p)
{
    bool any = false;
    for (size_t i = 0; i < SCAN_MAX_RESULT_ENTRIES; i++)
        any |= p->results[i].dtypes != 0;
    return any;
}

static uint32_t traits_of(const plugin_info *p)
{
    return trait(p->role != SCAN_ROLE_CEILING, SCANS) |
           trait(tunable_info_index(p, "block") >= 0, HAS_BLOCKS) |
           trait(p->tunable_count > 0, HAS_TUNABLES) | trait(p->in_parts, IN_PARTS) |
           trait(!p->device_memory, ON_HOST) | trait(!plugin_file_is_python(p->file), IS_COMPILED) |
           trait(p->flags & SCAN_FLAG_IN_PLACE, IN_PLACE) |
           trait(!(p->flags & SCAN_FLAG_IN_PLACE_ONLY), KEEPS_INPUT) |
           trait(!(p->flags & SCAN_FLAG_NONDETERMINISTIC), DETERMINISTIC) |
           trait(!(p->flags & SCAN_FLAG_ALLOCATES_IN_RUN), KEEPS_HEAP) |
           trait(p->flags & SCAN_FLAG_ROWS, TAKES_ROWS) |
           trait(p->flags & SCAN_FLAG_INNER, TAKES_COLUMNS) |
           trait(tunable_info_index(p, SCAN_ACCURATE_TUNABLE) >= 0, IS_ACCURATE) |
           trait(widens(p), WIDENS);
}

bool proof_applies(const proof_claim *claim, const plugin_info *plugin)
{
    return (claim->needs & ~traits_of(plugin)) == 0;
}

static const char unknown[] = "not a known mistake; repeat it in a debugger";

#define FILE_CLAIM PROOF_PER_FILE, PROOF_OF_FILE
#define OP_CLAIM PROOF_PER_OP, PROOF_OF_ANSWERS
#define ANSWER PROOF_PER_PLUGIN, PROOF_OF_ANSWERS
#define BASE PROOF_PER_PLUGIN, PROOF_OF_BASE
#define BEHAVIOUR PROOF_PER_PLUGIN, PROOF_OF_BEHAVIOUR

const proof_claim proof_claims[] = {
    {"file", "is a complete shared object for this machine", FILE_CLAIM, IS_COMPILED,
     proof_test_step, LOADER_FILE,
     "a build or a copy that ended early, or a file for another machine"},
    {"loads", "loads, with every symbol it needs", FILE_CLAIM, 0, proof_test_step, LOADER_LOAD,
     "a library or an object that is missing in the link line (-Wl,-z,defs reports it at link "
     "time), or a constructor that does the work of create"},
    {"entry", "exports scan_entry", FILE_CLAIM, IS_COMPILED, proof_test_step, LOADER_ENTRY,
     "SCAN_EXPORT_PLUGINS left out, or hidden by a version script"},
    {"origin", "defines scan_entry itself, not through a library", FILE_CLAIM, IS_COMPILED,
     proof_test_step, LOADER_ORIGIN, "a plugin linked as a library into another"},
    {"contract", "is built for this contract", FILE_CLAIM, IS_COMPILED, proof_test_step,
     LOADER_CONTRACT, "a build against another scan_plugin.h, or a scan_entry made by hand"},
    {"declares", "declares only what the contract has", FILE_CLAIM, 0, proof_test_step,
     LOADER_TABLES, "a word, a range or a bit that this contract does not have"},
    {"exports", "exports nothing but scan_entry", FILE_CLAIM, IS_COMPILED, proof_test_exports, 0,
     "default visibility: two files may take each other's functions"},
    {"quiet", "prints nothing while it is loaded", FILE_CLAIM, 0, proof_test_quiet, 0,
     "a constructor or a library that prints"},
    {"load_time", "is loaded within a second", FILE_CLAIM, IS_COMPILED, proof_test_load_time, 0,
     "a constructor that looks for devices or compiles kernels"},
    {"available", "says which device it has", PROOF_PER_DEVICE, PROOF_OF_FILE, 0,
     proof_test_available, 0, "a driver call that is not checked, or a status without a reason"},

    {"sizes", "is right at n = 0, tile edges and primes", PROOF_PER_OP, PROOF_OF_BASE, 0,
     proof_test_sizes, 0, unknown},
    {"levels", "is right through three levels of recursion", OP_CLAIM, SCANS | HAS_BLOCKS,
     proof_test_levels, 0, unknown},
    {"patterns", "is right on ones, impulses, extremes and signs", OP_CLAIM, SCANS,
     proof_test_patterns, 0, unknown},
    {"remainders", "is right to n = 70, at each tail and around powers of 2", ANSWER, SCANS,
     proof_test_remainders, 0, unknown},
    {"tunables", "handles or refuses every setting of its tunables", BASE, HAS_TUNABLES,
     proof_test_tunables, 0, "a setting that supports should refuse"},
    {"parts", "is right in 1 to 8 parts", BASE, IN_PARTS, proof_test_parts, 0,
     "elements looked for in another part, or at another place in it, than the layout says"},
    {"repeat", "is right on repeated runs", BASE, 0, proof_test_repeat, 0,
     "a run that continues from the one before; each must start anew from its input"},
    {"misaligned", "is right on misaligned buffers", ANSWER, ON_HOST, proof_test_misaligned, 0,
     "vector accesses to host memory, which is aligned only for its type"},
    {"bounds", "reads and writes nothing outside its buffers", ANSWER, ON_HOST, proof_test_bounds,
     0, "an index outside the arrays"},
    {"in_place", "is right in place", ANSWER, IN_PLACE, proof_test_in_place, 0,
     "elements written before others have read them; do not declare SCAN_FLAG_IN_PLACE"},
    {"rows", "is right in rows of any length and number", ANSWER, SCANS | TAKES_ROWS,
     proof_test_rows, PROOF_OF_ROWS,
     "rows that begin at other places than the multiples of n, such as those of a tile"},
    {"inner", "is right along an axis, with scans side by side", ANSWER, SCANS | TAKES_COLUMNS,
     proof_test_rows, PROOF_OF_COLUMNS,
     "element i of a scan looked for at another place than (row * n + i) * inner + column"},
    {"results", "is right in results wider than the input", ANSWER, WIDENS, proof_test_results, 0,
     "elements converted too late, at another width, or not all of them"},
    {"same_bits", "gives the same bits again", ANSWER, SCANS | DETERMINISTIC, proof_test_same_bits,
     BEHAVE_SAME_BITS, "atomics or threads that combine in the order they arrive"},
    {"accurate", "is within one unit in the last place where accurate=1 says so", ANSWER,
     SCANS | IS_ACCURATE, proof_test_accurate, 0,
     "atomics or threads that combine in the order they arrive, or other results where they are "
     "exact anyway"},
    {"buffers", "works with other buffers and inputs on the next run", ANSWER, 0,
     proof_test_behaviour, BEHAVE_BUFFERS,
     "a pointer or an answer kept from the run before, or an order of the buffers in memory that "
     "is taken for granted"},
    {"instances", "keeps two instances apart", ANSWER, 0, proof_test_behaviour, BEHAVE_INSTANCES,
     "a static variable for what belongs to the instance"},
    {"large", "is right beyond 2^29 elements and 65535 blocks", ANSWER, SCANS, proof_test_large, 0,
     "an index, an offset in bytes or a dimension of a grid that is too narrow"},

    {"races", "is right in many runs whose threads are moved and delayed", BEHAVIOUR, 0,
     proof_test_races, BEHAVE_RACES,
     "a race: a thread that reads what another has not written yet, or is not waited for; or "
     "memory that is used before it is written"},
    {"leaks", "leaves nothing behind in 100 lives and 2000 runs", BEHAVIOUR, 0,
     proof_test_behaviour, BEHAVE_LEAKS,
     "a destroy that does not release all that create took, or a run that takes more each time"},
    {"no_memory", "reports an allocation that fails", BEHAVIOUR, 0, proof_test_behaviour,
     BEHAVE_NO_MEMORY,
     "an allocation whose result is not checked, or a failing create that does not release what "
     "it had"},
    {"input", "never writes its input", BEHAVIOUR, ON_HOST | KEEPS_INPUT, proof_test_behaviour,
     BEHAVE_INPUT, "the input used as scratch, if only for a while"},
    {"heap", "allocates nothing in run", BEHAVIOUR, ON_HOST | KEEPS_HEAP, proof_test_behaviour,
     BEHAVE_HEAP, "scratch allocated in run"},
    {"waits", "has done its work when run returns", BEHAVIOUR, 0, proof_test_times, BEHAVE_WAITS,
     "a run or a copy_in without synchronisation at its end, an input that is looked at "
     "afterwards, "
     "or threads that never rest"},
    {"phases", "records phases that lie within run", BEHAVIOUR, 0, proof_test_times, BEHAVE_PHASES,
     "times in another unit than ns, of another run, or of events that span more than the run"},
    {"process", "leaves the process as it was", BEHAVIOUR, 0, proof_test_behaviour, BEHAVE_PROCESS,
     "a setting that is not restored, output, or a process that is left behind"},
};
const size_t proof_claim_count = sizeof proof_claims / sizeof *proof_claims;

const proof_claim proof_given = {
    "given", "is right as given", PROOF_PER_OP, PROOF_OF_BEHAVIOUR, 0, proof_test_given, 0,
    unknown};

const proof_claim *proof_about(uint32_t behaviour)
{
    for (size_t i = 0; i < proof_claim_count; i++)
        if ((proof_claims[i].test == proof_test_behaviour ||
             proof_claims[i].test == proof_test_times) &&
            proof_claims[i].detail == (int)behaviour)
            return &proof_claims[i];
    return NULL;
}

const proof_claim *proof_find(const char *name)
{
    for (size_t i = 0; i < proof_claim_count; i++)
        if (strcmp(proof_claims[i].name, name) == 0)
            return &proof_claims[i];
    return NULL;
}
