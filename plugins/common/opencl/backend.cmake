# The backend opencl: plugins in C, with kernels in OpenCL C. ScanbenchBackends.cmake says
# what is expected here.
set(scanbench_opencl_about "C and OpenCL C, on OpenCL devices")
set(scanbench_opencl_compile
    "cc -O3 -shared -fPIC -fvisibility=hidden {header} {common} {source} {folder}/*.c -lOpenCL -o {plugin}")

if(NOT "C" IN_LIST scanbench_languages)
  set(scanbench_opencl_missing
      "the language C is not enabled; write project(... LANGUAGES C) before find_package(scanbench)")
else()
  find_package(OpenCL QUIET)
  if(NOT OpenCL_FOUND)
    set(scanbench_opencl_missing
        "no OpenCL headers and ICD loader found; install ocl-icd-opencl-dev, then run CMake again")
  elseif(scanbench_in_tree)
    message(STATUS "scanbench: OpenCL ${OpenCL_VERSION_STRING}")
  endif()
endif()

# The kernels as C strings. They are also made without OpenCL, because they are installed for other
# hosts; there they lie beside the sources.
if(scanbench_in_tree)
  set(scanbench_kernels "")
  foreach(kernel IN ITEMS scan_ops.cl vectors.cl sub_groups.cl add_carry.cl status_words.cl)
    scanbench_embed("${CMAKE_CURRENT_LIST_DIR}/${kernel}" "${scanbench_GENERATED_DIR}/opencl/${kernel}.h")
    list(APPEND scanbench_kernels "${scanbench_GENERATED_DIR}/opencl/${kernel}.h")
  endforeach()
  add_custom_target(scanbench_kernels ALL DEPENDS ${scanbench_kernels})
endif()

function(scanbench_common_opencl target)
  set(sources opencl_cache.c opencl_chained.c opencl_device.c opencl_error.c opencl_gate.c opencl_graph.c
              opencl_memory.c opencl_peer.c opencl_program.c opencl_register.c opencl_run.c opencl_sub_groups.c
              opencl_tiles.c opencl_types.c opencl_words.c)
  list(TRANSFORM sources PREPEND "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/")
  find_package(OpenCL QUIET REQUIRED)
  find_package(Threads QUIET REQUIRED)
  add_library(${target} STATIC ${sources})
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
  target_link_libraries(${target} PUBLIC OpenCL::OpenCL Threads::Threads ${CMAKE_DL_LIBS})
  if(scanbench_in_tree)
    add_dependencies(${target} scanbench_kernels)
    target_include_directories(${target} PRIVATE "${scanbench_GENERATED_DIR}/opencl")
  endif()
endfunction()
