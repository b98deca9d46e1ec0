/*
 * opencl_sub_groups.c - which sub-groups sub_groups.cl can use on a device
 *
 * NVIDIA's devices have warps, and a small program shows whether the compiler takes the
 * instructions for them. Other devices go without.
 */
#include "opencl_scan.h"

#include "sub_groups.cl.h"

const char *const opencl_sub_groups = sub_groups_cl;

/* Of cl_nv_device_attribute_query; the cl_ext.h of older headers lacks it. */
enum { WARP_SIZE_NV = 0x4003, WARP = 32 };

/* Uses every function, with elements of two pieces. */
static const char probe[] =
    "\n__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void\n"
    "probe(__global T *values)\n"
    "{\n"
    "    __local sub_groups s;\n"
    "    const uint item = get_local_id(0);\n"
    "    uint turn = 0;\n"
    "    T before;\n"
    "    begin_votes(&s);\n"
    "    barrier_sub_group();\n"
    "    const T total = scan_work_group(values[item], &before, &s);\n"
    "    const uint2 last = last_in_sub_group(item < 3, item < 4, &turn, &s);\n"
    "    values[item] = (T)(combine(before, total).x + last.x, last.y);\n"
    "}\n";

static bool takes_warps(const opencl_context *context)
{
    const char *sources[] = {opencl_scan_ops, opencl_sub_groups, probe};
    cl_int error = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(context->handle, 3, sources, NULL, &error);
    if (error != CL_SUCCESS)
        return false;
    error = clBuildProgram(program, 1, &context->device,
                           "-cl-std=CL1.2 -D DTYPE_u32x2 -D OP_affine -D BLOCK=64 -D SUB_GROUPS=32",
                           NULL, NULL);
    clReleaseProgram(program);
    return error == CL_SUCCESS;
}

uint32_t opencl_sub_group_width(opencl_context *context, uint64_t block)
{
    if (!context->asked_for_sub_groups) {
        const bool has_warps =
            opencl_has_extension(context->device, "cl_nv_device_attribute_query") &&
            opencl_device_number(context->device, WARP_SIZE_NV) == WARP;
        context->sub_group_width = has_warps && takes_warps(context) ? WARP : 0;
        context->asked_for_sub_groups = true;
    }
    const uint32_t width = context->sub_group_width;
    return width > 0 && block % width == 0 ? width : 0;
}
