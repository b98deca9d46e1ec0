# What a program needs that links libscan_cuda.a: find_package(scan_cuda) gives scan_cuda::scan_cuda.
include(CMakePackageConfigHelpers)
set(scan_cuda_install_library lib)
set(scan_cuda_install_cmake lib/cmake/scan_cuda)
install(TARGETS scan_cuda ARCHIVE DESTINATION "${scan_cuda_install_library}" COMPONENT cuda)
install(FILES scan_cuda.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT cuda)
install(DIRECTORY example/ DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples/scan_cuda" COMPONENT cuda)
configure_package_config_file(
  scan_cuda-config.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/scan_cuda-config.cmake"
  INSTALL_DESTINATION "${scan_cuda_install_cmake}"
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR scan_cuda_install_library)
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/scan_cuda-config-version.cmake"
                                 COMPATIBILITY SameMajorVersion)
install(
  FILES "${CMAKE_CURRENT_BINARY_DIR}/scan_cuda-config.cmake"
        "${CMAKE_CURRENT_BINARY_DIR}/scan_cuda-config-version.cmake"
  DESTINATION "${scan_cuda_install_cmake}" COMPONENT cuda)
