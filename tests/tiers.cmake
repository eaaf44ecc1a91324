# SPDX-License-Identifier: Apache-2.0
# Which tests `./x test` leaves to `./x test --all`: those with the ctest label `nightly`. A pattern matches
# names of tests. CONTRIBUTING.md has the table with the reasons.
set(nightly_tests
    "^program_.*_valgrind$"
    "^python_(package|types)$"
    "^check_device_blocks_clang$"
    "^(starve|cli|system)_.*_all$" "^system_planted_"
    "^cli_(recordings_(limit|memory|streams|time)|complete_(fish|zsh)|convert_roundtrip_public)$"
    "^cli_(fidelity_rows|record_owners_compiled|view_(explain|labels|pictures))$"
    "^install_" "^program_cuda_" "^(api|compat)_.*_seed_")
set(kept_tests "^api_(array|condition|copy|hostfn|pool|stream|wait)[a-z_]*_seed_1$"
    "^install_(bare|consumer|doc_folder|face_symbols|platform|symbols)$")
if(NOT TARN_SANITIZE) # there the same programs for HIP have the same kernels
    list(APPEND kept_tests
         "^program_cuda_(atomics|cooperative_grid|device_variables|driver_module|dynamic_shared|graph_captured|matrix_multiply|nested_launch|reduce_shuffle|runtime_templates|staged_sums|vector_add)$")
endif()

if(TARN_SANITIZE MATCHES "address")
    # Commands are tested in the release tree. These four cross the whole product.
    list(APPEND nightly_tests "^cli_" "^unit_core_pool_plan_changed$")
    list(APPEND kept_tests "^cli_(check|convert|explain|replay_table)$")
elseif(TARN_SANITIZE MATCHES "thread")
    # Of the units, only these start threads or are entered by several.
    list(APPEND nightly_tests "^unit_" "^(example|fuzz_replay)_"
         "^compat_hiai_(data_types|log|plain_headers|securec)$")
    list(APPEND kept_tests "^unit_(channel|record)_" "^unit_annotate_emit$" "^unit_base_(biased|error|lock|readers)$"
         "^unit_backend_(cuda_(absent|context|failures|ordered)|host_(engine_|thread)|layer_layer$|sim_stream|vendor)"
         "^unit_check_(inject|report_report|threads)$"
         "^unit_core_(address_owner|pool_(choice|device|fit_shard|report_explain|threads))$")
endif()
if(TARN_SANITIZE)
    # Of the programs with kernels, these have every way in which threads of a block and streams meet.
    file(GLOB hip_programs RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/compat/hip/programs
         ${CMAKE_CURRENT_SOURCE_DIR}/compat/hip/programs/*.hip)
    list(TRANSFORM hip_programs REPLACE "(.*)\\.hip" "^program_hip_\\1$")
    list(APPEND nightly_tests ${hip_programs})
    list(APPEND kept_tests
         "^program_hip_(atomics|cooperative_grid|dynamic_shared|graph_captured|matrix_multiply|module_launch)$"
         "^program_hip_(reduce_shuffle|scan|streams_pipeline|vector_add)$")
    # Vendors' back-ends over stand-ins; the tests over the software device remain. The library of a further release
    # has the same objects and other numbers.
    list(APPEND nightly_tests "^api_.*_(ascend|coherent|cuda|g1|hip|level6|ordered)$" "^program_hip_.*_7$")
endif()

# is_nightly(NAME RESULT): one pattern at a time, because CMake allows nine pairs of parentheses in each.
function(is_nightly name result)
    set(nightly FALSE)
    foreach(pattern IN LISTS nightly_tests)
        if(name MATCHES "${pattern}")
            set(nightly TRUE)
        endif()
    endforeach()
    foreach(pattern IN LISTS kept_tests)
        if(name MATCHES "${pattern}")
            set(nightly FALSE)
        endif()
    endforeach()
    set(${result} ${nightly} PARENT_SCOPE)
endfunction()
