# SPDX-License-Identifier: Apache-2.0
# Builds a C file with the template of `tarn view`: STYLES and SCRIPTS, lists of files separated by
# commas, replace @STYLE@ and @SCRIPT@ in the file PAGE, and @DATA@ divides it into two arrays. Run it
# with cmake -P.
file(READ "${PAGE}" page)
foreach(kind STYLE SCRIPT)
    set(whole "")
    string(REPLACE "," ";" files "${${kind}S}")
    foreach(name IN LISTS files)
        file(READ "${name}" text)
        string(APPEND whole "${text}")
    endforeach()
    string(REPLACE "@${kind}@" "${whole}" page "${page}")
endforeach()

string(FIND "${page}" "@DATA@" at)
math(EXPR behind_at "${at} + 6")
string(SUBSTRING "${page}" 0 ${at} before)
string(SUBSTRING "${page}" ${behind_at} -1 behind)

set(code "#include <stddef.h>\n")
foreach(part before behind)
    file(WRITE "${OUTPUT}.${part}" "${${part}}")
    file(READ "${OUTPUT}.${part}" bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(APPEND code "extern const unsigned char tn_view_${part}[];\n"
           "extern const size_t tn_view_${part}_size;\n"
           "const unsigned char tn_view_${part}[] = {${bytes}};\n"
           "const size_t tn_view_${part}_size = sizeof tn_view_${part};\n")
    file(REMOVE "${OUTPUT}.${part}")
endforeach()
file(WRITE "${OUTPUT}" "${code}")
