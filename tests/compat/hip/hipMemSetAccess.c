// SPDX-License-Identifier: Apache-2.0
// hipMemSetAccess. Numbers are the rows of its table of checks.
#include <sys/uio.h>
#include <unistd.h>

#include "support/vmm.h"

static void refuses(void *at, size_t size, const hipMemAccessDesc *desc, size_t count) {
    assert_hip(hipMemSetAccess(at, size, desc, count), hipErrorInvalidValue);
}

static hipMemAccessDesc host_desc(hipMemLocationType type, unsigned long long flags) {
    hipMemAccessDesc desc = desc_of(-7, flags); // ignored
    desc.location.type = type;
    return desc;
}

static unsigned long long host_rights(void *at) {
    unsigned long long flags = 99;
    hipMemLocation host = {hipMemLocationTypeHost, 0};
    assert_hip_ok(hipMemGetAccess(&flags, &host, at));
    return flags;
}

static void map_plain(void *at, size_t size) {
    handle_t handle = create(size);
    assert_hip_ok(hipMemMap(at, size, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
}

// What the CPU itself may do at an address, asked of the kernel.
static bool cpu_reads(void *at) {
    char byte = 0;
    struct iovec mine = {&byte, 1};
    struct iovec there = {at, 1};
    return process_vm_readv(getpid(), &mine, 1, &there, 1, 0) == 1;
}

static bool cpu_writes(void *at) {
    char byte = 1;
    struct iovec mine = {&byte, 1};
    struct iovec there = {at, 1};
    return process_vm_writev(getpid(), &mine, 1, &there, 1, 0) == 1;
}

// ROCm 6.3, ROCm 7 and CUDA.
static void missing_arguments_are_refused(void **state) {
    hipMemAccessDesc desc = desc_of(0, READ_WRITE);
    char *at = reserve(G);
    (void)state;
    map_plain(at, G);
    refuses(NULL, G, &desc, 1);
    refuses(at, 0, &desc, 1);
    refuses(at, G, NULL, 1);
    refuses(at, G, &desc, 0);
    assert_int_equal(rights(at, 0), NONE);
    unmap_and_free(at, G);
}

// AMD's tests pass an address of the stack.
static void what_is_not_mapped_is_refused(void **state) {
    hipMemAccessDesc desc = desc_of(0, READ_WRITE);
    char *at = reserve(2 * G);
    (void)state;
    refuses(at, G, &desc, 1);
    map_plain(at, G);
    refuses(at + G, G, &desc, 1);
    refuses(at, 2 * G, &desc, 1); // a gap at the end
    assert_hip_ok(hipMemUnmap(at, G));
    refuses(at, G, &desc, 1);
    refuses(&at, G, &desc, 1);
    refuses((void *)1, 1, &desc, 1);
    refuses((void *)(~(uintptr_t)0 - G + 1), G, &desc, 1);
    refuses(at, SIZE_MAX, &desc, 1);
    assert_hip_ok(hipMemAddressFree(at, 2 * G));
    refuses(at, G, &desc, 1);
}

// AMD's tests of 7 assert it. ROCm 6.3 changes a cut-off last mapping completely.
static void parts_and_gaps_are_refused(void **state) {
    hipMemAccessDesc desc = desc_of(0, READ_WRITE);
    char *at = reserve(8 * G);
    (void)state;
    map_plain(at, 2 * G);
    map_plain(at + 2 * G, 2 * G);
    map_plain(at + 6 * G, 2 * G);
    refuses(at, 2 * G - 1, &desc, 1);
    refuses(at, 2 * G + 1, &desc, 1);
    refuses(at, G, &desc, 1);
    refuses(at + G, G, &desc, 1);
    refuses(at + 1, 2 * G - 1, &desc, 1);
    refuses(at, 3 * G, &desc, 1);
    refuses(at + G, 3 * G, &desc, 1);
    refuses(at, 8 * G, &desc, 1);
    refuses(at + 2 * G, 6 * G, &desc, 1);
    for (int i = 0; i < 8; i++)
        if (i != 4 && i != 5) assert_int_equal(rights(at + (size_t)i * G, 0), NONE);
    assert_hip_ok(hipMemUnmap(at, 4 * G));
    assert_hip_ok(hipMemUnmap(at + 6 * G, 2 * G));
    assert_hip_ok(hipMemAddressFree(at, 8 * G));
}

// Neighbouring reservations are two.
static void a_range_over_two_reservations_is_refused(void **state) {
    hipMemAccessDesc desc = desc_of(0, READ_WRITE);
    char *at = reserve(2 * G);
    void *next = NULL;
    (void)state;
    assert_hip_ok(hipMemAddressFree(at, 2 * G));
    assert_hip_ok(hipMemAddressReserve((void **)&at, G, 0, at, 0));
    assert_hip_ok(hipMemAddressReserve(&next, G, 0, at + G, 0));
    map_plain(at, G);
    map_plain(next, G);
    refuses(at, 2 * G, &desc, 1);
    assert_int_equal(rights(at, 0), NONE);
    assert_int_equal(rights(next, 0), NONE);
    unmap_and_free(at, G);
    unmap_and_free(next, G);
}

// AMD's tests of 7 assert each; as the second of two, so that the first must not be applied either.
static void a_bad_description_leaves_the_others_unapplied(void **state) {
    static const struct {
        int type;
        int id;
        int flags;
    } bad[] = {
        {0, 0, 3},  {5, 0, 3},  {-1, 0, 3},                                  // types
        {1, -1, 3}, {1, 2, 3},  {1, 2147483647, 3}, {1, -2147483647 - 1, 3}, // devices
        {1, 0, 2},  {1, 0, -1}, {1, 0, 4},          {2, 0, 2},               // rights
    };
    char *at = reserve(G);
    (void)state;
    map_plain(at, G);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        hipMemAccessDesc desc[2] = {desc_of(1, READ_WRITE), desc_of(bad[i].id, 0)};
        desc[1].location.type = (hipMemLocationType)bad[i].type;
        desc[1].flags = (hipMemAccessFlags)bad[i].flags;
        refuses(at, G, &desc[1], 1);
        refuses(at, G, desc, 2);
        assert_int_equal(rights(at, 0), NONE);
        assert_int_equal(rights(at, 1), NONE);
        assert_false(cpu_reads(at));
    }
    hipMemAccessDesc desc = desc_of(4711, READ);
    refuses(at, G, &desc, 1);
    assert_text_names("4711");
    unmap_and_free(at, G);
}

// AMD's tests of 7 assert success. CUDA does not support it.
static void the_host_is_a_location_too(void **state) {
    static const hipMemLocationType types[] = {hipMemLocationTypeHost, hipMemLocationTypeHostNuma,
                                               hipMemLocationTypeHostNumaCurrent};
    char *at = reserve(G);
    (void)state;
    map_plain(at, G);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        hipMemAccessDesc desc = host_desc(types[i], READ_WRITE);
        assert_hip_ok(hipMemSetAccess(at, G, &desc, 1));
        assert_int_equal(host_rights(at), READ_WRITE);
        at[0] = (char)i;
        assert_int_equal(rights(at, 0), NONE);
        desc = host_desc(types[i], NONE);
        assert_hip_ok(hipMemSetAccess(at, G, &desc, 1));
        assert_int_equal(host_rights(at), NONE);
        assert_false(cpu_reads(at));
    }
    unmap_and_free(at, G);
}

static void on_a_platform_without_host_access(void *arg) {
    size_t size = (size_t)2 << 20;
    char *at = reserve(size);
    hipMemAccessDesc desc[2] = {desc_of(0, READ_WRITE), host_desc(hipMemLocationTypeHost, READ)};
    hipMemLocation host = {hipMemLocationTypeHost, 0};
    unsigned long long flags = 99;
    (void)arg;
    map_plain(at, size);
    assert_hip(hipMemSetAccess(at, size, desc, 2), hipErrorNotSupported);
    assert_int_equal(rights(at, 0), NONE);
    assert_hip(hipMemGetAccess(&flags, &host, at), hipErrorInvalidValue);
    assert_int_equal(flags, 99);
    refuses(at, size / 2, desc, 2); // the range comes before the host
    grant(at, size, 0, READ);
    unmap_and_free(at, size);
}

static void a_host_that_can_have_no_access_is_not_supported(void **state) {
    (void)state;
    hip_in_child(on_a_platform_without_host_access, NULL, "TARN_HIP_DEVICE", "sim:0,granularity=2M",
                 NULL);
}

static void a_run_inside_others_changes_alone(void **state) {
    static const unsigned long long before[] = {1, 3, 0, 1};
    char *at = reserve(4 * G);
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        map_plain(at + i * G, G);
        grant(at + i * G, G, 0, before[i]);
        grant(at + i * G, G, 1, READ);
    }
    grant(at + G, 2 * G, 0, READ);
    assert_int_equal(rights(at, 0), READ);
    assert_int_equal(rights(at + G, 0), READ);
    assert_int_equal(rights(at + 2 * G, 0), READ);
    assert_int_equal(rights(at + 3 * G, 0), READ);
    grant(at + G, 2 * G, 0, READ_WRITE);
    assert_int_equal(rights(at + G - 1, 0), READ);
    assert_int_equal(rights(at + G, 0), READ_WRITE);
    assert_int_equal(rights(at + 3 * G - 1, 0), READ_WRITE);
    assert_int_equal(rights(at + 3 * G, 0), READ);
    for (size_t i = 0; i < 4; i++) // who is not named keeps what he has
        assert_int_equal(rights(at + i * G, 1), READ);
    unmap_and_free(at, 4 * G);
}

// As pools grow: the new end alone is given rights.
static void a_tail_of_whole_mappings_is_a_range(void **state) {
    char *at = reserve(4 * G);
    (void)state;
    map_fresh(at, G);
    map_plain(at + G, G);
    map_plain(at + 2 * G, 2 * G);
    grant(at + G, 3 * G, 0, READ_WRITE);
    memset(at, 1, 4 * G);
    unmap_and_free(at, 4 * G);
}

static void of_two_for_one_location_the_later_counts(void **state) {
    hipMemAccessDesc desc[3] = {desc_of(0, READ_WRITE), desc_of(1, READ), desc_of(0, READ)};
    char *at = reserve(G);
    (void)state;
    map_plain(at, G);
    assert_hip_ok(hipMemSetAccess(at, G, desc, 3));
    assert_int_equal(rights(at, 0), READ);
    assert_int_equal(rights(at, 1), READ);
    desc[0] = desc_of(0, NONE);
    desc[2] = desc_of(0, READ_WRITE);
    assert_hip_ok(hipMemSetAccess(at, G, desc, 3));
    assert_int_equal(rights(at, 0), READ_WRITE);
    unmap_and_free(at, G);
}

// More than fit on the stack, the last one bad or good.
static void many_descriptions_are_one_change(void **state) {
    enum { MANY = 1000 };
    static hipMemAccessDesc desc[MANY];
    char *at = reserve(G);
    (void)state;
    map_plain(at, G);
    for (int i = 0; i < MANY; i++) desc[i] = desc_of(i % 2, i % 3 == 0 ? READ : READ_WRITE);
    desc[MANY - 1] = desc_of(2, READ);
    refuses(at, G, desc, MANY);
    assert_int_equal(rights(at, 0), NONE);
    desc[MANY - 2] = desc_of(0, READ_WRITE);
    desc[MANY - 1] = desc_of(1, READ);
    assert_hip_ok(hipMemSetAccess(at, G, desc, MANY));
    assert_int_equal(rights(at, 0), READ_WRITE);
    assert_int_equal(rights(at, 1), READ);
    for (size_t count = 7; count <= 10; count++) // around what fits
        assert_hip_ok(hipMemSetAccess(at, G, desc, count));
    unmap_and_free(at, G);
}

// The CPU sees the union of what devices may.
static void rights_change_in_any_order(void **state) {
    char *at = reserve(G);
    (void)state;
    map_plain(at, G);
    assert_false(cpu_reads(at));
    grant(at, G, 0, READ_WRITE);
    assert_true(cpu_writes(at));
    at[5] = 42;
    grant(at, G, 0, READ);
    assert_int_equal(at[5], 42);
    assert_false(cpu_writes(at));
    grant(at, G, 1, READ_WRITE);
    assert_true(cpu_writes(at));
    grant(at, G, 1, NONE);
    assert_false(cpu_writes(at));
    assert_true(cpu_reads(at));
    grant(at, G, 0, NONE);
    assert_false(cpu_reads(at));
    grant(at, G, 0, READ_WRITE);
    assert_int_equal(at[5], 42);
    unmap_and_free(at, G);
}

static void on_a_strict_device(void *arg) {
    char *at = reserve(G);
    char byte = 9;
    hipMemAccessDesc host = host_desc(hipMemLocationTypeHost, READ);
    (void)arg;
    map_plain(at, G);
    grant(at, G, 0, READ_WRITE);
    assert_int_equal(rights(at, 0), READ_WRITE);
    assert_false(cpu_reads(at));
    assert_hip_ok(hipMemcpyHtoD(at, &byte, 1));
    assert_hip_ok(hipMemSetAccess(at, G, &host, 1));
    assert_int_equal(at[0], 9);
    assert_false(cpu_writes(at));
    unmap_and_free(at, G);
}

static void a_strict_device_shows_the_host_what_the_host_was_granted(void **state) {
    (void)state;
    hip_in_child(on_a_strict_device, NULL, "TARN_HIP_DEVICE", "host:0,access=strict", NULL);
}

// CUDA's manual. ROCm 6.3 does not check, and a GPU faults.
static void rights_decide_about_copies(void **state) {
    static char bytes[3 * G];
    char *at = reserve(4 * G);
    (void)state;
    memset(bytes, 3, sizeof bytes);
    map_fresh(at, G);
    map_fresh(at + G, G);
    map_plain(at + 3 * G, G);
    assert_hip_ok(hipMemcpyHtoD(at + 1, bytes, 2 * G - 1)); // over the border
    assert_int_equal(at[2 * G - 1], 3);
    assert_hip(hipMemcpyHtoD(at + G, bytes, 2 * G), hipErrorInvalidValue); // a hole
    assert_hip(hipMemcpyDtoH(bytes, at + 3 * G, 1), hipErrorInvalidValue); // no rights
    grant(at + G, G, 0, READ);
    assert_hip(hipMemcpyHtoD(at, bytes, 2 * G), hipErrorInvalidValue); // half of it is read only
    assert_hip_ok(hipMemcpyDtoH(bytes, at, 2 * G));
    assert_hip_ok(hipMemUnmap(at, 2 * G));
    assert_hip_ok(hipMemUnmap(at + 3 * G, G));
    assert_hip_ok(hipMemAddressFree(at, 4 * G));
}

// One mapping of the kernel becomes many when rights alternate.
static void use_up_mappings(void *arg) {
    enum { N = 256 };
    char *at = reserve(N * G);
    hipError_t error = hipSuccess;
    int granted = 0;
    (void)arg;
    for (size_t i = 0; i < N; i++) map_plain(at + i * G, G);
    for (; error == hipSuccess && granted < N / 2; granted++) {
        hipMemAccessDesc desc = desc_of(0, READ_WRITE);
        error = hipMemSetAccess(at + (size_t)granted * 2 * G, G, &desc, 1);
    }
    assert_hip(error, hipErrorOutOfMemory);
    granted--; // of which the last one failed
    assert_true(granted > 4);
    for (int i = 0; i < granted; i++) at[(size_t)i * 2 * G] = 1;
    assert_int_equal(rights(at + (size_t)granted * 2 * G, 0), NONE);
    assert_false(cpu_reads(at + (size_t)granted * 2 * G));
    grant(at, N * G, 0, READ_WRITE); // one mapping again
    memset(at, 2, N * G);
    unmap_and_free(at, N * G);
}

static void too_many_mappings_are_out_of_memory_and_change_nothing(void **state) {
    (void)state;
    hip_in_child(use_up_mappings, NULL, "TARN_HIP_DEVICE", "host:0,vma_budget=64", NULL);
}

int main(void) {
    const struct CMUnitTest children[] = {
        cmocka_unit_test(a_host_that_can_have_no_access_is_not_supported),
        cmocka_unit_test(a_strict_device_shows_the_host_what_the_host_was_granted),
        cmocka_unit_test(too_many_mappings_are_out_of_memory_and_change_nothing),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_arguments_are_refused),
        cmocka_unit_test(what_is_not_mapped_is_refused),
        cmocka_unit_test(parts_and_gaps_are_refused),
        cmocka_unit_test(a_range_over_two_reservations_is_refused),
        cmocka_unit_test(a_bad_description_leaves_the_others_unapplied),
        cmocka_unit_test(the_host_is_a_location_too),
        cmocka_unit_test(a_run_inside_others_changes_alone),
        cmocka_unit_test(a_tail_of_whole_mappings_is_a_range),
        cmocka_unit_test(of_two_for_one_location_the_later_counts),
        cmocka_unit_test(many_descriptions_are_one_change),
        cmocka_unit_test(rights_change_in_any_order),
        cmocka_unit_test(rights_decide_about_copies),
    };
    int failed = cmocka_run_group_tests(children, hip_group_setup, NULL);
    return failed + cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
