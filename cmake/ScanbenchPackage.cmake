# What `cpack` makes in the build folder: scanbench_VERSION_ARCH.deb, of the tree that
# `cmake --install` lays out, without plugins that need a GPU. What they link is in its
# dependencies, found by dpkg-shlibdeps.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
set(SCANBENCH_MAINTAINER "the scanbench authors <scanbench@packages.invalid>"
    CACHE STRING "Who maintains the packages: NAME <ADDRESS>")

# Plugins that are left out are listed as those that were not built, with the reason.
get_property(not_packaged GLOBAL PROPERTY scanbench_not_packaged)
get_property(not_built GLOBAL PROPERTY scanbench_not_built)
set(reason "not built: the package has no CUDA plugins; build scanbench from its sources")
string(REGEX REPLACE "(\tcuda\t)[^\n]*" "\\1${reason}" listed "${not_built}${not_packaged}")
file(WRITE "${PROJECT_BINARY_DIR}/package/not_built.txt" "${listed}")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # of SOURCE_DATE_EPOCH, if that is set
file(WRITE "${PROJECT_BINARY_DIR}/package/changelog"
     "scanbench (${PROJECT_VERSION}) unstable; urgency=medium\n\n"
     "  * What changed is told in /usr/share/doc/scanbench/CHANGELOG.md.\n\n"
     " -- ${SCANBENCH_MAINTAINER}  ${date}\n")

set(CPACK_GENERATOR DEB)
set(CPACK_SOURCE_GENERATOR "")
set(CPACK_PACKAGE_VENDOR "the scanbench authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "comparison of prefix-scan algorithms on CPUs and GPUs")
set(CPACK_PACKAGE_DESCRIPTION
    "Measures prefix scans (running sums and the like) on CPUs and GPUs. Every
algorithm is a plugin behind one C header; every timed result is compared with
a reference, and every row of the CSV says how far it is from a copy of the
same bytes.

This package has the program, its plugins for CPUs and OpenCL, and the header
and CMake package for plugins of one's own. CUDA plugins are built from the
sources.")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES TRUE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
# The default component alone, without that of CUDA.
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};${PROJECT_NAME};Unspecified;/")
set(CPACK_PROJECT_CONFIG_FILE "${CMAKE_CURRENT_LIST_DIR}/debian_tools.cmake")
set(CPACK_POST_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/debian_depends.cmake")
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/debian_layout.cmake")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${SCANBENCH_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3 (>= 3.9)") # beside what dpkg-shlibdeps finds
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gcc, cmake (>= 3.25), ocl-icd-opencl-dev, openmpi-bin, perl")
# For debian_layout.cmake.
set(CPACK_SCANBENCH_FILES "${PROJECT_BINARY_DIR}/package")
include(CPack)
