// SPDX-License-Identifier: Apache-2.0
// hipMemExportToShareableHandle. Numbers are the rows of its table of checks.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "support/vmm.h"

#define POSIX_FD hipMemHandleTypePosixFileDescriptor

static void refuses(handle_t handle, int type, unsigned long long flags) {
    int fd = -7;
    assert_hip(hipMemExportToShareableHandle(&fd, handle, (hipMemAllocationHandleType)type, flags),
               hipErrorInvalidValue);
    assert_int_equal(fd, -7);
}

// ROCm 7, asserted by AMD's tests. ROCm 6.3 crashes where a descriptor has no place.
static void missing_arguments_are_refused(void **state) {
    handle_t handle = create_shared(G);
    (void)state;
    refuses(handle, POSIX_FD, 1);
    refuses(NULL, POSIX_FD, 0);
    assert_hip(hipMemExportToShareableHandle(NULL, handle, POSIX_FD, 0), hipErrorInvalidValue);
    refuses(no_handle(), POSIX_FD, 0);
    assert_hip_ok(hipMemRelease(handle));
    refuses(handle, POSIX_FD, 0);
}

// AMD's tests assert it for Win32. ROCm 6.3 exports type 0.
static void types_the_memory_was_not_created_for_are_refused(void **state) {
    static const int types[] = {0, 2, 3, 4, 8, 9, -1};
    handle_t shared = create_shared(G);
    handle_t private = create(G);
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) refuses(shared, types[i], 0);
    refuses(private, POSIX_FD, 0);
    refuses(private, 0, 0);
    assert_hip_ok(hipMemRelease(shared));
    assert_hip_ok(hipMemRelease(private));
}

static void without_descriptors(void *arg) {
    handle_t handle = create_shared(G);
    struct rlimit limit;
    (void)arg;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = 3; // the new one would have to be one of 0 to 2
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    refuses(handle, POSIX_FD, 0);
    limit.rlim_cur = before;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_int_equal(close(export_fd(handle)), 0);
    assert_hip_ok(hipMemRelease(handle));
}

// ROCm 6.3 and 7.
static void the_want_of_a_descriptor_is_a_bad_value(void **state) {
    (void)state;
    hip_in_child(without_descriptors, NULL, NULL);
}

static void four_bytes_are_written(void **state) {
    union {
        void *pointer;
        unsigned char bytes[16];
    } out = {NULL};
    handle_t handle = create_shared(G);
    int fd = -1;
    (void)state;
    assert_hip_ok(hipMemExportToShareableHandle(&out, handle, POSIX_FD, 0));
    assert_non_null(out.pointer);
    memcpy(&fd, out.bytes, sizeof fd);
    assert_ptr_equal(out.pointer, (void *)(uintptr_t)fd);
    assert_int_equal(close(fd), 0);
    memset(&out, 0xee, sizeof out);
    assert_hip_ok(hipMemExportToShareableHandle(out.bytes + 3, handle, POSIX_FD, 0)); // anywhere
    memcpy(&fd, out.bytes + 3, sizeof fd);
    assert_int_equal(out.bytes[2], 0xee);
    assert_int_equal(out.bytes[7], 0xee);
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipMemRelease(handle));
}

static void each_call_gives_a_descriptor_of_the_callers_own(void **state) {
    handle_t handle = create_shared(G);
    (void)state;
    int one = export_fd(handle);
    int two = export_fd(handle);
    assert_int_not_equal(one, two);
    assert_int_equal(fcntl(one, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    assert_int_equal(close(one), 0);
    handle_t twin = import_fd(two); // the other is untouched
    assert_int_equal(close(two), 0);
    assert_int_equal(close(export_fd(twin)), 0); // imported memory goes on
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemRelease(twin));
}

// AMD's tests expect a value that is not 0.
static void with_standard_descriptors_closed(void *arg) {
    int out = dup(1);
    (void)arg;
    handle_t handle = create_shared(G);
    for (int fd = 0; fd <= 2; fd++) assert_int_equal(close(fd), 0);
    int fds[4];
    for (int i = 0; i < 4; i++) fds[i] = export_fd(handle);
    assert_int_equal(dup2(out, 1), 1); // for what the test has to say
    for (int i = 0; i < 4; i++) {
        assert_true(fds[i] > 2);
        assert_int_equal(close(fds[i]), 0);
    }
    assert_hip_ok(hipMemRelease(handle));
}

static void a_descriptor_is_never_one_of_the_standard_ones(void **state) {
    (void)state;
    hip_in_child(with_standard_descriptors_closed, NULL, NULL);
}

// The descriptor holds the memory, whatever becomes of the handle.
static void the_descriptor_holds_the_memory(void **state) {
    char *at = reserve(G);
    handle_t handle = create_shared(G);
    (void)state;
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    grant(at, G, 0, READ_WRITE);
    at[7] = 8;
    assert_hip_ok(hipMemRelease(handle)); // mapped, and good for export still
    int fd = export_fd(handle);
    assert_hip_ok(hipMemUnmap(at, G));
    refuses(handle, POSIX_FD, 0);
    handle = import_fd(fd);
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    grant(at, G, 0, READ);
    assert_int_equal(at[7], 8);
    assert_hip_ok(hipMemRelease(handle));
    unmap_and_free(at, G);
}

int main(void) {
    const struct CMUnitTest children[] = {
        cmocka_unit_test(the_want_of_a_descriptor_is_a_bad_value),
        cmocka_unit_test(a_descriptor_is_never_one_of_the_standard_ones),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_arguments_are_refused),
        cmocka_unit_test(types_the_memory_was_not_created_for_are_refused),
        cmocka_unit_test(four_bytes_are_written),
        cmocka_unit_test(each_call_gives_a_descriptor_of_the_callers_own),
        cmocka_unit_test(the_descriptor_holds_the_memory),
    };
    int failed = cmocka_run_group_tests(children, hip_group_setup, NULL);
    return failed + cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
