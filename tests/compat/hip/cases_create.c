// SPDX-License-Identifier: Apache-2.0
// What hip-tests asks of ranges, memory and sharing (unit/virtualMemoryManagement of HIP 6.3),
// written anew from its description. Which test here stands for which case there; names without a
// file are in this one, and cases_map.c and cases_access.c have the rest of the table.
//
//   hipMemAddressFree_negative               hipMemAddressFree.c missing_arguments_are_refused
//   hipMemAddressReserve_AlignmentTest       ranges_of_each_alignment_take_the_same_memory
//   hipMemAddressReserve_Negative            hipMemAddressReserve.c missing_arguments_are_refused,
//                                            level_6_calls_odd_shapes_out_of_memory
//   hipMemCreate_BasicAllocateDeAlloc_MultGranularity
//                                            memory_of_1_to_63_granules_comes_and_goes
//   hipMemCreate_ChkDev2HstMemcpy_ReleaseHdlPostUnmap
//                                            copies_return_and_memory_is_released_last
//   hipMemCreate_ChkDev2HstMemcpy_ReleaseHdlPreUse
//                                            copies_return_from_memory_released_before_use
//   hipMemCreate_ChkWithKerLaunch            work_of_a_stream_finds_mapped_memory
//   hipMemCreate_MapNonContiguousChunks      chunks_side_by_side_are_one_array
//   hipMemCreate_ChkWithMemset               mapped_memory_is_filled
//   hipMemCreate_Negative                    hipMemCreate.c missing_arguments_are_refused,
//                                            types_that_are_none_are_refused,
//                                            locations_that_are_none_are_refused,
//                                            ordinals_that_no_device_has_are_refused,
//                                            sizes_between_granules_are_refused
//   hipMemExportToShareableHandle_Positive_Basic
//                                            an_export_fills_a_zeroed_pointer
//   hipMemExportToShareableHandle_Negative_Parameters
//                                            hipMemExportToShareableHandle.c
//                                            missing_arguments_are_refused,
//                                            types_the_memory_was_not_created_for_are_refused
//   hipMemGetAllocationGranularity_MinGranularity, _RecommendedGranularity, _AllGPUs
//                                            hipMemGetAllocationGranularity.c
//                                            pages_are_the_minimum_and_2_mib_is_recommended
//   hipMemGetAllocationGranularity_NegativeTests
//                                            hipMemGetAllocationGranularity.c
//                                            bad_arguments_are_refused,
//                                            properties_that_are_none_are_refused
//   hipMemGetAllocationPropertiesFromHandle_functional, _Negative
//                                            hipMemGetAllocationPropertiesFromHandle.c
//                                            every_byte_comes_back, bad_arguments_are_refused
//   hipMemImportFromShareableHandle_Positive_Basic
//                                            hipMemImportFromShareableHandle.c
//                       both_conventions_give_the_memory_and_leave_the_descriptor
//   hipMemImportFromShareableHandle_Negative_Parameters
//                                            hipMemImportFromShareableHandle.c
//                                            missing_arguments_are_refused
//   ..._MulProc_ChldUseHdl, _ParntChldUseHdl, _GrndChldUseHdl
//                                            process_share.c
//                                            a_child_uses_memory_of_its_parent,
//                                            parent_and_child_see_each_others_writes,
//                                            an_importer_gives_it_on_to_a_grandchild,
//                                            a_grandchild_uses_what_a_child_without_hip_passed_on
//   hipMemVmm_Basic (hipMemVmm_old)          one_page_is_enough
#include <unistd.h>

#include "support/values.h"

static void ranges_of_each_alignment_take_the_same_memory(void **state) {
    handle_t handle = create(VALUE_BYTES);
    (void)state;
    for (size_t alignment = 2; alignment <= 4096; alignment *= 2) {
        void *at = NULL;
        assert_hip_ok(hipMemAddressReserve(&at, VALUE_BYTES, alignment, NULL, 0));
        assert_int_equal((uintptr_t)at % alignment, 0);
        assert_hip_ok(hipMemMap(at, VALUE_BYTES, 0, handle, 0));
        grant(at, VALUE_BYTES, 0, READ_WRITE);
        values_round_trip(at, (int)alignment);
        unmap_and_free(at, VALUE_BYTES);
    }
    assert_hip_ok(hipMemRelease(handle));
}

static void memory_of_1_to_63_granules_comes_and_goes(void **state) {
    (void)state;
    for (size_t granules = 1; granules < 64; granules++) {
        handle_t handle = create(granules * G);
        assert_free_bytes(0, CAPACITY - granules * G);
        assert_hip_ok(hipMemRelease(handle));
    }
    assert_free_bytes(0, CAPACITY);
}

static void copies_return_and_memory_is_released_last(void **state) {
    char *at = reserve(VALUE_BYTES);
    handle_t handle = create(VALUE_BYTES);
    (void)state;
    assert_hip_ok(hipMemMap(at, VALUE_BYTES, 0, handle, 0));
    grant(at, VALUE_BYTES, 0, READ_WRITE);
    values_round_trip(at, 5);
    unmap_and_free(at, VALUE_BYTES);
    assert_free_bytes(0, CAPACITY - VALUE_BYTES);
    assert_hip_ok(hipMemRelease(handle));
}

static void copies_return_from_memory_released_before_use(void **state) {
    char *at = reserve(VALUE_BYTES);
    handle_t handle = create(VALUE_BYTES);
    (void)state;
    assert_hip_ok(hipMemMap(at, VALUE_BYTES, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    grant(at, VALUE_BYTES, 0, READ_WRITE);
    values_round_trip(at, 6);
    unmap_and_free(at, VALUE_BYTES);
    assert_free_bytes(0, CAPACITY);
}

static void work_of_a_stream_finds_mapped_memory(void **state) {
    char *at = values_range(0);
    hipStream_t stream = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    values_put(at, 3);
    values_launch_square(at, stream);
    assert_hip_ok(hipStreamSynchronize(stream));
    values_get_squares(at, 3);
    values_put(at, 4);
    values_launch_square(at, NULL);
    values_get_squares(at, 4); // a copy waits for the NULL stream
    assert_hip_ok(hipStreamDestroy(stream));
    unmap_and_free(at, VALUE_BYTES);
}

static void chunks_side_by_side_are_one_array(void **state) {
    enum { CHUNKS = 4 };
    handle_t handles[CHUNKS];
    char *at = reserve(VALUE_BYTES);
    (void)state;
    for (size_t i = 0; i < CHUNKS; i++) handles[i] = create(G);
    for (size_t i = 0; i < CHUNKS; i++) // in an order of their own
        assert_hip_ok(hipMemMap(at + i * G, G, 0, handles[(i + 2) % CHUNKS], 0));
    grant(at, VALUE_BYTES, 0, READ_WRITE);
    values_put(at, 8);
    values_launch_square(at, NULL);
    values_get_squares(at, 8);
    for (size_t i = 0; i < CHUNKS; i++) {
        assert_hip_ok(hipMemUnmap(at + i * G, G));
        assert_hip_ok(hipMemRelease(handles[i]));
    }
    assert_hip_ok(hipMemAddressFree(at, VALUE_BYTES));
}

static void mapped_memory_is_filled(void **state) {
    unsigned char bytes[VALUE_BYTES];
    char *at = values_range(0);
    (void)state;
    assert_hip_ok(hipMemset(at, 0xa7, VALUE_BYTES));
    assert_hip_ok(hipMemcpyDtoH(bytes, at, VALUE_BYTES));
    for (size_t i = 0; i < VALUE_BYTES; i++) assert_int_equal(bytes[i], 0xa7);
    unmap_and_free(at, VALUE_BYTES);
}

// Clients of the first releases looked at the pointer that they gave room in.
static void an_export_fills_a_zeroed_pointer(void **state) {
    handle_t handle = create_shared(2 * G);
    void *exported = NULL;
    (void)state;
    assert_hip_ok(
        hipMemExportToShareableHandle(&exported, handle, hipMemHandleTypePosixFileDescriptor, 0));
    assert_non_null(exported);
    handle_t twin = import_fd((int)(intptr_t)exported); // which makes it the descriptor by value
    assert_int_equal(close((int)(intptr_t)exported), 0);
    assert_hip_ok(hipMemRelease(twin));
    assert_hip_ok(hipMemRelease(handle));
}

static void one_page_is_enough(void **state) {
    hipMemAllocationProp prop = prop_on(0);
    size_t recommended = 0;
    void *at = NULL;
    char bytes[4096];
    (void)state;
    assert_hip_ok(hipMemGetAllocationGranularity(&recommended, &prop,
                                                 hipMemAllocationGranularityRecommended));
    assert_hip_ok(hipMemAddressReserve(&at, 4096, recommended, NULL, 0));
    assert_int_equal((uintptr_t)at % recommended, 0);
    map_fresh(at, 4096);
    assert_hip_ok(hipMemset(at, 1, 4096));
    assert_hip_ok(hipMemcpy(bytes, at, 4096, hipMemcpyDeviceToHost));
    assert_int_equal(bytes[0], 1);
    assert_int_equal(bytes[4095], 1);
    unmap_and_free(at, 4096);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_of_each_alignment_take_the_same_memory),
        cmocka_unit_test(memory_of_1_to_63_granules_comes_and_goes),
        cmocka_unit_test(copies_return_and_memory_is_released_last),
        cmocka_unit_test(copies_return_from_memory_released_before_use),
        cmocka_unit_test(work_of_a_stream_finds_mapped_memory),
        cmocka_unit_test(chunks_side_by_side_are_one_array),
        cmocka_unit_test(mapped_memory_is_filled),
        cmocka_unit_test(an_export_fills_a_zeroed_pointer),
        cmocka_unit_test(one_page_is_enough),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
