# SPDX-License-Identifier: Apache-2.0
# The parts of Tarn that are optional. The library needs a C compiler only; parts may need libraries, which
# are searched for by pkg-config.

# find_part(OPTION TEXT [MODULE=PACKAGE...]): declares the option of a part, and sets with_PART in the
# caller, with PART the option's name in lower case without TARN_. The option is ON, OFF or AUTO. With AUTO
# a part that lacks a library is left out; with ON that is an error. MODULE is the pkg-config name of a
# library, which targets link as PkgConfig::MODULE, and PACKAGE the Debian package that contains it. Tests
# and benchmarks use every part.
function(find_part option text)
    set(default OFF)
    if(PROJECT_IS_TOP_LEVEL)
        set(default AUTO)
    endif()
    set(${option} ${default} CACHE STRING "Build ${text}: ON, OFF, or AUTO if its libraries are there")
    set_property(CACHE ${option} PROPERTY STRINGS AUTO ON OFF)
    string(REGEX REPLACE "^TARN_" "with_" result ${option})
    string(TOLOWER ${result} result)
    set(${result} FALSE PARENT_SCOPE)
    set(wanted ${${option}})
    if(TARN_TESTS OR TARN_BENCH)
        set(wanted ON)
    endif()
    if(NOT wanted AND NOT wanted STREQUAL "AUTO") # every way to write OFF
        return()
    endif()

    set(missing)
    if(ARGN)
        find_package(PkgConfig QUIET)
        if(NOT PKG_CONFIG_FOUND)
            set(missing pkg-config)
        endif()
    endif()
    foreach(library IN LISTS ARGN)
        string(REGEX MATCH "^(.*)=(.*)$" pair ${library})
        set(module ${CMAKE_MATCH_1})
        set(package ${CMAKE_MATCH_2})
        if(PKG_CONFIG_FOUND)
            pkg_check_modules(${module} QUIET IMPORTED_TARGET ${module})
        endif()
        if(NOT ${module}_FOUND)
            list(APPEND missing ${package})
        endif()
    endforeach()
    list(JOIN missing " " missing)
    if(NOT missing)
        set(${result} TRUE PARENT_SCOPE)
    else()
        set(message "${text} (${option}) needs packages that are missing: ${missing}")
        if(NOT wanted STREQUAL "AUTO")
            message(FATAL_ERROR "tarn: ${message}")
        endif()
        message(NOTICE "tarn: left out: ${message}")
    endif()
endfunction()
