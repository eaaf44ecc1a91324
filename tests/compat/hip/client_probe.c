// SPDX-License-Identifier: Apache-2.0
// A client's pattern: UCX and psm3 ask of any pointer that a user gives them what it is. No answer
// may be a crash or change anything; where it is mapped memory, they learn its properties and give
// it to another process.
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/partner.h"
#include "support/vmm.h"

// What the three questions say of an address.
struct answer {
    bool mapped; // hipMemRetainAllocationHandle
    hipMemoryType type;
    size_t range; // 0: none
};

static struct answer probe(void *ptr) {
    struct answer answer = {false, hipMemoryTypeUnregistered, 0};
    hipPointerAttribute_t attributes;
    hipMemAllocationProp prop;
    handle_t handle = NULL;
    memset(&attributes, 0, sizeof attributes);
    hipError_t error = hipMemRetainAllocationHandle(&handle, ptr);
    assert_true(error == hipSuccess || error == hipErrorInvalidValue);
    answer.mapped = error == hipSuccess;
    if (answer.mapped) {
        assert_hip_ok(hipMemGetAllocationPropertiesFromHandle(&prop, handle));
        assert_int_equal(prop.type, hipMemAllocationTypePinned);
        assert_hip_ok(hipMemRelease(handle));
    }
    error = hipPointerGetAttributes(&attributes, ptr);
    assert_true(error == hipSuccess || (error == hipErrorInvalidValue && ptr == NULL));
    answer.type = attributes.type;
    error = hipMemGetAddressRange(NULL, &answer.range, ptr);
    assert_true(error == hipSuccess || error == hipErrorNotFound);
    return answer;
}

static void is(void *ptr, bool mapped, hipMemoryType type, size_t range) {
    struct answer answer = probe(ptr);
    assert_int_equal(answer.mapped, mapped);
    assert_int_equal(answer.type, type);
    assert_int_equal(answer.range, range);
}

static void is_nothing(void *ptr) { is(ptr, false, hipMemoryTypeUnregistered, 0); }

static void memory_of_the_program_is_none_of_the_devices(void **state) {
    static char data[100];
    static const char text[] = "read only";
    char stack[100] = "";
    char *heap = malloc(100);
    (void)state;
    assert_non_null(heap);
    is_nothing(stack);
    is_nothing(data);
    is_nothing((void *)(uintptr_t)text);
    is_nothing(heap);
    is_nothing((void *)(uintptr_t)&probe);
    volatile uintptr_t was = (uintptr_t)heap; // no compiler shall see what becomes of it
    free(heap);
    is_nothing((void *)was);
}

static void numbers_that_are_no_address_are_answered(void **state) {
    (void)state;
    is_nothing(NULL);
    for (uintptr_t i = 1; i < 4096; i += 511) {
        is_nothing((void *)i);
        is_nothing((void *)(UINTPTR_MAX - i + 1));
    }
    for (unsigned bit = 0; bit < 64; bit++) {
        is_nothing((void *)((uintptr_t)1 << bit));
        is_nothing((void *)(((uintptr_t)1 << bit) - 1));
        is_nothing((void *)~((uintptr_t)1 << bit));
    }
}

static void pages_nobody_may_touch_are_answered(void **state) {
    char *page = mmap(NULL, G, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)state;
    assert_true(page != MAP_FAILED);
    is_nothing(page);
    assert_int_equal(munmap(page, G), 0);
    is_nothing(page);
}

static void each_kind_of_memory_is_told_while_it_lives(void **state) {
    char *device = NULL;
    char *host = NULL;
    char *managed = NULL;
    (void)state;
    assert_hip_ok(hipMalloc((void **)&device, 1000));
    assert_hip_ok(hipHostMalloc((void **)&host, 1000, 0));
    assert_hip_ok(hipMallocManaged((void **)&managed, 1000, hipMemAttachGlobal));
    is(device + 999, false, hipMemoryTypeDevice, 1000);
    is(host + 5, false, hipMemoryTypeHost, 1000);
    is(managed, false, hipMemoryTypeManaged, 1000);
    assert_hip_ok(hipFree(device));
    assert_hip_ok(hipHostFree(host));
    assert_hip_ok(hipFree(managed));
    is_nothing(device + 999);
    is_nothing(host + 5);
    is_nothing(managed);
}

static void a_range_is_told_at_each_step_of_its_life(void **state) {
    char *at = reserve(4 * G);
    (void)state;
    is_nothing(at + G);
    handle_t handle = create(2 * G);
    assert_hip_ok(hipMemMap(at + G, 2 * G, 0, handle, 0));
    is(at + G, true, hipMemoryTypeDevice, 2 * G); // rights are not asked for
    grant(at + G, 2 * G, 0, READ);
    is(at + 3 * G - 1, true, hipMemoryTypeDevice, 2 * G);
    assert_hip_ok(hipMemRelease(handle));
    is(at + 2 * G, true, hipMemoryTypeDevice, 2 * G);
    is_nothing(at + 3 * G);
    is_nothing(at + G - 1);
    assert_hip_ok(hipMemUnmap(at + G, 2 * G));
    is_nothing(at + G);
    assert_hip_ok(hipMemAddressFree(at, 4 * G));
    is_nothing(at + G);
    assert_free_bytes(0, CAPACITY); // no probe has kept anything
}

// ---- beside threads that map and unmap

struct prober {
    char *at;
    _Atomic(bool) stop;
    _Atomic(bool) wrong;
};

static void *probe_on(void *arg) {
    struct prober *prober = arg;
    while (!atomic_load(&prober->stop)) {
        handle_t handle = NULL;
        size_t size = 0;
        hipPointerAttribute_t attributes;
        if (hipMemRetainAllocationHandle(&handle, prober->at + 5) == hipSuccess &&
            hipMemRelease(handle) != hipSuccess)
            atomic_store(&prober->wrong, true);
        if (hipMemGetAddressRange(NULL, &size, prober->at + 5) == hipSuccess && size != G)
            atomic_store(&prober->wrong, true);
        if (hipPointerGetAttributes(&attributes, prober->at + 5) != hipSuccess)
            atomic_store(&prober->wrong, true);
    }
    return NULL;
}

static void probes_beside_changes_see_one_state_or_the_other(void **state) {
    struct prober prober = {reserve(G), false, false};
    pthread_t threads[3];
    (void)state;
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, probe_on, &prober), 0);
    for (int i = 0; i < 300; i++) {
        map_fresh(prober.at, G);
        assert_hip_ok(hipMemUnmap(prober.at, G));
    }
    atomic_store(&prober.stop, true);
    for (size_t i = 0; i < 3; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_false(atomic_load(&prober.wrong));
    assert_hip_ok(hipMemAddressFree(prober.at, G));
    assert_free_bytes(0, CAPACITY);
}

// ---- and then given away

// All that is known is an address somewhere in it.
static void give_by_address(struct partner *other) {
    char *at = reserve(4 * G);
    handle_t handle = create_shared(3 * G);
    hipMemAllocationProp prop;
    hipDeviceptr_t base = NULL;
    size_t size = 0;
    assert_hip_ok(hipMemMap(at, 3 * G, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    grant(at, 3 * G, 0, READ_WRITE);
    strcpy(at + 2 * G, "by its address");
    assert_hip_ok(hipMemRetainAllocationHandle(&handle, at + 2 * G));
    assert_hip_ok(hipMemGetAllocationPropertiesFromHandle(&prop, handle));
    assert_int_equal(prop.requestedHandleType, hipMemHandleTypePosixFileDescriptor);
    int fd = export_fd(handle);
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemGetAddressRange(&base, &size, at + 2 * G));
    send_fd(other, fd);
    assert_int_equal(close(fd), 0);
    say(other, (char)(size / G));
    say(other, (char)((at + 2 * G - (char *)base) / (ptrdiff_t)G));
    hear(other, 'd');
    assert_hip_ok(hipMemUnmap(at, 3 * G));
    assert_hip_ok(hipMemAddressFree(at, 4 * G));
}

static size_t hear_pages(const struct partner *other) {
    char pages = 0;
    assert_int_equal(read(other->line, &pages, 1), 1);
    return (size_t)pages * G;
}

static void map_by_size(struct partner *owner) {
    int fd = receive_fd(owner);
    size_t size = hear_pages(owner);
    size_t offset = hear_pages(owner);
    handle_t handle = import_fd(fd);
    char *at = reserve(size);
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipMemMap(at, size, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    grant(at, size, 0, READ_WRITE);
    assert_string_equal(at + offset, "by its address");
    unmap_and_free(at, size);
    say(owner, 'd');
}

static void memory_found_by_an_address_is_given_away(void **state) {
    (void)state;
    play(give_by_address, map_by_size);
}

int main(void) {
    const struct CMUnitTest children[] = {
        cmocka_unit_test(memory_found_by_an_address_is_given_away),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_the_program_is_none_of_the_devices),
        cmocka_unit_test(numbers_that_are_no_address_are_answered),
        cmocka_unit_test(pages_nobody_may_touch_are_answered),
        cmocka_unit_test(each_kind_of_memory_is_told_while_it_lives),
        cmocka_unit_test(a_range_is_told_at_each_step_of_its_life),
        cmocka_unit_test(probes_beside_changes_see_one_state_or_the_other),
    };
    int failed = cmocka_run_group_tests(children, hip_group_setup, NULL);
    return failed + cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
