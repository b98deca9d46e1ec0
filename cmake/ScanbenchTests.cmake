# An entry of ctest for each file that prove runs: C tests, shell tests, plugins. Each entry runs
# prove, so that a "not ok" in the TAP fails the entry.
enable_testing()
find_program(PROVE_PROGRAM prove)
if(NOT PROVE_PROGRAM)
  message(STATUS "ctest will have no entries: there is no prove, which comes with perl")
  return()
endif()

# The root has the .proverc that says how a file is run.
function(scanbench_prove name file)
  add_test(NAME ${name} COMMAND "${PROVE_PROGRAM}" -v "${file}"
           WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(
    ${name} PROPERTIES ENVIRONMENT "SCANBENCH_BUILD=${CMAKE_BINARY_DIR}"
                       SKIP_REGULAR_EXPRESSION "Result: NOTESTS")
endfunction()

get_property(tests GLOBAL PROPERTY scanbench_tests)
get_property(plugins GLOBAL PROPERTY scanbench_plugins)
foreach(test IN LISTS tests)
  get_target_property(name ${test} OUTPUT_NAME)
  scanbench_prove(${name} "$<TARGET_FILE:${test}>")
endforeach()
foreach(plugin IN LISTS plugins)
  get_target_property(id ${plugin} OUTPUT_NAME)
  scanbench_prove(${id}.so "$<TARGET_FILE:${plugin}>")
endforeach()
file(GLOB scripts RELATIVE "${PROJECT_SOURCE_DIR}/tests" CONFIGURE_DEPENDS tests/*/*.t)
foreach(script IN LISTS scripts)
  scanbench_prove(${script} tests/${script})
endforeach()
