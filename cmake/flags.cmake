# SPDX-License-Identifier: Apache-2.0
# Language, warnings and sanitizers for every file of ours. Targets get them by linking `tarn_flags`.

# Assertions use TARN_ASSERT, so NDEBUG is never set. A release is built with -O2 -g.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g")
set(CMAKE_C_FLAGS_RELEASE "-O2")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g")
set(CMAKE_CXX_FLAGS_RELEASE "-O2")

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)

add_library(tarn_flags INTERFACE)
target_compile_definitions(tarn_flags INTERFACE _GNU_SOURCE)
target_compile_options(tarn_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wvla
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
    $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
    $<$<BOOL:${TARN_WERROR}>:-Werror>
    # Structs are filled field by field and read soon after. GCC 12 reads two fields by one load, which
    # waits until both stores have left the store buffer: a tenth of some calls.
    $<$<C_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>)

# GCC clears structs of more than 64 bytes by `rep stosq`, which begins slowly: 10 ns for each event.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(tarn_flags INTERFACE
        -mmemset-strategy=vector_loop:512:noalign,libcall:-1:noalign)
endif()

# Sanitizers apply to every target, not only to users of `tarn_flags`, so that no object is left out.
set(sanitizers ${TARN_SANITIZE})
if(TARN_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "TARN_FUZZ needs clang: configure with -DCMAKE_C_COMPILER=clang")
    endif()
    list(APPEND sanitizers address undefined)
    list(REMOVE_DUPLICATES sanitizers)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(sanitizers)
    list(JOIN sanitizers "," sanitizer_list)
    add_compile_options(-fsanitize=${sanitizer_list} -fno-sanitize-recover=all
                        -fno-omit-frame-pointer -O1 -g1) # reports need functions and lines
    add_link_options(-fsanitize=${sanitizer_list})
endif()
if(sanitizers OR TARN_DEBUG OR CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_compile_definitions(tarn_flags INTERFACE TARN_DEBUG=1)
endif()
