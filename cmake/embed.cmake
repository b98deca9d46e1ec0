# cmake -DFROM=kernel.cl -DTO=kernel.cl.h -DNAME=kernel_cl -P embed.cmake
file(READ "${FROM}" text)
if(text MATCHES "__VA_ARGS__")
  message(FATAL_ERROR "${FROM}: OpenCL C 1.2 has no variadic macros, and compilers refuse them that this machine may "
                      "not have; give the macro a name for each of its parameters")
endif()
file(READ "${FROM}" hex HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(................................................................................)"
                     "\\1\n    " bytes "${bytes}")
string(REGEX REPLACE "0x([89a-f].)" "(char)0x\\1" bytes "${bytes}") # where char is signed
file(WRITE "${TO}" "static const char ${NAME}[] = {\n    ${bytes}0x00};\n")
