# Run by cpack when it has made a package: one that depends on no library is none.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
foreach(package IN LISTS CPACK_PACKAGE_FILES)
  execute_process(COMMAND dpkg-deb -f "${package}" Depends OUTPUT_VARIABLE depends
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  if(NOT depends MATCHES "libc6")
    file(REMOVE "${package}")
    message(FATAL_ERROR "the package would depend on \"${depends}\", not on the libraries that its programs link")
  endif()
endforeach()
