/*
 * claims_loading.c - the claims about a file before any of its functions is called, and about its
 * devices
 */
#include "proof/claim.h"

#include "supervisor/interrupt.h"

/* Notes the fault of a session that cannot be used. */
static proof_verdict session_fault(proof *p)
{
    proof_fault(p, &p->session->fault);
    p->failure.status = p->session->status;
    return PROOF_FAILED;
}

/* A step of loading, with its result when the file was described. */
proof_verdict proof_test_step(proof *p)
{
    const plugin_info *plugin = p->session->plugin;
    const int failed = (int)plugin->failed_step;
    if (!plugin->problem || p->claim->detail < failed)
        return PROOF_OK;
    if (p->claim->detail > failed)
        return proof_skip(p, "not reached");
    return session_fault(p);
}

/* Of a file that was loaded: something is wrong, as the text says. */
static proof_verdict test_loaded(proof *p, bool wrong, fault_code code, const char *text,
                                 uint64_t count)
{
    if (p->session->plugin->problem)
        return proof_skip(p, "not reached");
    if (!wrong)
        return PROOF_OK;
    fault f = fault_with_text(code, text);
    f.count = count;
    return proof_fault(p, &f);
}

proof_verdict proof_test_exports(proof *p)
{
    const plugin_info *plugin = p->session->plugin;
    return test_loaded(p, plugin->exports > 0, FAULT_EXPORTS_MORE, plugin->export, plugin->exports);
}

proof_verdict proof_test_quiet(proof *p)
{
    const char *printed = p->session->plugin->printed;
    return test_loaded(p, printed && *printed, FAULT_PRINTED_ON_LOAD, printed, 0);
}

/* Takes the best of some loads: a busy machine is not the plugin's fault. */
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
            return session_fault(p);
        best_ns = i == 0 || p->session->load_ns < best_ns ? p->session->load_ns : best_ns;
    }
    if (best_ns <= most_ns)
        return PROOF_OK;
    return proof_fault(
        p, &(fault){.code = FAULT_LOADED_SLOWLY, .ns = best_ns, .expected_ns = most_ns});
}

/* A probe that found no device must say why. */
static proof_verdict test_reason(proof *p, const fault *f, uint64_t index)
{
    if (*f->text)
        return PROOF_OK;
    return proof_fault(p, &(fault){.code = FAULT_UNAVAILABLE_SILENTLY, .index = index});
}

/* probe must report that there is no device past the last one. */
static proof_verdict test_no_other(proof *p)
{
    enum { FAR_INDEX = 4096 };
    scan_device device;
    fault f = {.code = FAULT_NONE};
    scan_status status = session_probe(p->session, FAR_INDEX, &device, &f);
    if (interrupt_requested())
        return PROOF_INTERRUPTED;
    if (status == SCAN_UNAVAILABLE)
        return test_reason(p, &f, FAR_INDEX);
    if (status == SCAN_OK) {
        f = fault_with_text(FAULT_ENDLESS_DEVICES, device.name);
        f.index = FAR_INDEX;
    }
    return proof_fault(p, &f);
}

static proof_verdict test_unavailable(proof *p)
{
    const session *s = p->session;
    const proof_verdict verdict = test_reason(p, &s->fault, 0);
    if (verdict != PROOF_OK)
        return verdict;
    const fault f = fault_with_text(FAULT_REQUIRED, s->reason);
    return p->required ? proof_fault(p, &f) : proof_skip(p, "%s", s->reason);
}

proof_verdict proof_test_available(proof *p)
{
    session *s = p->session;
    if (s->status == ROW_UNAVAILABLE)
        return test_unavailable(p);
    if (s->status != ROW_OK)
        return session_fault(p);
    if (!*s->device.name)
        return proof_fault(p, &(fault){.code = FAULT_UNNAMED_DEVICE});
    if (!session_reload(s))
        return PROOF_INTERRUPTED;
    if (!s->worker.pid)
        return session_fault(p);
    return test_no_other(p);
}
