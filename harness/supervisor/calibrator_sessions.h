/*
 * calibrator_sessions.h - the sessions of the harness's own calibrators
 */
#ifndef SCANBENCH_SUPERVISOR_CALIBRATOR_SESSIONS_H
#define SCANBENCH_SUPERVISOR_CALIBRATOR_SESSIONS_H

#include "protocol/calibrator.h"
#include "supervisor/session.h"

/* A session that is not open yet, bound as a CPU plugin of one thread is; `like` says which core,
 * how long to wait, and whether to be quiet. */
session calibrator_session(calibrator which, const session *like);

#endif
