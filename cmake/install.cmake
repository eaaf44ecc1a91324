# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where. Both packages find their prefix from their own place, so an
# installed tree may be moved.
include(CMakePackageConfigHelpers)

install(TARGETS tarn_shared tarn_static EXPORT tarn-targets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tarn
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tarn)
install(EXPORT tarn-targets NAMESPACE tarn:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tarn-config.cmake.in
    ${PROJECT_BINARY_DIR}/tarn-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tarn-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tarn-config.cmake ${PROJECT_BINARY_DIR}/tarn-config-version.cmake
        DESTINATION ${package_dir})

set(pkgconfig_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_prefix ${pkgconfig_dir} ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/tarn.pc.in ${PROJECT_BINARY_DIR}/tarn.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tarn.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

file(GLOB documents CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md)
foreach(name README.md CHANGELOG.md LICENSE)
    if(EXISTS ${PROJECT_SOURCE_DIR}/${name})
        list(APPEND documents ${PROJECT_SOURCE_DIR}/${name})
    endif()
endforeach()
install(FILES ${documents} DESTINATION ${CMAKE_INSTALL_DOCDIR})
