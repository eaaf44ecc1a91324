# SPDX-License-Identifier: Apache-2.0
# The installed tree, in components: runtime, dev, tools, faces, doc and licence. Both package files
# compute the prefix from their own location, so the tree may be moved.
include(CMakePackageConfigHelpers)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dev)
install(TARGETS tarn_shared tarn_static EXPORT tarn-targets
        LIBRARY COMPONENT runtime NAMELINK_COMPONENT dev)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tarn
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

# The command, and the libraries that it injects.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME tools)
if(TARGET tarn_command)
    install(TARGETS tarn_command)
    install(FILES ${PROJECT_BINARY_DIR}/bin/tarn-hipcc ${PROJECT_BINARY_DIR}/bin/tarn-hip++
            ${PROJECT_BINARY_DIR}/bin/tarn-nvcc
            DESTINATION ${CMAKE_INSTALL_BINDIR}) # links
    set(complete_dir ${PROJECT_SOURCE_DIR}/tools/complete)
    install(FILES ${complete_dir}/tarn.bash RENAME tarn
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${complete_dir}/tarn.zsh RENAME _tarn
            DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${complete_dir}/tarn.fish
            DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
foreach(part check record)
    if(TARGET tarn_${part})
        install(TARGETS tarn_${part} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tarn/${part})
    endif()
endforeach()
if(TARGET tarn_symbols)
    install(TARGETS tarn_symbols RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/tarn/check)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/tarn DESTINATION ${CMAKE_INSTALL_DATADIR}/tarn/python
        FILES_MATCHING PATTERN "*.py" PATTERN py.typed PATTERN __pycache__ EXCLUDE)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME faces)
# Faces are in folders that no loader searches by default, so that an installation never hides a
# vendor's library. `tarn run`, or a search path that the user sets, selects a face.
foreach(face IN LISTS faces)
    set(face_dir ${CMAKE_INSTALL_LIBDIR}/tarn/${face})
    install(TARGETS face_${face} EXPORT tarn-faces LIBRARY DESTINATION ${face_dir})
    get_target_property(face_releases face_${face} FACE_RELEASES)
    foreach(number IN LISTS face_releases)
        install(TARGETS face_${face}_${number} LIBRARY DESTINATION ${face_dir})
    endforeach()
    get_target_property(face_older face_${face} FACE_OLDER)
    foreach(number IN LISTS face_older)
        install(TARGETS face_${face}_${number} LIBRARY DESTINATION ${face_dir}/${number})
    endforeach()
    get_property(face_fronts TARGET face_${face} PROPERTY FACE_FRONTS)
    foreach(front IN LISTS face_fronts)
        get_property(exported TARGET ${front} PROPERTY EXPORT_NAME)
        if(exported)
            set(exported EXPORT tarn-faces)
        endif()
        install(TARGETS ${front} ${exported} LIBRARY DESTINATION ${face_dir})
    endforeach()
    get_target_property(face_aliases face_${face} FACE_ALIASES)
    foreach(alias IN LISTS face_aliases)
        install(FILES $<TARGET_FILE_DIR:face_${face}>/${alias} DESTINATION ${face_dir})
    endforeach()
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/compat/${face}/include/
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tarn/compat/${face}
            FILES_MATCHING PATTERN "*.h" PATTERN "*.proto" PATTERN "cuda/std/*")
    if(face MATCHES "^(hip|cuda)$") # which share the headers of kernels
        install(DIRECTORY ${PROJECT_SOURCE_DIR}/compat/kernel/include/
                DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tarn/compat/${face} FILES_MATCHING PATTERN "*.h")
    endif()
endforeach()

# Programs open plug-ins by path, so no package file lists them.
foreach(plugin IN LISTS plugins)
    install(TARGETS plugin_${plugin} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tarn/plugin)
    install(FILES ${PROJECT_SOURCE_DIR}/plugin/${plugin}/${plugin}.h
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tarn/plugin)
endforeach()
file(GLOB python_examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/python/*.py)
if(plugins)
    install(FILES ${python_examples} DESTINATION ${CMAKE_INSTALL_DATADIR}/tarn/python)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tarn)
if(faces)
    install(EXPORT tarn-faces NAMESPACE tarn:: DESTINATION ${package_dir})
endif()
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dev)
install(EXPORT tarn-targets NAMESPACE tarn:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tarn-config.cmake.in
    ${PROJECT_BINARY_DIR}/tarn-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tarn-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tarn-config.cmake ${PROJECT_BINARY_DIR}/tarn-config-version.cmake
        DESTINATION ${package_dir})

# find_package(hip). The name of the folder differs from that of AMD's package, which is preferred if both
# are in one prefix.
if(hip IN_LIST faces)
    set(hip_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/hip-tarn)
    set(hip_include ${CMAKE_INSTALL_INCLUDEDIR}/tarn/compat/hip)
    set(hip_libraries ${CMAKE_INSTALL_LIBDIR}/tarn/hip)
    file(STRINGS ${PROJECT_SOURCE_DIR}/compat/hip/include/hip/hip_version.h hip_version
         REGEX "^#define HIP_VERSION_(MAJOR|MINOR|PATCH) ")
    list(TRANSFORM hip_version REPLACE "^.* " "")
    list(JOIN hip_version "." hip_version)
    configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/hip-config.cmake.in
        ${PROJECT_BINARY_DIR}/hip-config.cmake INSTALL_DESTINATION ${hip_package_dir}
        PATH_VARS hip_include hip_libraries)
    write_basic_package_version_file(${PROJECT_BINARY_DIR}/hip-config-version.cmake
        VERSION ${hip_version} COMPATIBILITY AnyNewerVersion)
    file(APPEND ${PROJECT_BINARY_DIR}/hip-config-version.cmake [[
if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/../hip/hip-config.cmake")
    set(PACKAGE_VERSION_UNSUITABLE TRUE) # AMD's package
endif()
]])
    install(FILES ${PROJECT_BINARY_DIR}/hip-config.cmake ${PROJECT_BINARY_DIR}/hip-config-version.cmake
            DESTINATION ${hip_package_dir} COMPONENT faces)
    if(TARGET tarn_command)
        file(RELATIVE_PATH hip_bin_from_package ${CMAKE_INSTALL_PREFIX}/${hip_package_dir} ${CMAKE_INSTALL_FULL_BINDIR})
        configure_file(${CMAKE_CURRENT_LIST_DIR}/hip-toolchain.cmake.in
                       ${PROJECT_BINARY_DIR}/hip-toolchain.cmake @ONLY)
        install(FILES ${PROJECT_BINARY_DIR}/hip-toolchain.cmake DESTINATION ${hip_package_dir}
                RENAME toolchain.cmake COMPONENT faces)
        install(FILES ${CMAKE_CURRENT_LIST_DIR}/hip-lang-config.cmake
                DESTINATION ${hip_package_dir}/rocm/lib/cmake/hip-lang COMPONENT faces)
    endif()
endif()

set(pkgconfig_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_prefix ${pkgconfig_dir} ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/tarn.pc.in ${PROJECT_BINARY_DIR}/tarn.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tarn.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME faces)
foreach(face IN LISTS faces)
    get_target_property(face_description face_${face} FACE_DESCRIPTION)
    get_target_property(face_definitions face_${face} INTERFACE_COMPILE_DEFINITIONS)
    list(TRANSFORM face_definitions PREPEND " -D")
    list(JOIN face_definitions "" face_cflags)
    # The package of a face, and one of each front that has a name without a number.
    get_property(face_fronts TARGET face_${face} PROPERTY FACE_FRONTS)
    foreach(target IN ITEMS face_${face} LISTS face_fronts)
        get_property(package TARGET ${target} PROPERTY EXPORT_NAME)
        get_property(face_library TARGET ${target} PROPERTY OUTPUT_NAME)
        if(package)
            configure_file(${CMAKE_CURRENT_LIST_DIR}/tarn-face.pc.in
                           ${PROJECT_BINARY_DIR}/tarn-${package}.pc @ONLY)
            install(FILES ${PROJECT_BINARY_DIR}/tarn-${package}.pc
                    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
        endif()
    endforeach()
endforeach()

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME doc)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
        FILES_MATCHING REGEX "\\.(md|svg|png)$|/(check|differences|functions)/[^/]*\\.txt$|/confirmed/[^/]*\\.(answers|tsv)$"
        PATTERN manual EXCLUDE)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN __pycache__ EXCLUDE)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT licence)

# An installation of all components leaves a list of its files, which cmake/uninstall.cmake reads.
install(CODE [[
    set(manifest)
    foreach(name IN LISTS CMAKE_INSTALL_MANIFEST_FILES)
        file(RELATIVE_PATH name "${CMAKE_INSTALL_PREFIX}" "${name}")
        string(APPEND manifest "${name}\n")
    endforeach()
    file(WRITE "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/share/tarn/manifest.txt" "${manifest}")
]] COMPONENT manifest)
if(PROJECT_IS_TOP_LEVEL)
    add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DPREFIX=${CMAKE_INSTALL_PREFIX}
                      -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake VERBATIM)
endif()
