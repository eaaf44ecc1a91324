# SPDX-License-Identifier: Apache-2.0
# Drivers for tests over the face: `cuda` is that of today, `cuda_old` one from before virtual memory.
set(standin_room ${CMAKE_CURRENT_SOURCE_DIR}/standin/cuda)
foreach(name cuda cuda_old)
    add_library(standin_${name} SHARED ${standin_room}/driver.c)
    target_include_directories(standin_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src
        ${PROJECT_SOURCE_DIR}/compat/cuda/include ${CMAKE_CURRENT_SOURCE_DIR})
    target_link_libraries(standin_${name} PRIVATE tarn_flags Threads::Threads ${CMAKE_DL_LIBS})
    target_compile_options(standin_${name} PRIVATE -Wno-cast-function-type)
    set_target_properties(standin_${name} PROPERTIES
        OUTPUT_NAME cuda
        SOVERSION 1
        LINKER_LANGUAGE C
        C_VISIBILITY_PRESET hidden
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/standin/${name}
        LINK_DEPENDS ${standin_room}/${name}.map)
    target_link_options(standin_${name} PRIVATE
        "LINKER:--version-script=${standin_room}/${name}.map" LINKER:-Bsymbolic-functions
        LINKER:-z,nodelete)
    add_dependencies(standin_${name} standin_cuda_face)
endforeach()
