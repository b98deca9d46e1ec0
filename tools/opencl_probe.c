/* Exit status 0 if an OpenCL runtime answers with a device. An ICD file alone says nothing:
 * the library it names may be absent, as in a GPU container started without one. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

int main(void)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    cl_uint devices = 0;
    if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS)
        return 1;
    for (cl_uint i = 0; i < count && i < 16; i++)
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 0, NULL, &devices) == CL_SUCCESS &&
            devices > 0)
            return 0;
    return 1;
}
