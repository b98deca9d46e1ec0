# scanbench_add_plugin(ID [BACKEND cpu|cuda|opencl] SOURCES file...)
#
# Builds ID.so (target plugin_ID), a module that exports scan_entry and nothing else. Works inside
# the scanbench tree and, after find_package(scanbench), outside it.
#   .cl sources   are embedded: kernel.cl becomes `#include "kernel.cl.h"`, which
#                 defines `static const char kernel_cl[]`, the text with a final 0
#   BACKEND cuda, opencl   links the backend and what its plugins share
#                 (plugins/common); where the backend cannot be built, that is an
#                 error outside the tree, and in it ID is listed in
#                 plugins/not_built.txt and reported as unavailable
set(scanbench_plugin_dir "${CMAKE_CURRENT_LIST_DIR}")
set(scanbench_backends cpu cuda opencl)

function(scanbench_add_plugin id)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "BACKEND" "SOURCES;LIBRARIES")
  if(NOT arg_BACKEND)
    set(arg_BACKEND cpu)
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "scanbench_add_plugin(${id}): name the source files after SOURCES")
  endif()
  if(NOT arg_BACKEND IN_LIST scanbench_backends)
    message(FATAL_ERROR "scanbench_add_plugin(${id}): BACKEND is cpu, cuda or opencl, not \"${arg_BACKEND}\"")
  endif()
  if(NOT scanbench_backend_${arg_BACKEND})
    scanbench_note_missing(${id} ${arg_BACKEND} "${scanbench_missing_${arg_BACKEND}}")
    return()
  endif()
  scanbench_add_common(${arg_BACKEND})

  set(kernels ${arg_SOURCES})
  list(FILTER kernels INCLUDE REGEX "\\.cl$")
  list(FILTER arg_SOURCES EXCLUDE REGEX "\\.cl$")
  foreach(kernel IN LISTS kernels)
    scanbench_embed("${CMAKE_CURRENT_SOURCE_DIR}/${kernel}" "${CMAKE_CURRENT_BINARY_DIR}/${kernel}.h")
    list(APPEND arg_SOURCES "${CMAKE_CURRENT_BINARY_DIR}/${kernel}.h")
  endforeach()

  set(target plugin_${id}) # an id may be what CMake keeps for itself: test, all, install
  add_library(${target} MODULE ${arg_SOURCES})
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
  target_link_libraries(${target} PRIVATE scanbench::plugin ${arg_LIBRARIES})
  if(TARGET scanbench_common_${arg_BACKEND})
    target_link_libraries(${target} PRIVATE scanbench_common_${arg_BACKEND})
  endif()
  if(TARGET scanbench_compile)
    target_link_libraries(${target} PRIVATE scanbench_compile)
  endif()
  set_target_properties(
    ${target}
    PROPERTIES PREFIX "" SUFFIX ".so" OUTPUT_NAME ${id} C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden
               CUDA_VISIBILITY_PRESET hidden CUDA_RUNTIME_LIBRARY Static)
  if(NOT SCANBENCH_SANITIZE) # sanitizers resolve their runtime from the program
    target_link_options(${target} PRIVATE LINKER:-z,defs)
  endif()
  target_link_options(${target} PRIVATE "LINKER:--version-script=${scanbench_plugin_dir}/plugin.map")
  if(TARGET scanbench_compile)
    set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/plugins")
    set_property(GLOBAL APPEND PROPERTY scanbench_plugins ${target})
  endif()
endfunction()

# Templates are to be copied, not measured: nobody misses one in the tree.
function(scanbench_note_missing id backend why)
  if(NOT TARGET scanbench_compile)
    message(FATAL_ERROR "scanbench_add_plugin(${id} BACKEND ${backend}): ${why}")
  elseif(NOT id MATCHES "^template_")
    set_property(GLOBAL APPEND_STRING PROPERTY scanbench_not_built "${id}\t${backend}\t${why}\n")
  endif()
endfunction()

# The target scanbench_common_BACKEND. That of CPU plugins is in C, and they need not
# be.
function(scanbench_add_common backend)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(TARGET scanbench_common_${backend} OR (backend STREQUAL "cpu" AND NOT "C" IN_LIST languages))
    return()
  endif()
  add_subdirectory("${scanbench_COMMON_DIR}" "${CMAKE_BINARY_DIR}/scanbench_common/${backend}")
endfunction()

# Turns a text file into a C header that defines it as a string, by default under the
# file's own name.
function(scanbench_embed from to)
  get_filename_component(file "${from}" NAME)
  string(MAKE_C_IDENTIFIER "${file}" name)
  if(ARGC GREATER 2)
    set(name "${ARGV2}")
  endif()
  add_custom_command(
    OUTPUT "${to}"
    COMMAND ${CMAKE_COMMAND} -DFROM=${from} -DTO=${to} -DNAME=${name} -P
            ${scanbench_plugin_dir}/embed.cmake
    DEPENDS "${from}" "${scanbench_plugin_dir}/embed.cmake"
    VERBATIM)
endfunction()

# scanbench_add_test(NAME file.c [KERNELS file.cl...]) inside the tree: a TAP program of a
# plugin's own, built as tests/plugin_NAME.t. It runs where the plugin itself may not;
# the kernels are embedded as for the plugin.
function(scanbench_add_test name source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "KERNELS")
  if(NOT SCANBENCH_TESTS)
    return()
  endif()
  add_executable(${name}_test ${source})
  foreach(kernel IN LISTS arg_KERNELS)
    set(embedded "${CMAKE_CURRENT_BINARY_DIR}/tests/${kernel}.h")
    scanbench_embed("${CMAKE_CURRENT_SOURCE_DIR}/${kernel}" "${embedded}")
    target_sources(${name}_test PRIVATE "${embedded}")
    target_include_directories(${name}_test PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/tests")
  endforeach()
  target_include_directories(${name}_test PRIVATE "${PROJECT_SOURCE_DIR}/core/tests")
  target_link_libraries(${name}_test PRIVATE scanbench_compile)
  set_property(GLOBAL APPEND PROPERTY scanbench_plugin_tests ${name}_test)
  set_target_properties(
    ${name}_test PROPERTIES OUTPUT_NAME "plugin_${name}.t" RUNTIME_OUTPUT_DIRECTORY
                                                           "${CMAKE_BINARY_DIR}/tests")
  set_property(GLOBAL APPEND PROPERTY scanbench_tests ${name}_test)
endfunction()
