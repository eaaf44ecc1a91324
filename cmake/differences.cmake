# SPDX-License-Identifier: Apache-2.0
# The list of differences from the vendors, from the tables in docs/differences and that of docs/quirks.md, and a page
# for each table.
# TN_DIFFERENCES(X) in the header calls X(id, seen, confirmed, matter, vendor, tarn) for each row, with texts.
# TN_DIFFERENCES_HASH tells lists apart. A row of quirks has the id quirk.NAME, and no text for `confirmed` and `tarn`.
set(differences_dir ${PROJECT_SOURCE_DIR}/docs/differences)
set(differences_faces hip cuda acl mstx hiai)

# Sets `lines` to those of a file, as text for C.
function(tn_read_lines file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} lines ENCODING UTF-8 ${ARGN})
    string(REPLACE "\\;" "\n" lines "${lines}")
    string(REPLACE "\\" "\\\\" lines "${lines}")
    string(REPLACE "\"" "\\\"" lines "${lines}")
    string(REPLACE "\n" "\\;" lines "${lines}")
    set(lines "${lines}" PARENT_SCOPE)
endfunction()

# Adds the last row that was read to `text`.
macro(tn_add_difference)
    if(row)
        string(APPEND text " \\\n    X(\"${row}\", \"${seen}\", \"${confirmed}\", \"${matter}\", \"${vendor}\", \"${tarn}\")")
        set(row)
    endif()
endmacro()

function(tn_write_differences header)
    set(text "#pragma once\n\n#define TN_DIFFERENCES(X)")
    foreach(face IN LISTS differences_faces)
        tn_read_lines(${differences_dir}/${face}.txt)
        foreach(line IN LISTS lines)
            if(line MATCHES "^([a-z][a-z0-9_]*)$")
                tn_add_difference()
                set(row ${face}.${CMAKE_MATCH_1})
            elseif(line MATCHES "^    ([a-z]+) +(.*)$")
                set(key ${CMAKE_MATCH_1})
                set(${key} "${CMAKE_MATCH_2}")
            elseif(line MATCHES "^     +(.*)$")
                string(APPEND ${key} " ${CMAKE_MATCH_1}")
            endif()
        endforeach()
        tn_add_difference()
    endforeach()
    tn_read_lines(${PROJECT_SOURCE_DIR}/docs/quirks.md REGEX "^\\| `[^|]*` (\\|[^|]*)+\\|$")
    foreach(line IN LISTS lines)
        set(field "\\|[ ]*([^|]*[^ |])[ ]*")
        if(line MATCHES "^\\| `([^|]*)` \\|[^|]*${field}${field}${field}\\|$")
            string(APPEND text " \\\n    X(\"quirk.${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_4}\", \"\", \"${CMAKE_MATCH_3}\", \"${CMAKE_MATCH_2}\", \"\")")
        endif()
    endforeach()
    string(SHA256 hash "${text}")
    string(SUBSTRING ${hash} 0 16 hash)
    string(APPEND text "\n\n#define TN_DIFFERENCES_HASH UINT64_C(0x${hash})")
    file(CONFIGURE OUTPUT ${header} CONTENT "${text}\n" @ONLY)
endfunction()

# A page for each table in the folder of the build, which is installed beside docs/differences.md.
function(tn_write_difference_pages)
    find_program(AWK awk)
    if(NOT AWK)
        message(STATUS "The pages of docs/differences are left out: awk is not installed")
        add_custom_target(difference_pages)
        return()
    endif()
    foreach(face IN LISTS differences_faces)
        set(tables ${differences_dir}/sources.txt ${differences_dir}/${face}.txt)
        set(page ${PROJECT_BINARY_DIR}/docs/differences/${face}.md)
        add_custom_command(
            OUTPUT ${page}
            COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/docs/differences
            COMMAND ${AWK} -f ${differences_dir}/read.awk ${tables} > ${page}
            DEPENDS ${tables} ${differences_dir}/read.awk VERBATIM)
        list(APPEND pages ${page})
    endforeach()
    add_custom_target(difference_pages ALL DEPENDS ${pages})
    install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs/differences COMPONENT doc)
endfunction()
