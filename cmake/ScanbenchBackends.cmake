# Which backends can be built here. A missing toolkit is a status line that says
# what to install, and its plugins are listed as not built (ScanbenchPlugin).
set(scanbench_backend_cpu ON)

include(CheckLanguage)
check_language(CUDA)
if(CMAKE_CUDA_COMPILER)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
    file(GLOB scanbench_gpus "/dev/nvidia[0-9]*")
    if(scanbench_gpus)
      set(CMAKE_CUDA_ARCHITECTURES native)
    else() # PTX for everything from Turing on, machine code for Hopper
      set(CMAKE_CUDA_ARCHITECTURES 75-virtual 90-real)
    endif()
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
  set(scanbench_backend_cuda ON)
  message(STATUS "scanbench: CUDA ${CUDAToolkit_VERSION}, architectures ${CMAKE_CUDA_ARCHITECTURES}")
else()
  set(scanbench_missing_cuda
      "not built: no CUDA compiler found; install the CUDA Toolkit and put nvcc on PATH, then build again")
  message(STATUS "scanbench: CUDA plugins ${scanbench_missing_cuda}")
endif()

find_package(OpenCL QUIET)
if(OpenCL_FOUND)
  set(scanbench_backend_opencl ON)
  message(STATUS "scanbench: OpenCL ${OpenCL_VERSION_STRING}")
else()
  set(scanbench_missing_opencl
      "not built: no OpenCL headers and ICD loader found; install ocl-icd-opencl-dev, then build again")
  message(STATUS "scanbench: OpenCL plugins ${scanbench_missing_opencl}")
endif()
