# SPDX-License-Identifier: Apache-2.0
# Stand-ins for drivers of GPUs: built like the faces in compat/, for tests only. `cuda` is the
# driver of today, `cuda_old` one from before virtual memory.
set(standin_room ${CMAKE_CURRENT_SOURCE_DIR}/standin/cuda)
file(GLOB standin_sources CONFIGURE_DEPENDS ${standin_room}/*.c)
file(GLOB face_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/compat/face/*.c)
foreach(name cuda cuda_old)
    add_library(standin_${name} SHARED ${standin_sources} standin/quiet.c ${face_sources}
                $<TARGET_OBJECTS:tarn_objects> $<TARGET_OBJECTS:tarn_pools_opened_late>)
    target_include_directories(standin_${name} PRIVATE ${PROJECT_SOURCE_DIR}
        ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR})
    target_link_libraries(standin_${name} PRIVATE tarn_flags Threads::Threads ${CMAKE_DL_LIBS})
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
endforeach()

# standin/cuda/tests/<noun>.c: black box, as a program for the driver.
file(GLOB standin_tests CONFIGURE_DEPENDS ${standin_room}/tests/*.c)
foreach(source IN LISTS standin_tests)
    get_filename_component(name ${source} NAME_WE)
    set(name standin_cuda_${name})
    add_executable(${name} ${source} support/child.c support/gate.c)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src
        ${CMAKE_CURRENT_SOURCE_DIR})
    target_link_libraries(${name} PRIVATE tarn_flags standin_cuda PkgConfig::CMOCKA
                          Threads::Threads)
    add_test(NAME ${name} COMMAND ${name})
    register(${name} standin)
endforeach()
