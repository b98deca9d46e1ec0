# What `cmake --install` lays out, all of it relative to the prefix so that the
# tree can be moved:
#
#   bin/scanbench                       the program; finds ../lib/scanbench/plugins
#   lib/scanbench/plugins/              the plugins, and which were not built
#   lib/scanbench/check-kernels         proves OpenCL plugins on a simulator
#   lib/scanbench/python/               the package scanbench_results: report, compare, submit
#   include/scan_plugin.h               the contract, all a plugin needs
#   include/scan_parts.h                its extensions for problems in several parts, and for
#   include/scan_ranks.h                parts in processes of their own
#   include/scan_half.h                 conversions of floats of 16 bits
#   share/scanbench/common/BACKEND/     what its plugins share, as sources, and templates
#   share/cmake/scanbench/              find_package(scanbench): scanbench::plugin
#   share/pkgconfig/scanbench.pc        and scanbench_add_plugin
#   share/doc/scanbench/                guides and licence
#   share/man/man1/scanbench.1          the manual, and completions where the shells
#                                       look for them: all printed by the program
include(CMakePackageConfigHelpers)
set(scanbench_install_plugins lib/scanbench/plugins)
set(scanbench_install_common "${CMAKE_INSTALL_DATADIR}/scanbench/common")
set(scanbench_install_cmake "${CMAKE_INSTALL_DATADIR}/cmake/scanbench")

get_property(plugins GLOBAL PROPERTY scanbench_plugins)
list(FILTER plugins EXCLUDE REGEX "^plugin_template_") # to be copied, not measured
# Lets the installed program find libraries outside the system's folders.
set_target_properties(scanbench ${plugins} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)

install(TARGETS scanbench RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
# What needs a GPU is a component of its own, which packages are without.
foreach(plugin IN LISTS plugins)
  get_target_property(backend ${plugin} scanbench_backend)
  get_target_property(id ${plugin} OUTPUT_NAME)
  if(backend STREQUAL "cuda")
    install(TARGETS ${plugin} LIBRARY DESTINATION "${scanbench_install_plugins}" COMPONENT cuda)
    set_property(GLOBAL APPEND_STRING PROPERTY scanbench_not_packaged
                 "${id}\tcuda\tnot built\n")
  else()
    install(TARGETS ${plugin} LIBRARY DESTINATION "${scanbench_install_plugins}")
  endif()
endforeach()
get_property(files GLOBAL PROPERTY scanbench_python_plugins)
install(FILES ${files} DESTINATION "${scanbench_install_plugins}")
if(NOT scanbench_opencl_missing)
  # Beside the program, in a build: the script finds it there, and what it preloads.
  add_library(oclgrind_buffers MODULE "${PROJECT_SOURCE_DIR}/tools/oclgrind_buffers.c")
  target_compile_definitions(oclgrind_buffers PRIVATE _GNU_SOURCE)
  target_include_directories(oclgrind_buffers SYSTEM PRIVATE ${OpenCL_INCLUDE_DIRS})
  set_target_properties(oclgrind_buffers PROPERTIES PREFIX "" OUTPUT_NAME buffers C_VISIBILITY_PRESET default
                                                   LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/oclgrind")
  configure_file("${PROJECT_SOURCE_DIR}/tools/check-kernels" "${CMAKE_BINARY_DIR}/check-kernels" COPYONLY)
  add_custom_target(check_kernels DEPENDS oclgrind_buffers scanbench)
  # Not in lib/scanbench itself: a package with a library so near to lib would run ldconfig.
  install(TARGETS oclgrind_buffers LIBRARY DESTINATION lib/scanbench/oclgrind)
  install(PROGRAMS "${PROJECT_SOURCE_DIR}/tools/check-kernels" DESTINATION lib/scanbench)
endif()
# What report, compare and submit start, with the text of the pages' plots. In a build the program finds it
# by a link, so that a change needs no new build.
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/python")
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/reports/scanbench_results" "${CMAKE_BINARY_DIR}/python/scanbench_results"
     SYMBOLIC)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/reports/scanbench_results" DESTINATION lib/scanbench/python
        PATTERN __pycache__ EXCLUDE)
# Which plugins are scanbench's own (known_plugins.py, which looks into the sources where they are).
file(GLOB sources "${PROJECT_SOURCE_DIR}/plugins/*/*.[ch]" "${PROJECT_SOURCE_DIR}/plugins/*/*.c[cu]"
     "${PROJECT_SOURCE_DIR}/plugins/*/*.cpp")
file(GLOB known RELATIVE "${PROJECT_SOURCE_DIR}/plugins" "${PROJECT_SOURCE_DIR}/plugins/*/CMakeLists.txt")
list(TRANSFORM known REPLACE "/CMakeLists.txt" "")
list(REMOVE_ITEM known common)
foreach(source IN LISTS sources)
  file(STRINGS "${source}" lines REGEX "\\.id = \"[a-z0-9_]+\"")
  list(TRANSFORM lines REPLACE ".*\\.id = \"([a-z0-9_]+)\".*" "\\1")
  list(APPEND known ${lines})
endforeach()
list(REMOVE_DUPLICATES known)
list(SORT known)
list(JOIN known "\n" known)
file(WRITE "${CMAKE_BINARY_DIR}/python/plugins.txt" "${known}\n")
install(FILES "${CMAKE_BINARY_DIR}/python/plugins.txt" DESTINATION lib/scanbench/python/scanbench_results)
install(FILES "${PROJECT_SOURCE_DIR}/third_party/echarts/echarts.min.js"
        DESTINATION lib/scanbench/python/scanbench_results/template)
install(FILES "${CMAKE_BINARY_DIR}/plugins/not_built.txt" DESTINATION "${scanbench_install_plugins}")
install(FILES "${PROJECT_SOURCE_DIR}/core/include/scan_plugin.h"
              "${PROJECT_SOURCE_DIR}/core/include/scan_parts.h"
              "${PROJECT_SOURCE_DIR}/core/include/scan_ranks.h"
              "${PROJECT_SOURCE_DIR}/core/include/scan_half.h" TYPE INCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md"
              "${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${PROJECT_SOURCE_DIR}/CITATION.cff" TYPE DOC)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" TYPE DOC)
# The package contains ECharts, whose licence goes with it.
install(FILES "${PROJECT_SOURCE_DIR}/third_party/README.md" "${PROJECT_SOURCE_DIR}/third_party/echarts/LICENSE"
              "${PROJECT_SOURCE_DIR}/third_party/echarts/NOTICE"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}/third_party")
file(MAKE_DIRECTORY "${scanbench_GENERATED_DIR}") # even if no backend generates anything
install(DIRECTORY "${scanbench_COMMON_DIR}/" "${scanbench_GENERATED_DIR}/"
        DESTINATION "${scanbench_install_common}" PATTERN tests EXCLUDE)

# scanbench_print(FORM FILE FOLDER): what --help=FORM prints goes to FILE, installed
# into FOLDER.
function(scanbench_print form file folder)
  set(to "${PROJECT_BINARY_DIR}/manual/${file}")
  add_custom_command(
    OUTPUT "${to}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/manual"
    COMMAND scanbench --help=${form} > "${to}"
    DEPENDS scanbench
    VERBATIM)
  set_property(GLOBAL APPEND PROPERTY scanbench_printed "${to}")
  install(FILES "${to}" DESTINATION "${folder}")
endfunction()

# Programs with sanitizers may need their own environment to run.
if(NOT SCANBENCH_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  scanbench_print(man scanbench.1 "${CMAKE_INSTALL_MANDIR}/man1")
  scanbench_print(bash scanbench "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  scanbench_print(zsh _scanbench "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
  scanbench_print(fish scanbench.fish "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
  get_property(printed GLOBAL PROPERTY scanbench_printed)
  add_custom_target(manual ALL DEPENDS ${printed})
endif()

configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/scanbench-config.cmake.in"
  "${PROJECT_BINARY_DIR}/cmake/scanbench-config.cmake"
  INSTALL_DESTINATION "${scanbench_install_cmake}"
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR scanbench_install_plugins scanbench_install_common)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/cmake/scanbench-config-version.cmake"
  COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
install(
  FILES "${PROJECT_BINARY_DIR}/cmake/scanbench-config.cmake"
        "${PROJECT_BINARY_DIR}/cmake/scanbench-config-version.cmake"
        "${CMAKE_CURRENT_LIST_DIR}/ScanbenchPlugin.cmake"
        "${CMAKE_CURRENT_LIST_DIR}/ScanbenchBackends.cmake" "${CMAKE_CURRENT_LIST_DIR}/plugin.map"
        "${CMAKE_CURRENT_LIST_DIR}/embed.cmake"
  DESTINATION "${scanbench_install_cmake}")

file(RELATIVE_PATH scanbench_pc_prefix "/prefix/${CMAKE_INSTALL_DATADIR}/pkgconfig" "/prefix")
configure_file("${CMAKE_CURRENT_LIST_DIR}/scanbench.pc.in" "${PROJECT_BINARY_DIR}/cmake/scanbench.pc"
               @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/cmake/scanbench.pc"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/pkgconfig")
