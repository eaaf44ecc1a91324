// SPDX-License-Identifier: Apache-2.0
// Recordings of a program for HIP, which is linked with the library and counts its own memory.
#include <hip/hip_runtime_api.h>

#include "unit/record/recorded.h"

#define MIB (UINT64_C(1) << 20)

static struct recorded recorded;

static void must(hipError_t result) {
    if (result != hipSuccess) {
        fprintf(stderr, "HIP returned %d\n", (int)result);
        exit(9);
    }
}

static void must_be(bool condition, const char *text) {
    if (!condition) {
        fprintf(stderr, "%s\n", text);
        exit(8);
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
    hipMemAllocationProp own = {0};
    hipMemGenericAllocationHandle_t handle = NULL;
    void *address = NULL;
    size_t unit = 0;
    own.type = hipMemAllocationTypePinned;
    own.location.type = hipMemLocationTypeDevice;
    must(hipMemGetAllocationGranularity(&unit, &own, hipMemAllocationGranularityMinimum));
    must(hipMemAddressReserve(&address, 2 * unit, 0, NULL, 0));
    must(hipMemCreate(&handle, 2 * unit, &own, 0));
    must(hipMemMap(address, 2 * unit, 0, handle, 0));
    count_alloc(2 * unit);
    must(hipMemUnmap(address, 2 * unit));
    live -= 2 * unit;
    must(hipMemRelease(handle));
    must_be(hipMemCreate(&handle, UINT64_C(1) << 50, &own, 0) == hipErrorOutOfMemory, "no failure");
}

static void use_found_function(void) {
    void *found = NULL, *address = NULL;
    hipError_t (*allocate)(void **, size_t) = NULL;
    must(hipGetProcAddress("hipMalloc", &found, 60000000, 0, NULL));
    memcpy(&allocate, &found, sizeof allocate);
    must(allocate(&address, 11 * MIB));
    count_alloc(11 * MIB);
    must(hipFree(address));
    live -= 11 * MIB;
    must_be(hipGetProcAddress("hipNothing", &found, 60000000, 0, NULL) != hipSuccess, "nothing");
    (void)hipGetLastError();
}

// Recording changes no last error: at level 6, that of the program's last call.
static void run_hip(void) {
    void *plain = NULL, *pitched = NULL, *ordered = NULL, *pinned = NULL, *none = NULL;
    hipPitchedPtr box = {0};
    size_t pitch = 0;
    hipStream_t stream = NULL;
    must(hipMalloc(&plain, 3 * MIB));
    count_alloc(3 * MIB);
    must(hipMallocPitch(&pitched, &pitch, 1000, 100));
    count_alloc(pitch * 100);
    must(hipMalloc3D(&box, (hipExtent){1000, 10, 7}));
    count_alloc(box.pitch * 70);
    must(hipStreamCreate(&stream));
    must(hipMallocAsync(&ordered, 5 * MIB, stream));
    count_alloc(5 * MIB);
    use_mapping();
    use_found_function();
    must(hipHostMalloc(&pinned, MIB, 0));
    must_be(hipMalloc(&none, UINT64_C(1) << 50) == hipErrorOutOfMemory, "no failure");
    must_be(hipPeekAtLastError() == hipErrorOutOfMemory, "the last error is another one");
    must_be(hipGetLastError() == hipErrorOutOfMemory, "the last error was lost");
    must(hipFree(plain));
    must_be(hipGetLastError() == hipSuccess, "the last error is not that of the last call");
    must(hipFree(pitched));
    must(hipFree(box.ptr));
    must(hipFreeAsync(ordered, stream));
    must(hipHostFree(pinned));
    must(hipFree(NULL));
    must(hipStreamSynchronize(stream));
    printf("%llu %llu\n", (unsigned long long)peak, (unsigned long long)allocs);
}

// ---- tests

static void every_kind_of_memory_is_recorded(void **state) {
    (void)state;
    struct tn_trace trace = record_program(&recorded, "hip", true);
    assert_int_equal(trace.device_count, 2); // and the host
    assert_int_equal(tn_trace_peak(&trace, &trace.devices[0]).live, recorded.peak);
    assert_int_equal(tn_trace_peak(&trace, &trace.devices[1]).live, MIB);
    assert_int_equal(count_events(&trace, TN_EVENT_ALLOC), recorded.allocs + 1);
    assert_int_equal(count_events(&trace, TN_EVENT_FREE), recorded.allocs + 1);
    assert_int_equal(trace.failure_count, 2);
    assert_int_equal(trace.failures[1].size, UINT64_C(1) << 50);
    check_measured(&trace);
    tn_trace_release(&trace);
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc == 2) {
        run_hip();
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_memory_is_recorded),
    };
    return may_record(&recorded) ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
