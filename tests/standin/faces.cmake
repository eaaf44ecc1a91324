# SPDX-License-Identifier: Apache-2.0
# The faces as vendors' libraries, for programs that know nothing of Tarn: the same objects, and no
# events for tools (quiet.c).
# add_face_standin(FACE TARGET LIBRARY SOVERSION [DEFINITIONS...])
function(add_face_standin name target library soversion)
    set(room ${PROJECT_SOURCE_DIR}/compat/${name})
    file(GLOB soname CONFIGURE_DEPENDS ${room}/soname.c)
    add_library(standin_${target} SHARED standin/quiet.c ${soname}
                $<TARGET_OBJECTS:face_${name}_objects>
                ${library_objects} $<TARGET_OBJECTS:tarn_pools_opened_late>)
    target_include_directories(standin_${target}
        PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src
        PUBLIC ${room}/include ${PROJECT_SOURCE_DIR}/compat/kernel/include)
    target_compile_definitions(standin_${target} PRIVATE TN_FACE_SOVERSION=${soversion}
        INTERFACE ${ARGN})
    target_link_libraries(standin_${target} PRIVATE compat_runtime tarn_flags Threads::Threads ${CMAKE_DL_LIBS})
    set_target_properties(standin_${target} PROPERTIES
        OUTPUT_NAME ${library}
        LINKER_LANGUAGE C
        C_VISIBILITY_PRESET hidden
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/standin/${target}
        LINK_DEPENDS ${room}/${name}.map)
    if(soversion)
        set_target_properties(standin_${target} PROPERTIES SOVERSION ${soversion})
    endif()
    target_link_options(standin_${target} PRIVATE "LINKER:--version-script=${room}/${name}.map"
        LINKER:-Bsymbolic-functions LINKER:-z,nodelete)
endfunction()
add_face_standin(hip hip amdhip64 6 __HIP_PLATFORM_AMD__=1)
add_face_standin(acl acl ascendcl 0)
add_face_standin(cuda cuda_face cuda 1)
target_sources(standin_cuda_face PRIVATE standin/cuda_functions.c)
target_include_directories(standin_cuda_face PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
