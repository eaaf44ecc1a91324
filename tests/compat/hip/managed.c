// SPDX-License-Identifier: Apache-2.0
// hipMallocManaged, hipMemAdvise, hipMemRangeGetAttribute(s): memory of all at once, and what was
// said about its use.
#include <unistd.h>

#include "support/hip.h"

#define PAGE ((size_t)4096)

static char *managed(size_t bytes) {
    void *ptr = NULL;
    assert_hip_ok(hipMallocManaged(&ptr, bytes, hipMemAttachGlobal));
    memset(ptr, 1, bytes);
    return ptr;
}

static int told(const void *ptr, size_t count, hipMemRangeAttribute attribute) {
    int value = 77;
    assert_hip_ok(hipMemRangeGetAttribute(&value, sizeof value, attribute, ptr, count));
    return value;
}

static void memory_is_managed(void **state) {
    hipPointerAttribute_t attributes;
    size_t before = 0;
    size_t after = 0;
    size_t total = 0;
    void *ptr = NULL;
    (void)state;
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipMemGetInfo(&before, &total));
    assert_hip_ok(hipMallocManaged(&ptr, 5000, hipMemAttachHost));
    assert_hip_ok(hipMemGetInfo(&after, &total));
    assert_int_equal(after, before);
    assert_hip_ok(hipMemset(ptr, 3, 5000));
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(((char *)ptr)[4999], 3);
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(hipMemset(ptr, 2, 5000));
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(((char *)ptr)[4999], 2);
    memset(ptr, 1, 5000);
    assert_hip_ok(hipPointerGetAttributes(&attributes, (char *)ptr + 10));
    assert_int_equal(attributes.type, hipMemoryTypeManaged);
    assert_int_equal(attributes.isManaged, 1);
    assert_int_equal(attributes.device, 1);
    assert_ptr_equal(attributes.devicePointer, (char *)ptr + 10);
    assert_ptr_equal(attributes.hostPointer, (char *)ptr + 10);
    assert_int_equal(attributes.allocationFlags, 0); // at level 6
    assert_hip_ok(hipFree(ptr));
    assert_hip(hipFree(ptr), hipErrorInvalidValue);
}

static void bad_arguments_are_refused(void **state) {
    void *ptr = &ptr;
    (void)state;
    assert_hip(hipMallocManaged(NULL, 16, hipMemAttachGlobal), hipErrorInvalidValue);
    assert_hip(hipMallocManaged(&ptr, 16, 0), hipErrorInvalidValue);
    assert_hip(hipMallocManaged(&ptr, 16, hipMemAttachSingle), hipErrorInvalidValue);
    assert_hip(hipMallocManaged(&ptr, 16, hipMemAttachGlobal | hipMemAttachHost),
               hipErrorInvalidValue);
    assert_hip(hipMallocManaged(&ptr, SIZE_MAX / 4, hipMemAttachGlobal), hipErrorOutOfMemory);
    assert_hip(hipMallocManaged(&ptr, 0, hipMemAttachGlobal), hipErrorInvalidValue);
    assert_ptr_equal(ptr, &ptr);
}

static void more_than_the_machine_has_is_refused(void **state) {
    const size_t machine = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    void *first = NULL;
    void *second = NULL;
    (void)state;
    assert_hip_ok(hipMallocManaged(&first, machine / 3 * 2, hipMemAttachGlobal));
    assert_hip(hipMallocManaged(&second, machine / 3 * 2, hipMemAttachGlobal), hipErrorOutOfMemory);
    assert_hip(hipHostMalloc(&second, machine / 3 * 2, 0), hipErrorOutOfMemory);
    assert_hip_ok(hipFree(first));
}

static void advice_is_told_back(void **state) {
    char *ptr = managed(4 * PAGE);
    (void)state;
    assert_int_equal(told(ptr, PAGE, hipMemRangeAttributeReadMostly), 0);
    assert_int_equal(told(ptr, PAGE, hipMemRangeAttributePreferredLocation), hipInvalidDeviceId);
    assert_int_equal(told(ptr, PAGE, hipMemRangeAttributeLastPrefetchLocation), hipInvalidDeviceId);
    assert_int_equal(told(ptr, PAGE, hipMemRangeAttributeCoherencyMode),
                     hipMemRangeCoherencyModeFineGrain);
    assert_hip_ok(hipMemAdvise(ptr, 4 * PAGE, hipMemAdviseSetReadMostly, 0));
    assert_hip_ok(hipMemAdvise(ptr, 4 * PAGE, hipMemAdviseSetPreferredLocation, 1));
    assert_hip_ok(hipMemAdvise(ptr, 4 * PAGE, hipMemAdviseSetCoarseGrain, 0));
    assert_int_equal(told(ptr, 4 * PAGE, hipMemRangeAttributeReadMostly), 1);
    assert_int_equal(told(ptr, 4 * PAGE, hipMemRangeAttributePreferredLocation), 1);
    assert_int_equal(told(ptr, 4 * PAGE, hipMemRangeAttributeCoherencyMode),
                     hipMemRangeCoherencyModeCoarseGrain);
    assert_hip_ok(hipMemAdvise(ptr, 4 * PAGE, hipMemAdviseSetPreferredLocation, hipCpuDeviceId));
    assert_int_equal(told(ptr, PAGE, hipMemRangeAttributePreferredLocation), hipCpuDeviceId);
    assert_hip_ok(hipMemAdvise(ptr, 4 * PAGE, hipMemAdviseUnsetReadMostly, 0));
    assert_hip_ok(hipMemAdvise(ptr, 4 * PAGE, hipMemAdviseUnsetPreferredLocation, 0));
    assert_hip_ok(hipMemAdvise(ptr, 4 * PAGE, hipMemAdviseUnsetCoarseGrain, 0));
    assert_int_equal(told(ptr, PAGE, hipMemRangeAttributeReadMostly), 0);
    assert_int_equal(told(ptr, PAGE, hipMemRangeAttributePreferredLocation), hipInvalidDeviceId);
    assert_int_equal(told(ptr, PAGE, hipMemRangeAttributeCoherencyMode),
                     hipMemRangeCoherencyModeFineGrain);
    assert_hip_ok(hipFree(ptr));
}

static void a_range_has_what_all_its_pages_have(void **state) {
    char *ptr = managed(8 * PAGE + 5);
    (void)state;
    // pages 2 to 5: a byte at both ends widens to them
    assert_hip_ok(hipMemAdvise(ptr + 3 * PAGE - 1, 2 * PAGE + 2, hipMemAdviseSetReadMostly, 0));
    assert_hip_ok(hipMemAdvise(ptr + 4 * PAGE, PAGE, hipMemAdviseSetPreferredLocation, 1));
    assert_hip_ok(hipMemAdvise(ptr + 4 * PAGE, PAGE, hipMemAdviseSetCoarseGrain, 0));
    for (size_t page = 0; page < 8; page++) {
        assert_int_equal(told(ptr + page * PAGE, PAGE, hipMemRangeAttributeReadMostly),
                         page >= 2 && page <= 5);
        assert_int_equal(told(ptr + page * PAGE, PAGE, hipMemRangeAttributePreferredLocation),
                         page == 4 ? 1 : hipInvalidDeviceId);
    }
    assert_int_equal(told(ptr + 2 * PAGE, 4 * PAGE, hipMemRangeAttributeReadMostly), 1);
    assert_int_equal(told(ptr + 2 * PAGE, 4 * PAGE + 1, hipMemRangeAttributeReadMostly), 0);
    assert_int_equal(told(ptr, 8 * PAGE + 5, hipMemRangeAttributeReadMostly), 0);
    assert_int_equal(told(ptr + 3 * PAGE, 2 * PAGE, hipMemRangeAttributePreferredLocation),
                     hipInvalidDeviceId);
    assert_int_equal(told(ptr + 3 * PAGE, 2 * PAGE, hipMemRangeAttributeCoherencyMode),
                     hipMemRangeCoherencyModeIndeterminate);
    // the rest of the last page
    assert_hip_ok(hipMemAdvise(ptr + 8 * PAGE, 1, hipMemAdviseSetReadMostly, 0));
    assert_int_equal(told(ptr + 8 * PAGE, 5, hipMemRangeAttributeReadMostly), 1);
    assert_hip_ok(hipMemAdvise(ptr, 8 * PAGE + 5, hipMemAdviseSetReadMostly, 0));
    assert_int_equal(told(ptr, 8 * PAGE + 5, hipMemRangeAttributeReadMostly), 1);
    assert_hip_ok(hipFree(ptr));
}

static void devices_that_access_are_listed(void **state) {
    char *ptr = managed(2 * PAGE);
    int list[4] = {77, 77, 77, 77};
    (void)state;
    assert_hip_ok(hipMemAdvise(ptr, 2 * PAGE, hipMemAdviseSetAccessedBy, 1));
    assert_hip_ok(hipMemAdvise(ptr, 2 * PAGE, hipMemAdviseSetAccessedBy, hipCpuDeviceId));
    assert_hip_ok(hipMemAdvise(ptr, PAGE, hipMemAdviseSetAccessedBy, 0));
    assert_hip_ok(hipMemRangeGetAttribute(list, 3 * sizeof(int), hipMemRangeAttributeAccessedBy,
                                          ptr, 2 * PAGE));
    assert_int_equal(list[0], hipCpuDeviceId);
    assert_int_equal(list[1], 1);
    assert_int_equal(list[2], hipInvalidDeviceId);
    assert_int_equal(list[3], 77);
    assert_hip_ok(hipMemAdvise(ptr, 2 * PAGE, hipMemAdviseUnsetAccessedBy, hipCpuDeviceId));
    assert_hip_ok(
        hipMemRangeGetAttribute(list, sizeof list, hipMemRangeAttributeAccessedBy, ptr, PAGE));
    assert_int_equal(list[0], 0);
    assert_int_equal(list[1], 1);
    assert_int_equal(list[2], hipInvalidDeviceId);
    assert_int_equal(list[3], hipInvalidDeviceId);
    assert_hip_ok(hipFree(ptr));
}

static void several_attributes_are_told_or_none(void **state) {
    char *ptr = managed(PAGE);
    int values[2] = {77, 77};
    void *data[2] = {&values[0], &values[1]};
    size_t sizes[2] = {sizeof(int), sizeof(int)};
    hipMemRangeAttribute wishes[2] = {hipMemRangeAttributeReadMostly,
                                      hipMemRangeAttributePreferredLocation};
    (void)state;
    sizes[1] = 8;
    assert_hip(hipMemRangeGetAttributes(data, sizes, wishes, 2, ptr, PAGE), hipErrorInvalidValue);
    sizes[1] = sizeof(int);
    assert_hip(hipMemRangeGetAttributes(NULL, sizes, wishes, 2, ptr, PAGE), hipErrorInvalidValue);
    assert_hip(hipMemRangeGetAttributes(data, NULL, wishes, 2, ptr, PAGE), hipErrorInvalidValue);
    assert_hip(hipMemRangeGetAttributes(data, sizes, NULL, 2, ptr, PAGE), hipErrorInvalidValue);
    assert_hip(hipMemRangeGetAttributes(data, sizes, wishes, 0, ptr, PAGE), hipErrorInvalidValue);
    assert_hip(hipMemRangeGetAttributes(data, sizes, wishes, 2, ptr, PAGE + 1),
               hipErrorInvalidValue);
    assert_int_equal(values[0], 77);
    assert_hip_ok(hipMemRangeGetAttributes(data, sizes, wishes, 2, ptr, PAGE));
    assert_int_equal(values[0], 0);
    assert_int_equal(values[1], hipInvalidDeviceId);
    assert_hip_ok(hipFree(ptr));
}

static void bad_questions_are_refused(void **state) {
    char *ptr = managed(PAGE);
    void *device = NULL;
    int value = 77;
    (void)state;
    assert_hip_ok(hipMalloc(&device, PAGE));
#define ASK(data, size, attribute, range, count)                                                   \
    hipMemRangeGetAttribute(data, size, (hipMemRangeAttribute)(attribute), range, count)
    assert_hip(ASK(NULL, 4, hipMemRangeAttributeReadMostly, ptr, PAGE), hipErrorInvalidValue);
    assert_hip(ASK(&value, 3, hipMemRangeAttributeReadMostly, ptr, PAGE), hipErrorInvalidValue);
    assert_hip(ASK(&value, 0, hipMemRangeAttributeAccessedBy, ptr, PAGE), hipErrorInvalidValue);
    assert_hip(ASK(&value, 2, hipMemRangeAttributeAccessedBy, ptr, PAGE), hipErrorInvalidValue);
    assert_hip(ASK(&value, 4, 0, ptr, PAGE), hipErrorInvalidValue);
    assert_hip(ASK(&value, 4, 5, ptr, PAGE), hipErrorInvalidValue);
    assert_hip(ASK(&value, 4, hipMemRangeAttributeReadMostly, NULL, PAGE), hipErrorInvalidValue);
    assert_hip(ASK(&value, 4, hipMemRangeAttributeReadMostly, ptr, 0), hipErrorInvalidValue);
    assert_hip(ASK(&value, 4, hipMemRangeAttributeReadMostly, ptr + 1, PAGE), hipErrorInvalidValue);
    assert_hip(ASK(&value, 4, hipMemRangeAttributeReadMostly, device, PAGE), hipErrorInvalidValue);
    assert_hip(ASK(&value, 4, hipMemRangeAttributeReadMostly, &value, 4), hipErrorInvalidValue);
#undef ASK
    assert_int_equal(value, 77);
    assert_hip_ok(hipFree(ptr));
    assert_hip_ok(hipFree(device));
}

static void bad_advice_is_refused_and_changes_nothing(void **state) {
    char *ptr = managed(2 * PAGE);
    void *device = NULL;
    (void)state;
    assert_hip_ok(hipMalloc(&device, PAGE));
    assert_hip(hipMemAdvise(NULL, PAGE, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
    assert_hip(hipMemAdvise(ptr, 0, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
    assert_hip(hipMemAdvise(ptr, PAGE, (hipMemoryAdvise)0, 0), hipErrorInvalidValue);
    assert_hip(hipMemAdvise(ptr, PAGE, (hipMemoryAdvise)99, 0), hipErrorInvalidValue);
    assert_hip(hipMemAdvise(ptr, PAGE, hipMemAdviseSetPreferredLocation, 2), hipErrorInvalidDevice);
    assert_hip(hipMemAdvise(ptr, PAGE, hipMemAdviseSetAccessedBy, -2), hipErrorInvalidDevice);
    assert_hip(hipMemAdvise(NULL, 0, hipMemAdviseSetCoarseGrain, 99), hipErrorInvalidDevice);
    assert_hip(hipMemAdvise(ptr, 2 * PAGE + 1, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
    assert_hip(hipMemAdvise(ptr + 1, 2 * PAGE, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
    assert_hip(hipMemAdvise(ptr, SIZE_MAX, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
    assert_hip(hipMemAdvise(device, PAGE, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
    assert_int_equal(told(ptr, PAGE, hipMemRangeAttributeReadMostly), 0);
    assert_hip_ok(hipFree(ptr));
    assert_hip_ok(hipFree(device));
}

static void read_mostly_is_for_no_device(void **state) {
    char *ptr = managed(PAGE);
    (void)state;
    assert_hip_ok(hipMemAdvise(ptr, PAGE, hipMemAdviseSetReadMostly, 99));
    assert_int_equal(told(ptr, PAGE, hipMemRangeAttributeReadMostly), 1);
    assert_hip_ok(hipMemAdvise(ptr, PAGE, hipMemAdviseUnsetReadMostly, -7));
    assert_int_equal(told(ptr, PAGE, hipMemRangeAttributeReadMostly), 0);
    assert_hip(hipMemAdvise(NULL, PAGE, hipMemAdviseSetReadMostly, 99), hipErrorInvalidValue);
    assert_hip_ok(hipFree(ptr));
}

// Every page on its own against a plain array.
static void plain_memory_is_coherent_and_has_nothing_else(void **state) {
    const hipMemRangeAttribute coherency = hipMemRangeAttributeCoherencyMode;
    int value = 77;
    void *data = &value;
    size_t size = sizeof value;
    hipMemRangeAttribute many = coherency;
    char *ptr = NULL;
    (void)state;
    assert_hip_ok(hipMalloc((void **)&ptr, 2 * PAGE));
    assert_int_equal(told(ptr, 2 * PAGE, coherency), hipMemRangeCoherencyModeFineGrain);
    assert_int_equal(told(ptr + 5, 1, coherency), hipMemRangeCoherencyModeFineGrain);
    assert_hip(hipMemRangeGetAttribute(&value, 4, coherency, ptr + 1, 2 * PAGE),
               hipErrorInvalidValue);
    assert_hip(hipMemRangeGetAttribute(&value, 8, coherency, ptr, 1), hipErrorInvalidValue);
    assert_hip(hipMemRangeGetAttribute(NULL, 4, coherency, ptr, 1), hipErrorInvalidValue);
    assert_hip(hipMemRangeGetAttribute(&value, 4, coherency, ptr, 0), hipErrorInvalidValue);
    assert_hip(hipMemRangeGetAttribute(&value, 4, hipMemRangeAttributeReadMostly, ptr, 1),
               hipErrorInvalidValue);
    assert_hip(hipMemRangeGetAttributes(&data, &size, &many, 1, ptr, 1), hipErrorInvalidValue);
    assert_int_equal(value, 77);
    assert_hip_ok(hipFree(ptr));
}

static hipMemLocation location_of(int type, int id) {
    return (hipMemLocation){(hipMemLocationType)type, id};
}

static void advice_may_name_a_location(void **state) {
    const hipMemoryAdvise prefer = hipMemAdviseSetPreferredLocation;
    char *ptr = managed(PAGE);
    hipStream_t stream = NULL;
    hipGraph_t graph = NULL;
    (void)state;
    assert_hip_ok(hipMemAdvise_v2(ptr, PAGE, prefer, location_of(hipMemLocationTypeDevice, 1)));
    assert_int_equal(told(ptr, PAGE, hipMemRangeAttributePreferredLocation), 1);
    for (int type = hipMemLocationTypeHost; type <= hipMemLocationTypeHostNumaCurrent; type++) {
        assert_hip_ok(hipMemAdvise(ptr, PAGE, prefer, 0));
        assert_hip_ok(hipMemAdvise_v2(ptr, PAGE, prefer, location_of(type, 77)));
        assert_int_equal(told(ptr, PAGE, hipMemRangeAttributePreferredLocation), hipCpuDeviceId);
    }
    assert_hip(hipMemAdvise_v2(NULL, PAGE, prefer, location_of(9, 9)), hipErrorInvalidValue);
    assert_hip(hipMemAdvise_v2(ptr, 0, prefer, location_of(1, 0)), hipErrorInvalidValue);
    assert_hip(hipMemAdvise_v2(ptr, PAGE + 1, prefer, location_of(1, 0)), hipErrorInvalidValue);
    assert_hip(hipMemAdvise_v2(ptr, PAGE, prefer, location_of(0, 0)), hipErrorInvalidValue);
    assert_hip(hipMemAdvise_v2(ptr, PAGE, prefer, location_of(5, 0)), hipErrorInvalidValue);
    assert_hip(hipMemAdvise_v2(ptr, PAGE, (hipMemoryAdvise)7, location_of(1, 0)),
               hipErrorInvalidValue);
    assert_hip(hipMemAdvise_v2(ptr, PAGE, prefer, location_of(1, 2)), hipErrorInvalidDevice);
    assert_hip(hipMemAdvise_v2(ptr, PAGE, prefer, location_of(1, hipCpuDeviceId)),
               hipErrorInvalidDevice);
    assert_hip_ok(hipMemAdvise_v2(ptr, PAGE, hipMemAdviseSetReadMostly, location_of(1, 99)));
    assert_int_equal(told(ptr, PAGE, hipMemRangeAttributePreferredLocation), hipCpuDeviceId);
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    assert_hip(hipMemAdvise_v2(ptr, PAGE, prefer, location_of(1, 0)),
               hipErrorStreamCaptureUnsupported);
    assert_hip(hipStreamEndCapture(stream, &graph), hipErrorStreamCaptureInvalidated);
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipFree(ptr));
}

static void advise_wrongly(void *arg) {
    const hipError_t *error = arg;
    assert_hip(hipMemAdvise(NULL, PAGE, hipMemAdviseSetPreferredLocation, 99), *error);
}

static void the_level_decides_what_is_checked_first(void **state) {
    hipError_t six = hipErrorInvalidDevice;
    hipError_t seven = hipErrorInvalidValue;
    (void)state;
    hip_in_child(advise_wrongly, &six, "TARN_HIP_COMPAT", "6", NULL);
    hip_in_child(advise_wrongly, &seven, "TARN_HIP_COMPAT", "7", NULL);
}

static void random_advice_is_kept_page_by_page(void **state) {
    enum { PAGES = 24 };
    bool mostly[PAGES] = {false};
    int preferred[PAGES];
    unsigned seed = 7;
    char *ptr = managed(PAGES * PAGE);
    (void)state;
    for (size_t i = 0; i < PAGES; i++) preferred[i] = hipInvalidDeviceId;
    for (unsigned round = 0; round < 300; round++) {
        seed = seed * 1103515245 + 12345;
        size_t first = (seed >> 8) % PAGES;
        size_t count = 1 + (seed >> 16) % (PAGES - first);
        bool flag = (seed >> 28 & 1) != 0;
        int device = (int)(seed >> 29 & 1);
        assert_hip_ok(hipMemAdvise(ptr + first * PAGE, count * PAGE,
                                   flag ? hipMemAdviseSetReadMostly : hipMemAdviseUnsetReadMostly,
                                   0));
        assert_hip_ok(hipMemAdvise(ptr + first * PAGE, (count + 1) / 2 * PAGE,
                                   hipMemAdviseSetPreferredLocation, device));
        for (size_t i = first; i < first + count; i++) {
            mostly[i] = flag;
            preferred[i] = i < first + (count + 1) / 2 ? device : preferred[i];
        }
        for (size_t i = 0; i < PAGES; i++) {
            assert_int_equal(told(ptr + i * PAGE, PAGE, hipMemRangeAttributeReadMostly), mostly[i]);
            assert_int_equal(told(ptr + i * PAGE, PAGE, hipMemRangeAttributePreferredLocation),
                             preferred[i]);
        }
    }
    assert_hip_ok(hipFree(ptr));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_level_decides_what_is_checked_first), // forks: first
        cmocka_unit_test(memory_is_managed),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(more_than_the_machine_has_is_refused),
        cmocka_unit_test(advice_is_told_back),
        cmocka_unit_test(a_range_has_what_all_its_pages_have),
        cmocka_unit_test(devices_that_access_are_listed),
        cmocka_unit_test(several_attributes_are_told_or_none),
        cmocka_unit_test(bad_questions_are_refused),
        cmocka_unit_test(bad_advice_is_refused_and_changes_nothing),
        cmocka_unit_test(read_mostly_is_for_no_device),
        cmocka_unit_test(plain_memory_is_coherent_and_has_nothing_else),
        cmocka_unit_test(advice_may_name_a_location),
        cmocka_unit_test(random_advice_is_kept_page_by_page),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
