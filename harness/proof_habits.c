#include "proof_traps.h"

#include <string.h>

/* What breaks a claim that is not about answers. */
static const struct {
    const char *claim;
    const char *text;
} habits[] = {
    {"file", "a build or a copy that ended early, or a file for another machine"},
    {"declares", "a word, a range or a bit that this contract does not have"},
    {"loads", "a library or an object that is missing in the link line (-Wl,-z,defs tells when "
              "it is linked), or a constructor that does what belongs into create"},
    {"entry", "SCAN_EXPORT_PLUGINS left out, or hidden by a version script"},
    {"origin", "a plugin linked as a library into another"},
    {"contract", "a build against another scan_plugin.h, or a scan_entry made by hand"},
    {"exports", "default visibility: two files may take each other's functions"},
    {"quiet", "a constructor or a library that greets"},
    {"load_time", "a constructor that looks for devices or compiles kernels"},
    {"available", "a driver's call that is not checked, or a status without words"},
    {"twice", "atomics or threads that combine in the order they come"},
    {"buffers", "a pointer kept from the first run"},
    {"instances", "a static variable for what belongs into the instance"},
    {"rebuild", "a destroy that does not give back all that create took"},
    {"starved", "an allocation whose result is not checked, or a failing create that does not "
                "give back what it had"},
    {"heap", "scratch allocated in run"},
    {"waits", "a run without synchronisation at its end"},
    {"records", "times in another unit than ns, or events that span more than the run"},
    {"manners", "a setting that is not set back, output, or a process that is left behind"},
};

const char *proof_habit(const char *claim)
{
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++)
        if (strcmp(habits[i].claim, claim) == 0)
            return habits[i].text;
    return "no trap that is known here; repeat it with a debugger";
}
