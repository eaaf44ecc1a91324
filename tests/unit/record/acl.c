// SPDX-License-Identifier: Apache-2.0
// Recordings of a program for AscendCL, which is linked with the library and counts its own memory.
#include <acl/acl.h>

#include "unit/record/recorded.h"

#define MIB (UINT64_C(1) << 20)

static struct recorded recorded;

static void must(aclError result) {
    if (result != ACL_SUCCESS) {
        const char *text = aclGetRecentErrMsg();
        fprintf(stderr, "AscendCL returned %d: %s\n", result, text != NULL ? text : "");
        exit(9);
    }
}

// The program's own figures.
static uint64_t live, peak, allocs;

static void count_alloc(uint64_t bytes) {
    live += bytes;
    peak = live > peak ? live : peak;
    allocs++;
}

static void use_mapping(void) {
    aclrtPhysicalMemProp own = {.memAttr = ACL_HBM_MEM_HUGE,
                                .location = {0, ACL_MEM_LOCATION_TYPE_DEVICE}};
    aclrtDrvMemHandle handle = NULL;
    void *address = NULL;
    must(aclrtReserveMemAddress(&address, 4 * MIB, 0, NULL, 1));
    must(aclrtMallocPhysical(&handle, 4 * MIB, &own, 0));
    must(aclrtMapMem(address, 4 * MIB, 0, handle, 0));
    count_alloc(4 * MIB);
    must(aclrtUnmapMem(address));
    live -= 4 * MIB;
    must(aclrtFreePhysical(handle));
    must(aclrtReleaseMemAddress(address));
}

static void run_acl(void) {
    void *plain = NULL, *aligned = NULL, *pinned = NULL, *none = NULL;
    must(aclInit(NULL));
    must(aclrtSetDevice(0));
    must(aclrtMalloc(&plain, 3 * MIB, ACL_MEM_MALLOC_HUGE_FIRST));
    count_alloc(3 * MIB);
    must(aclrtMallocAlign32(&aligned, 1000, ACL_MEM_MALLOC_NORMAL_ONLY));
    count_alloc(1000);
    must(aclrtMallocHost(&pinned, MIB));
    use_mapping();
    aclError failed = aclrtMalloc(&none, UINT64_C(1) << 49, ACL_MEM_MALLOC_HUGE_FIRST);
    if (failed != ACL_ERROR_RT_MEMORY_ALLOCATION || none != NULL) exit(8);
    must(aclrtFree(plain));
    must(aclrtFreeWithDevSync(aligned));
    must(aclrtFreeHost(pinned));
    must(aclrtResetDevice(0));
    must(aclFinalize());
    printf("%llu %llu\n", (unsigned long long)peak, (unsigned long long)allocs);
}

static void every_kind_of_memory_is_recorded(void **state) {
    (void)state;
    struct tn_trace trace = record_program(&recorded, "acl", true);
    assert_int_equal(trace.device_count, 2); // and the host
    assert_int_equal(tn_trace_peak(&trace, &trace.devices[0]).live, recorded.peak);
    assert_int_equal(tn_trace_peak(&trace, &trace.devices[1]).live, MIB);
    assert_int_equal(count_events(&trace, TN_EVENT_ALLOC), recorded.allocs + 1);
    assert_int_equal(count_events(&trace, TN_EVENT_FREE), recorded.allocs + 1);
    assert_int_equal(trace.failure_count, 1);
    assert_int_equal(trace.failures[0].size, UINT64_C(1) << 49);
    check_measured(&trace);
    tn_trace_release(&trace);
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc == 2) {
        run_acl();
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_memory_is_recorded),
    };
    return may_record(&recorded) ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
