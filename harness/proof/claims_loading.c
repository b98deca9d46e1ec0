/*
 * proof_loading.c - the claims about a file before any function of it is called, and
 * about its devices
 */
#include "proof/claim.h"

#include "supervisor/interrupt.h"

#include <inttypes.h>
#include <string.h>

/* A step of loading, as it went when the file was described. */
proof_verdict proof_test_step(proof *p)
{
    const plugin_info *plugin = p->session->plugin;
    const int failed = (int)plugin->failed_step;
    if (!plugin->problem || p->claim->detail < failed)
        return PROOF_OK;
    if (p->claim->detail > failed)
        return proof_skip(p, "not reached");
    return proof_fault(p, plugin->status, "%s", plugin->problem);
}

proof_verdict proof_test_exports(proof *p)
{
    const plugin_info *plugin = p->session->plugin;
    if (plugin->problem)
        return proof_skip(p, "not reached");
    if (plugin->exports == 0)
        return PROOF_OK;
    return proof_fault(p, ROW_ERROR,
                       "it exports scan_entry and %" PRIu64 " more, such as %s; build with "
                       "-fvisibility=hidden, and hide libraries with -Wl,--exclude-libs,ALL or "
                       "a version script",
                       plugin->exports, plugin->export);
}

proof_verdict proof_test_quiet(proof *p)
{
    const plugin_info *plugin = p->session->plugin;
    if (plugin->problem)
        return proof_skip(p, "not reached");
    if (!*plugin->printed)
        return PROOF_OK;
    return proof_fault(p, ROW_ERROR,
                       "it printed to stdout while it was loaded: \"%s\"; use host->message",
                       plugin->printed);
}

/* The best of some loads: a machine under load is not the plugin's fault. */
proof_verdict proof_test_load_time(proof *p)
{
    enum { TIMES = 3 };
    const double most_ns = 1e9;
    double best_ns = 0;
    if (p->session->plugin->problem)
        return proof_skip(p, "not reached");
    for (int i = 0; i < TIMES && (i == 0 || best_ns > most_ns); i++) {
        if (!session_reload(p->session))
            return PROOF_INTERRUPTED;
        if (!p->session->worker.pid)
            return proof_fault(p, p->session->status, "%s", p->session->reason);
        best_ns = i == 0 || p->session->load_ns < best_ns ? p->session->load_ns : best_ns;
    }
    if (best_ns <= most_ns)
        return PROOF_OK;
    return proof_fault(p, ROW_ERROR,
                       "loading it took %.2g s, expected at most %.2g s; what it does then "
                       "belongs into probe or create",
                       best_ns * 1e-9, most_ns * 1e-9);
}

/* Past the last device there is none, and probe says so. */
static proof_verdict test_no_other(proof *p)
{
    enum { FAR_INDEX = 4096 };
    session_device device;
    char reason[256] = "";
    scan_status status = session_probe(p->session, FAR_INDEX, &device, reason, sizeof reason);
    if (interrupt_requested())
        return PROOF_INTERRUPTED;
    if (status == SCAN_OK)
        return proof_fault(p, ROW_ERROR,
                           "its probe finds a device %d (%s); past the last index it must say "
                           "SCAN_UNAVAILABLE",
                           FAR_INDEX, device.name);
    if (status != SCAN_UNAVAILABLE)
        return proof_fault(p, ROW_ERROR, "probe of device %d: %s", FAR_INDEX, reason);
    if (!p->session->in_words)
        return proof_fault(p, ROW_ERROR,
                           "its probe says that there is no device %d and not why; it must say "
                           "it in words (host->fail)",
                           FAR_INDEX);
    return PROOF_OK;
}

static proof_verdict test_unavailable(proof *p)
{
    const session *l = p->session;
    if (!l->plugin->problem && !l->in_words)
        return proof_fault(p, ROW_ERROR,
                           "its probe says that there is no device and not why; it must say it "
                           "in words (host->fail)");
    return p->required ? proof_fault(p, l->status, "%s (--require)", l->reason)
                       : proof_skip(p, "%s", l->reason);
}

proof_verdict proof_test_available(proof *p)
{
    session *l = p->session;
    if (l->status == ROW_UNAVAILABLE)
        return test_unavailable(p);
    if (l->status != ROW_OK)
        return proof_fault(p, l->status, "%s", l->reason);
    if (!*l->device.name)
        return proof_fault(p, ROW_ERROR, "its probe finds a device and does not name it");
    if (!session_reload(l))
        return PROOF_INTERRUPTED;
    if (!l->worker.pid)
        return proof_fault(p, l->status, "%s", l->reason);
    return test_no_other(p);
}
