# The backend cpu: plugins that run on the host's CPUs, in any language that can define
# the contract's tables. ScanbenchBackends.cmake says what is expected here.
set(scanbench_cpu_about "C, on the host's CPU")
set(scanbench_cpu_compile
    "cc -O3 -shared -fPIC -fvisibility=hidden {header} {common} {source} -o {plugin}")
set(scanbench_cpu_about_cxx "C++, on the host's CPU")
set(scanbench_cpu_compile_cxx
    "c++ -std=c++17 -O3 -shared -fPIC -fvisibility=hidden -pthread {header} {common} {source} -o {plugin}")

# The team of threads is in C; a project without C does not get it.
function(scanbench_common_cpu target)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "C" IN_LIST languages)
    return()
  endif()
  find_package(Threads QUIET REQUIRED)
  add_library(${target} STATIC "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/cpu_team.c")
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
  target_link_libraries(${target} PUBLIC Threads::Threads)
endfunction()
