# SPDX-License-Identifier: Apache-2.0
# Refuses the systems that Tarn cannot serve, by one sentence each, before the compiler meets them.
include(CheckCSourceCompiles)

if(NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
    message(FATAL_ERROR "Tarn reserves addresses by the terabyte and needs 64 bits; this compiler makes programs of ${CMAKE_SIZEOF_VOID_P} bytes to a pointer")
endif()

check_c_source_compiles("
#include <features.h>
#ifndef __GLIBC__
#error another C library
#endif
int main(void) { return 0; }" TARN_HAVE_GLIBC)
if(NOT TARN_HAVE_GLIBC)
    message(FATAL_ERROR "Tarn needs glibc, because it takes the place of libraries that are linked with it; this compiler uses another C library, such as musl on Alpine")
endif()
