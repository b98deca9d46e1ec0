# The backend cuda: plugins in CUDA C++ for NVIDIA GPUs. ScanbenchBackends.cmake says what
# is expected here.
set(scanbench_cuda_about "CUDA C++, on NVIDIA GPUs")
set(scanbench_cuda_compile
    "nvcc -std=c++17 -O3 -shared -Xcompiler -fPIC,-fvisibility=hidden -Xlinker --exclude-libs=ALL {header} {common} {source} {folder}/*.cu -o {plugin}")

if(NOT scanbench_in_tree)
  if(NOT "CUDA" IN_LIST scanbench_languages)
    set(scanbench_cuda_missing
        "the language CUDA is not enabled; write project(... LANGUAGES CUDA) before find_package(scanbench)")
  endif()
else()
  include(CheckLanguage)
  check_language(CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    set(scanbench_cuda_missing
        "no CUDA compiler found; install the CUDA Toolkit and put nvcc on PATH, then run CMake again")
  else()
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
    message(STATUS "scanbench: CUDA ${CUDAToolkit_VERSION}, architectures ${CMAKE_CUDA_ARCHITECTURES}")
  endif()
endif()

function(scanbench_common_cuda target)
  set(folder "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  add_library(${target} STATIC "${folder}/cuda_common.cu" "${folder}/cuda_gate.cu"
              "${folder}/cuda_launch.cu")
endfunction()
