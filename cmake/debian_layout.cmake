# Run by cpack in the tree to package: what Debian's policy has elsewhere than `cmake --install`.
set(usr "${CPACK_TEMPORARY_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}")
set(doc "${usr}/share/doc/scanbench")
find_program(GZIP gzip REQUIRED)

function(compress file)
  execute_process(COMMAND "${GZIP}" -9n "${file}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(RENAME "${doc}/LICENSE" "${doc}/copyright")
file(COPY_FILE "${CPACK_SCANBENCH_FILES}/changelog" "${doc}/changelog")
compress("${doc}/changelog")
file(MAKE_DIRECTORY "${usr}/share/lintian/overrides")
file(COPY_FILE "${CMAKE_CURRENT_LIST_DIR}/debian_overrides.txt" "${usr}/share/lintian/overrides/scanbench")
file(COPY_FILE "${CPACK_SCANBENCH_FILES}/not_built.txt" "${usr}/lib/scanbench/plugins/not_built.txt")
if(EXISTS "${usr}/share/man/man1/scanbench.1") # there is none with sanitizers
  compress("${usr}/share/man/man1/scanbench.1")
  file(RENAME "${usr}/share/zsh/site-functions" "${usr}/share/zsh/vendor-completions")
endif()
