# SPDX-License-Identifier: Apache-2.0
# The manual pages: libtarn(3) from the public headers, and those of section 1 from the help of the
# command, where help2man is installed and the command runs on this machine.
string(TIMESTAMP manual_date "%Y-%m-%d" UTC) # that of SOURCE_DATE_EPOCH, if it is set
set(manual_dir ${PROJECT_SOURCE_DIR}/docs/manual)
set(manual_pages ${PROJECT_BINARY_DIR}/man/man3/libtarn.3)
find_program(AWK awk)
if(NOT AWK)
    message(STATUS "Manual pages are left out: awk is not installed")
    add_custom_target(manual)
    return()
endif()

# The headers in the order of a reader. backend.h is for authors of back-ends.
file(GLOB manual_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/tarn/*.h)
list(FILTER manual_headers EXCLUDE REGEX "/(backend|base|tarn)\\.h$")
file(STRINGS ${PROJECT_SOURCE_DIR}/include/tarn/base.h manual_suffix REGEX "^#define TARN_VERSION_DEV +1")
string(REGEX REPLACE ".+" "-dev" manual_suffix "${manual_suffix}")
list(PREPEND manual_headers ${PROJECT_SOURCE_DIR}/include/tarn/tarn.h
     ${PROJECT_SOURCE_DIR}/include/tarn/base.h)
add_custom_command(
    OUTPUT ${manual_pages}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man/man3
    COMMAND ${AWK} -v version=${PROJECT_VERSION}${manual_suffix} -v date=${manual_date} -f ${manual_dir}/library.awk
            ${manual_headers} > ${manual_pages}
    DEPENDS ${manual_headers} ${manual_dir}/library.awk VERBATIM)
install(FILES ${manual_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man3 COMPONENT dev)

# The command of a sanitizer's build may refuse to start.
find_program(HELP2MAN help2man)
set(manual_lack "")
if(NOT HELP2MAN)
    set(manual_lack "help2man is not installed")
elseif(NOT TARGET tarn_command)
    set(manual_lack "the command is not built")
elseif(CMAKE_CROSSCOMPILING OR TARN_SANITIZE OR TARN_FUZZ)
    set(manual_lack "the command is built for other conditions than those here")
endif()
if(manual_lack)
    message(STATUS "Manual pages of the command are left out: ${manual_lack}")
else()
    add_custom_command(
        OUTPUT ${PROJECT_BINARY_DIR}/man/man1/tarn.1
        COMMAND sh ${manual_dir}/pages.sh $<TARGET_FILE:tarn_command> ${CMAKE_INSTALL_FULL_DOCDIR}/docs
                ${manual_date} ${PROJECT_BINARY_DIR}/man/man1
        DEPENDS tarn_command ${manual_dir}/pages.sh ${manual_dir}/pages.txt VERBATIM)
    list(APPEND manual_pages ${PROJECT_BINARY_DIR}/man/man1/tarn.1)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/man/man1 DESTINATION ${CMAKE_INSTALL_MANDIR}
            COMPONENT tools)
    # The pages name the folder of the documents, which the prefix of this installation determines.
    install(CODE "
        get_filename_component(docdir \"${CMAKE_INSTALL_DOCDIR}\" ABSOLUTE BASE_DIR \"\${CMAKE_INSTALL_PREFIX}\")
        foreach(page IN LISTS CMAKE_INSTALL_MANIFEST_FILES)
            if(page MATCHES \"/man1/tarn[^/]*[.]1\$\")
                file(READ \"\$ENV{DESTDIR}\${page}\" text)
                string(REPLACE \"${CMAKE_INSTALL_FULL_DOCDIR}/\" \"\${docdir}/\" text \"\${text}\")
                file(WRITE \"\$ENV{DESTDIR}\${page}\" \"\${text}\")
            endif()
        endforeach()" COMPONENT tools)
endif()
add_custom_target(manual ALL DEPENDS ${manual_pages})
