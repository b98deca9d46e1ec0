# How this project's own code is compiled: language level, warnings, sanitizers. Targets use this by
# linking scanbench_compile; none of it is installed.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)

set(warnings -Wall -Wextra -Wshadow -Wconversion -Wcast-qual -Wvla -Wundef -Wformat=2)
# A field that a descriptor leaves out is 0. That is intended, but g++ warns.
set(cxx_warnings ${warnings} -Wno-missing-field-initializers)
set(c_warnings ${warnings} -Wpedantic -Wstrict-prototypes -Wmissing-prototypes)
# scanbench runs on a small stack (ulimit -s 64), too. Sanitizers and -O0 make frames larger.
if(NOT SCANBENCH_SANITIZE AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  list(APPEND c_warnings -Wframe-larger-than=20480)
endif()

add_library(scanbench_compile INTERFACE)
target_compile_definitions(scanbench_compile INTERFACE _GNU_SOURCE)
target_compile_options(
  scanbench_compile
  INTERFACE "$<$<COMPILE_LANGUAGE:C>:${c_warnings}>" "$<$<COMPILE_LANGUAGE:CXX>:${cxx_warnings}>"
            # Not CMAKE_CXX_STANDARD, which CUDA inherits: the shared code of CUDA plugins is C++17,
            # and CMake 3.25 does not know nvcc 13's flag for later standards.
            "$<$<COMPILE_LANGUAGE:CXX>:-std=c++20>"
            "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++17;-Xcompiler=-Wall,-Wextra,-Wno-missing-field-initializers>")
if(SCANBENCH_WERROR)
  target_compile_options(
    scanbench_compile INTERFACE "$<$<COMPILE_LANGUAGE:C,CXX>:-Werror>"
                                "$<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings;-Xcompiler=-Werror>")
endif()
if(SCANBENCH_SANITIZE)
  target_compile_options(
    scanbench_compile INTERFACE "$<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${SCANBENCH_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer;-g>")
  target_link_options(scanbench_compile INTERFACE "-fsanitize=${SCANBENCH_SANITIZE}")
endif()
