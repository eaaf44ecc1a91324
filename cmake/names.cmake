# SPDX-License-Identifier: Apache-2.0
# Lists of functions' names, from which sources define or look up all of them. NAME.txt lists them, and the
# build writes NAME.h from it. A line "list MACRO KIND..." begins a list; each line "KIND WORD..." behind it
# is an entry. The header defines MACRO(KIND...), which calls the macro that it was given for the KIND of each
# entry with its words. The word - stands for an empty one.
function(tn_write_names source header)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    set(text "#pragma once\n")
    file(STRINGS ${source} lines REGEX "^[^#]")
    foreach(line IN LISTS lines)
        string(REGEX MATCH "^([^ ]+) (.*)" line "${line}")
        set(kind ${CMAKE_MATCH_1})
        string(REPLACE " - " " /**/ " words "${CMAKE_MATCH_2}")
        string(REPLACE " " ", " words "${words}")
        if(kind STREQUAL "list")
            string(REGEX MATCH "^([^,]+), (.*)" words "${words}")
            string(APPEND text "\n#define ${CMAKE_MATCH_1}(${CMAKE_MATCH_2})")
        else()
            string(APPEND text " \\\n    ${kind}(${words})")
        endif()
    endforeach()
    file(CONFIGURE OUTPUT ${header} CONTENT "${text}\n" @ONLY)
endfunction()
