# SPDX-License-Identifier: Apache-2.0
# What enable_language(HIP) asks for. The driver adds headers and library by itself.
foreach(side host device)
    if(NOT TARGET hip-lang::${side})
        add_library(hip-lang::${side} INTERFACE IMPORTED)
    endif()
endforeach()
