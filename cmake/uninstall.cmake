# SPDX-License-Identifier: Apache-2.0
# Removes what `cmake --install` wrote below PREFIX: the files that its manifest lists, the manifest, and
# folders that are empty then. Folders of the system, such as /usr/local/lib, stay. Run it with cmake -P.
get_filename_component(PREFIX "${PREFIX}" ABSOLUTE)
set(manifest ${PREFIX}/share/tarn/manifest.txt)
if(NOT EXISTS "${manifest}")
    message(FATAL_ERROR "tarn: ${manifest} does not exist, so nothing is installed below ${PREFIX}")
endif()
file(STRINGS "${manifest}" names ENCODING UTF-8)
foreach(name IN LISTS names ITEMS share/tarn/manifest.txt)
    file(REMOVE "${PREFIX}/${name}")
endforeach()

foreach(name IN LISTS names ITEMS share/tarn/manifest.txt)
    get_filename_component(folder "${name}" DIRECTORY)
    while(folder AND IS_DIRECTORY "${PREFIX}/${folder}")
        file(GLOB left "${PREFIX}/${folder}/*" "${PREFIX}/${folder}/.*")
        if(left OR (PREFIX MATCHES "^/usr(/local)?$" AND NOT folder MATCHES "(^|/)tarn(/|$)"))
            break()
        endif()
        file(REMOVE_RECURSE "${PREFIX}/${folder}")
        get_filename_component(folder "${folder}" DIRECTORY)
    endwhile()
endforeach()
