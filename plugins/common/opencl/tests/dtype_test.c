/* dtype_test.c - what a device cannot compute with is refused, with the reason; no device is needed
 */
#include "opencl_scan.h"

#include "recording_host.h"
#include "tap.h"

static scan_status check(const opencl_context *context, uint32_t dtype)
{
    const scan_problem problem = {.struct_size = sizeof problem, .dtype = dtype};
    recorded_reason[0] = '\0';
    return opencl_check_dtype(context, &problem);
}

static bool refuses(const opencl_context *context, uint32_t dtype, const char *reason)
{
    return check(context, dtype) == SCAN_UNSUPPORTED && strstr(recorded_reason, reason) != NULL;
}

int main(void)
{
    enum { USUAL = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN };
    scan_host host;
    recording_host_init(&host);
    const opencl_context whole = {
        .host = &host, .f32_config = USUAL | CL_FP_DENORM, .f64_config = USUAL | CL_FP_DENORM};
    const opencl_context flushing = {.host = &host, .f32_config = USUAL, .f64_config = USUAL};
    const opencl_context narrow = {.host = &host, .f32_config = USUAL | CL_FP_DENORM};
    tap_plan(7);
    int accepted = 1;
    for (uint32_t dtype = 0; dtype < SCAN_DTYPE_COUNT; dtype++)
        accepted &= check(&whole, dtype) == SCAN_OK;
    ok(accepted, "a device with doubles and subnormal numbers computes with every dtype");
    ok(refuses(&narrow, SCAN_DTYPE_F64, "f64 needs cl_khr_fp64") &&
           check(&narrow, SCAN_DTYPE_F32) == SCAN_OK,
       "one without doubles does not compute with f64");
    ok(refuses(&flushing, SCAN_DTYPE_F32, "f32 needs subnormal numbers"),
       "one that flushes subnormal numbers does not compute with f32");
    ok(refuses(&flushing, SCAN_DTYPE_F32X2, "f32x2 needs subnormal numbers"), "nor with f32x2");
    ok(refuses(&flushing, SCAN_DTYPE_F64, "f64 needs subnormal numbers"), "nor with f64");
    ok(refuses(&flushing, SCAN_DTYPE_F16, "f16 needs subnormal numbers") &&
           refuses(&flushing, SCAN_DTYPE_BF16, "bf16 needs subnormal numbers"),
       "nor with f16 and bf16, which are f32 there");
    ok(check(&flushing, SCAN_DTYPE_I8) == SCAN_OK && check(&flushing, SCAN_DTYPE_I32) == SCAN_OK &&
           check(&flushing, SCAN_DTYPE_U64) == SCAN_OK &&
           check(&flushing, SCAN_DTYPE_U32X2) == SCAN_OK,
       "but with integers");
    return tap_done();
}
