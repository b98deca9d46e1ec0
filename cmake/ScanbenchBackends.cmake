# The backends: each folder in plugins/common that has a backend.cmake. Included in the
# scanbench tree (scanbench_in_tree is true) and by find_package(scanbench); nothing else
# lists them. The folder's name is the backend's, B, and the file
#
#   sets scanbench_B_about    the language of its plugins and where they run, in a few words
#   sets scanbench_B_compile  the command that builds a plugin without CMake, in which
#                               {header}  is replaced by -I and the folder of scan_plugin.h
#                               {common}  by -I and the folder B; where the build generates
#                                         files for it (scanbench_GENERATED_DIR/B), by -I and
#                                         that too
#                               {folder}  by the folder B
#                               {source} {plugin}  by the plugin's source and the result
#   sets scanbench_B_about_cxx, scanbench_B_compile_cxx  the same for C++, if B has a template in C++
#   sets scanbench_B_missing  to the reason if plugins of B cannot be built here. In the tree
#                             it looks for the toolkit and enables its language; elsewhere
#                             that language is for the project to enable
#   defines scanbench_common_B(TARGET), a function that adds the static library TARGET, which
#                             the plugins of B link, with the flags they need
#
# B/template/ROLE/ is a complete plugin, one source and a CMakeLists.txt: built and proved as
# it is, and what `scanbench new --backend B --role ROLE` writes under another name;
# B/template/ROLE-WORD/ is one in another language, for --language.
file(GLOB scanbench_backend_files CONFIGURE_DEPENDS "${scanbench_COMMON_DIR}/*/backend.cmake")
get_property(scanbench_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
set(scanbench_backends "")
foreach(scanbench_file IN LISTS scanbench_backend_files)
  get_filename_component(scanbench_backend "${scanbench_file}" DIRECTORY)
  get_filename_component(scanbench_backend "${scanbench_backend}" NAME)
  list(APPEND scanbench_backends ${scanbench_backend})
  set(scanbench_${scanbench_backend}_missing "")
  include("${scanbench_file}")
  if(scanbench_in_tree AND scanbench_${scanbench_backend}_missing)
    message(STATUS "scanbench: ${scanbench_backend} plugins not built: ${scanbench_${scanbench_backend}_missing}")
  endif()
endforeach()
