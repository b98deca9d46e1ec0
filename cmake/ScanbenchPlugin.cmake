# scanbench_add_plugin(ID [BACKEND backend] SOURCES file...
#                      [LIBRARIES library...] [INCLUDE_DIRECTORIES folder...] [OPTIONS flag...])
#
# Builds ID.so (target plugin_ID), a module that exports scan_entry and nothing else. Works
# inside the scanbench tree and, after find_package(scanbench), outside it.
#   BACKEND       a folder of plugins/common, default cpu: links the backend and what its
#                 plugins share. If the backend cannot be built, that is an error outside the tree;
#                 in the tree ID is listed as by scanbench_plugin_not_built
#   SOURCES       .cl sources are embedded: kernel.cl becomes `#include "kernel.cl.h"`, which
#                 defines `static const char kernel_cl[]`, the text with a final 0
#   LIBRARIES     targets or files to link, as for target_link_libraries
#   INCLUDE_DIRECTORIES  folders of the headers of a library, whose warnings are not shown
#   OPTIONS       flags for the compiler, as -DNAME=1
#
# scanbench_plugin_not_built(ID BACKEND reason)
#
# For a plugin whose own requirement is missing. In the tree, ID is listed in plugins/not_built.txt
# and reported as unavailable with the reason, which says what was not found and what to install; if
# the backend is missing too, with the backend's reason. Outside the tree it is an error.
#
# scanbench_add_python(ID)
#
# Inside the tree: ID.py, which needs no build, becomes one of the program's plugins; a template is
# there to be copied.
set(scanbench_plugin_dir "${CMAKE_CURRENT_LIST_DIR}")

function(scanbench_add_plugin id)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "BACKEND" "SOURCES;LIBRARIES;INCLUDE_DIRECTORIES;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "scanbench_add_plugin(${id}): \"${arg_UNPARSED_ARGUMENTS}\" belongs to no keyword")
  endif()
  if(NOT arg_BACKEND)
    set(arg_BACKEND cpu)
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "scanbench_add_plugin(${id}): name the source files after SOURCES")
  endif()
  scanbench_check_backend("scanbench_add_plugin(${id})" "${arg_BACKEND}")
  if(scanbench_${arg_BACKEND}_missing)
    scanbench_plugin_not_built(${id} ${arg_BACKEND} "${scanbench_${arg_BACKEND}_missing}")
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
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}"
                                               "${scanbench_COMMON_DIR}/${arg_BACKEND}")
  target_include_directories(${target} SYSTEM PRIVATE ${arg_INCLUDE_DIRECTORIES})
  target_compile_options(${target} PRIVATE ${arg_OPTIONS})
  target_link_libraries(${target} PRIVATE scanbench::plugin ${arg_LIBRARIES})
  if(TARGET scanbench_common_${arg_BACKEND})
    target_link_libraries(${target} PRIVATE scanbench_common_${arg_BACKEND})
  endif()
  set_target_properties(
    ${target}
    PROPERTIES PREFIX "" SUFFIX ".so" OUTPUT_NAME ${id} C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden
               CUDA_VISIBILITY_PRESET hidden CUDA_RUNTIME_LIBRARY Static)
  if(NOT SCANBENCH_SANITIZE) # sanitizers resolve their runtime from the program
    target_link_options(${target} PRIVATE LINKER:-z,defs)
  endif()
  target_link_options(${target} PRIVATE "LINKER:--version-script=${scanbench_plugin_dir}/plugin.map")
  if(scanbench_in_tree)
    target_link_libraries(${target} PRIVATE scanbench_compile)
    set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/plugins")
    set_property(GLOBAL APPEND PROPERTY scanbench_plugins ${target})
    set_target_properties(${target} PROPERTIES scanbench_backend ${arg_BACKEND})
  endif()
endfunction()

function(scanbench_add_python id)
  if(id MATCHES "^template_")
    return()
  endif()
  configure_file("${id}.py" "${CMAKE_BINARY_DIR}/plugins/${id}.py" COPYONLY)
  set_property(GLOBAL APPEND PROPERTY scanbench_python_plugins "${CMAKE_CURRENT_SOURCE_DIR}/${id}.py")
endfunction()

function(scanbench_plugin_not_built id backend reason)
  scanbench_check_backend("scanbench_plugin_not_built(${id})" "${backend}")
  if(scanbench_${backend}_missing)
    set(reason "${scanbench_${backend}_missing}")
  endif()
  if(NOT scanbench_in_tree)
    message(FATAL_ERROR "scanbench: ${id} cannot be built with BACKEND ${backend}: ${reason}")
  elseif(NOT id MATCHES "^template_") # to be copied, not measured: nobody misses one
    set_property(GLOBAL APPEND_STRING PROPERTY scanbench_not_built "${id}\t${backend}\tnot built: ${reason}\n")
    if(NOT scanbench_${backend}_missing) # that has been said once for all its plugins
      message(STATUS "scanbench: ${id} not built: ${reason}")
    endif()
  endif()
endfunction()

function(scanbench_check_backend where backend)
  if(NOT backend IN_LIST scanbench_backends)
    list(JOIN scanbench_backends ", " known)
    message(FATAL_ERROR "${where}: BACKEND is one of ${known}, not \"${backend}\"")
  endif()
endfunction()

# Makes the target scanbench_common_BACKEND, once, if the backend has shared sources for the enabled
# languages.
function(scanbench_add_common backend)
  set(common scanbench_common_${backend})
  if(TARGET ${common})
    return()
  endif()
  cmake_language(CALL ${common} ${common})
  if(NOT TARGET ${common})
    return()
  endif()
  target_include_directories(${common} PUBLIC "${scanbench_COMMON_DIR}/${backend}")
  target_link_libraries(${common} PUBLIC scanbench::plugin)
  if(scanbench_in_tree)
    target_link_libraries(${common} PRIVATE scanbench_compile)
  endif()
  set_target_properties(
    ${common} PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden
                         CUDA_VISIBILITY_PRESET hidden CUDA_RUNTIME_LIBRARY Static)
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
  # For linters, which need the headers and nothing that is compiled (target generated).
  if(scanbench_in_tree)
    file(RELATIVE_PATH target "${CMAKE_BINARY_DIR}" "${to}")
    string(MAKE_C_IDENTIFIER "generated_${target}" target)
    add_custom_target(${target} DEPENDS "${to}")
    set_property(GLOBAL APPEND PROPERTY scanbench_generated ${target})
  endif()
endfunction()

# scanbench_add_test(NAME file.c [KERNELS file.cl...]) inside the tree: a TAP program that belongs
# to a plugin, built as tests/plugin_NAME.t. It may run on hosts where the plugin cannot; the
# kernels are embedded as for the plugin.
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
