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
    if(NOT CMAKE_CUDA_ARCHITECTURES)
      file(GLOB scanbench_gpus "/dev/nvidia[0-9]*")
      if(DEFINED ENV{CUDAARCHS}) # CMake itself asks only when it first looks for the compiler
        set(CMAKE_CUDA_ARCHITECTURES "$ENV{CUDAARCHS}" CACHE STRING "CUDA architectures" FORCE)
      elseif(scanbench_gpus)
        set(CMAKE_CUDA_ARCHITECTURES native)
      else() # PTX for everything from Turing on, machine code for Hopper
        set(CMAKE_CUDA_ARCHITECTURES 75-virtual 90-real)
      endif()
    endif()
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    message(STATUS "scanbench: CUDA ${CUDAToolkit_VERSION}, architectures ${CMAKE_CUDA_ARCHITECTURES}")

    # For the plugins around CUB and Thrust: the flag that puts these headers before the toolkit's. Not
    # as a system folder, which the toolkit's would precede.
    set(SCANBENCH_CCCL "" CACHE PATH "CCCL's headers, the folder with cub, thrust and cuda; empty: the toolkit's")
    if(SCANBENCH_CCCL AND NOT EXISTS "${SCANBENCH_CCCL}/cub/version.cuh")
      message(FATAL_ERROR "SCANBENCH_CCCL: ${SCANBENCH_CCCL} has no cub/version.cuh; name the folder with cub, "
                          "thrust and cuda")
    endif()
    if(SCANBENCH_CCCL)
      set(scanbench_cccl_options "-I${SCANBENCH_CCCL}")
    endif()
    # Whether they are of CCCL 3.3 or later, with scans of segments and sums in a fixed order; CUDA 13.0 has 3.0.
    set(scanbench_cccl_folders "${SCANBENCH_CCCL}")
    if(NOT SCANBENCH_CCCL)
      set(scanbench_cccl_folders ${CUDAToolkit_INCLUDE_DIRS})
      list(TRANSFORM CUDAToolkit_INCLUDE_DIRS APPEND /cccl OUTPUT_VARIABLE cccl)
      list(APPEND scanbench_cccl_folders ${cccl})
    endif()
    set(scanbench_cccl_is_3_3 OFF)
    foreach(cccl IN LISTS scanbench_cccl_folders)
      if(EXISTS "${cccl}/cub/device/device_segmented_scan.cuh")
        set(scanbench_cccl_is_3_3 ON)
      endif()
    endforeach()
  endif()
endif()

function(scanbench_common_cuda target)
  set(folder "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  add_library(${target} STATIC "${folder}/cuda_common.cu" "${folder}/cuda_gate.cu"
              "${folder}/cuda_graph.cu" "${folder}/cuda_launch.cu" "${folder}/cuda_parts.cu" "${folder}/cuda_parts_memory.cu"
              "${folder}/cuda_parts_run.cu")
endfunction()

# scanbench_add_cuda_kernels(NAME file.cu...) inside the tree: the object library NAME_kernels, compiled
# once for all that contain these kernels. Nothing, if CUDA plugins cannot be built.
function(scanbench_add_cuda_kernels name)
  if(scanbench_cuda_missing)
    return()
  endif()
  add_library(${name}_kernels OBJECT ${ARGN})
  target_include_directories(${name}_kernels PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}" "${scanbench_COMMON_DIR}/cuda")
  target_link_libraries(${name}_kernels PRIVATE scanbench_header scanbench_compile)
  set_target_properties(
    ${name}_kernels PROPERTIES POSITION_INDEPENDENT_CODE ON CUDA_VISIBILITY_PRESET hidden
                               CUDA_RUNTIME_LIBRARY Static)
endfunction()

# scanbench_emulator_objects(): the emulator as object libraries, compiled once for all tests that contain
# it: cuda_emulator and, beside it, either cuda_emulated_device or cuda_emulated_devices, several devices
# with what CUDA plugins share.
set(scanbench_cuda_emulator "${CMAKE_CURRENT_LIST_DIR}/emulator")
function(scanbench_emulator_objects)
  if(TARGET cuda_emulator)
    return()
  endif()
  set(folder "${scanbench_cuda_emulator}")
  set(shared "${folder}/../tests")
  add_library(cuda_emulator OBJECT "${folder}/bulk.cpp" "${folder}/emulator.cpp" "${folder}/fiber.cpp"
                                   "${folder}/memory.cpp")
  target_include_directories(cuda_emulator PUBLIC "${folder}" "${scanbench_COMMON_DIR}/cuda")
  target_compile_options(cuda_emulator PUBLIC -Wno-unknown-pragmas) # kernels have #pragma unroll
  if(SCANBENCH_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # A second stack for each of thousands of fibers is slow.
    target_compile_options(cuda_emulator PUBLIC --param=asan-use-after-return=0 -g1)
  endif()
  target_link_libraries(cuda_emulator PUBLIC scanbench_header PRIVATE scanbench_compile)

  add_library(cuda_emulated_device OBJECT "${folder}/device.cpp")
  add_library(
    cuda_emulated_devices OBJECT "${folder}/device.cpp" "${folder}/gate.cpp" "${shared}/emulated_common.cpp"
                                 "${shared}/emulated_launch.cpp" "${shared}/emulated_parts.cpp")
  target_compile_definitions(cuda_emulated_devices PUBLIC EMULATED_DEVICES)
  foreach(objects cuda_emulated_device cuda_emulated_devices)
    target_link_libraries(${objects} PUBLIC cuda_emulator PRIVATE scanbench_compile)
  endforeach()
endfunction()

# scanbench_add_emulated_test(NAME file.cpp [DEVICES]) inside the tree: a TAP program, as
# scanbench_add_test, that runs kernels under the emulator. It needs a C++ compiler and neither nvcc nor
# a GPU. With DEVICES it can include a plugin's own source and call it as a host does. Most of its time is
# the emulator's, which is optimised; the kernels' instances would take longer to optimise than to run. A
# macro, because a language is enabled for a folder.
macro(scanbench_add_emulated_test name source)
  include(CheckLanguage)
  check_language(CXX)
  if(SCANBENCH_TESTS AND CMAKE_CXX_COMPILER)
    enable_language(CXX)
    scanbench_emulator_objects()
    scanbench_add_test(${name} ${source})
    target_include_directories(${name}_test BEFORE PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
    target_compile_options(${name}_test PRIVATE -Og)
    if("${ARGN}" STREQUAL "DEVICES")
      target_link_libraries(${name}_test PRIVATE cuda_emulator cuda_emulated_devices)
    else()
      target_link_libraries(${name}_test PRIVATE cuda_emulator cuda_emulated_device)
    endif()
  endif()
endmacro()
