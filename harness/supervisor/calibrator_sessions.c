#include "supervisor/calibrator_sessions.h"

/* plugin_info owns its texts, so they are not constant; nobody writes or frees these. */
static char file[] = CALIBRATOR_FILE, backend[] = CALIBRATOR_BACKEND, nothing[] = "";
static char scan_id[] = CALIBRATOR_SCAN_ID, copy_id[] = CALIBRATOR_COPY_ID;

#define COMMON(which)                                                                        \
    .file = file, .index = (which), .name = nothing, .version = nothing, .summary = nothing, \
    .reference = nothing, .backend = backend

static const plugin_info infos[CALIBRATOR_COUNT] = {
    [CALIBRATOR_SCAN] = {COMMON(CALIBRATOR_SCAN), .id = scan_id, .role = SCAN_ROLE_BASELINE},
    [CALIBRATOR_COPY] = {COMMON(CALIBRATOR_COPY), .id = copy_id, .role = SCAN_ROLE_CEILING}};

session calibrator_session(calibrator which, const session *like)
{
    return (session){.plugin = &infos[which],
                     .binding_kind = like->binding_kind,
                     .core = like->core,
                     .places = 1,
                     .timeout_s = like->timeout_s,
                     .verbose = like->verbose,
                     .worker = {.results = -1, .pidfd = -1}};
}
