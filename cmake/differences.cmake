# SPDX-License-Identifier: Apache-2.0
# The list of differences from the vendors, from the tables of docs/differences.md and docs/quirks.md.
# TN_DIFFERENCES(X) in the header calls X(id, seen, confirmed, matter, vendor, tarn) for each row, with texts.
# TN_DIFFERENCES_HASH tells lists apart. A row of quirks has the id quirk.NAME, and no text for `confirmed` and `tarn`.
function(tn_write_differences header)
    set(text "#pragma once\n\n#define TN_DIFFERENCES(X)")
    foreach(page differences quirks)
        set(source ${PROJECT_SOURCE_DIR}/docs/${page}.md)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
        file(STRINGS ${source} lines REGEX "^\\| `[^|]*` (\\|[^|]*)+\\|$" ENCODING UTF-8)
        foreach(line IN LISTS lines)
            string(REPLACE "\\" "\\\\" line "${line}")
            string(REPLACE "\"" "\\\"" line "${line}")
            set(field "\\|[ ]*([^|]*[^ |])[ ]*")
            if(page STREQUAL "differences" AND
               line MATCHES "^\\| `([^|]*)` ${field}${field}\\|[^|]*${field}${field}\\|[^|]*\\|[^|]*${field}\\|$")
                string(APPEND text " \\\n    X(\"${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_6}\", \"${CMAKE_MATCH_4}\", \"${CMAKE_MATCH_2}\", \"${CMAKE_MATCH_3}\", \"${CMAKE_MATCH_5}\")")
            elseif(page STREQUAL "quirks" AND line MATCHES "^\\| `([^|]*)` \\|[^|]*${field}${field}${field}\\|$")
                string(APPEND text " \\\n    X(\"quirk.${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_4}\", \"\", \"${CMAKE_MATCH_3}\", \"${CMAKE_MATCH_2}\", \"\")")
            endif()
        endforeach()
    endforeach()
    string(SHA256 hash "${text}")
    string(SUBSTRING ${hash} 0 16 hash)
    string(APPEND text "\n\n#define TN_DIFFERENCES_HASH UINT64_C(0x${hash})")
    file(CONFIGURE OUTPUT ${header} CONTENT "${text}\n" @ONLY)
endfunction()
