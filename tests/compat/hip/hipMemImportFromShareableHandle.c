// SPDX-License-Identifier: Apache-2.0
// hipMemImportFromShareableHandle. Numbers are the rows of its table of checks.
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/vmm.h"

#define POSIX_FD hipMemHandleTypePosixFileDescriptor

static void gives(void *given, int type, hipError_t error) {
    handle_t handle = no_handle();
    assert_hip(hipMemImportFromShareableHandle(&handle, given, (hipMemAllocationHandleType)type),
               error);
    assert_ptr_equal(handle, no_handle());
}

// A descriptor that is no export, by both conventions; it stays open.
static void refuses_fd(int fd) {
    int flags = fcntl(fd, F_GETFD);
    gives(&fd, POSIX_FD, hipErrorInvalidValue);
    gives((void *)(uintptr_t)(unsigned)fd, POSIX_FD, hipErrorInvalidValue);
    assert_int_equal(fcntl(fd, F_GETFD), flags);
}

// How many descriptors are open.
static int count_fds(void) {
    int count = 0;
    for (int fd = 0; fd < 1024; fd++) count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

// ROCm 6.3, ROCm 7 and CUDA.
static void missing_arguments_are_refused(void **state) {
    handle_t handle = create_shared(G);
    int fd = export_fd(handle);
    (void)state;
    assert_hip(hipMemImportFromShareableHandle(NULL, &fd, POSIX_FD), hipErrorInvalidValue);
    gives(NULL, POSIX_FD, hipErrorInvalidValue);
    gives(NULL, hipMemHandleTypeWin32, hipErrorInvalidValue); // before the type
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipMemRelease(handle));
}

// CUDA. ROCm 6.3 takes each type for a descriptor.
static void types_that_are_not_provided_are_refused(void **state) {
    static const int types[] = {0, 2, 3, 4, 8, 9, -1};
    handle_t handle = create_shared(G);
    int fd = export_fd(handle);
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        gives(&fd, types[i], hipErrorNotSupported);
        gives((void *)1, types[i], hipErrorNotSupported);
    }
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipMemRelease(handle));
}

// ROCm 6.3, ROCm 7 and CUDA.
static void descriptors_that_are_no_export_are_refused(void **state) {
    int sockets[2];
    int pipes[2];
    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    assert_int_equal(pipe(pipes), 0);
    const int fds[] = {
        open("/proc/self/exe", O_RDONLY), // a regular file
        memfd_create("foreign", MFD_CLOEXEC | MFD_ALLOW_SEALING),
        open("/dev/null", O_RDWR),
        sockets[0],
        sockets[1],
        pipes[0],
        pipes[1],
    };
    assert_int_equal(ftruncate(fds[1], 16 * (off_t)G), 0);
    for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++) {
        assert_true(fds[i] > 2);
        refuses_fd(fds[i]);
        assert_int_equal(close(fds[i]), 0);
        refuses_fd(fds[i]); // closed
    }
    refuses_fd(-1);
    refuses_fd(0xfffff);
    gives((void *)(uintptr_t)0xfffff, POSIX_FD, hipErrorInvalidValue);
    assert_text_names("1048575");
}

// Memory that its maker could still shorten under its importers is refused, whatever is in it.
static void a_copy_of_an_export_without_seals_is_refused(void **state) {
    static char bytes[16 * 4096];
    handle_t handle = create_shared(2 * G);
    int fd = export_fd(handle);
    int copy = memfd_create("copy", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    (void)state;
    ssize_t size = pread(fd, bytes, sizeof bytes, 0);
    assert_true(size > (ssize_t)(2 * G) && size < (ssize_t)sizeof bytes);
    assert_int_equal(pwrite(copy, bytes, (size_t)size, 0), size);
    refuses_fd(copy);
    assert_int_equal(fcntl(copy, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SEAL), 0);
    refuses_fd(copy);
    assert_int_equal(close(copy), 0);
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipMemRelease(handle));
}

// A pointer that leads nowhere is refused, and the call does not fault on it.
static void bad_pointers_are_refused(void **state) {
    char *pages = mmap(NULL, 2 * G, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)state;
    assert_true(pages != MAP_FAILED);
    assert_int_equal(mprotect(pages + G, G, PROT_NONE), 0);
    memset(pages, 0, G);
    gives(pages + G, POSIX_FD, hipErrorInvalidValue);
    gives(pages + G - 2, POSIX_FD, hipErrorInvalidValue); // half an int
    assert_int_equal(munmap(pages, 2 * G), 0);
    gives(pages, POSIX_FD, hipErrorInvalidValue);
    gives((void *)(uintptr_t)0x100000, POSIX_FD, hipErrorInvalidValue);
    assert_text_names("no int"); // the first number that is a pointer
    gives((void *)(~(uintptr_t)0), POSIX_FD, hipErrorInvalidValue);
    gives((void *)(~(uintptr_t)0 - 3), POSIX_FD, hipErrorInvalidValue);
    gives((void *)(uintptr_t)0x8000000000000000, POSIX_FD, hipErrorInvalidValue);
    gives((void *)(uintptr_t)0xffffffff80000000, POSIX_FD, hipErrorInvalidValue);
}

// From here on the kernel refuses to read like a debugger, as it does in some containers.
static bool forbid_process_vm_readv(void) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof code / sizeof code[0], code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static void import_without_a_debuggers_rights(void *arg) {
    handle_t handle = create_shared(G);
    handle_t twin = NULL;
    int fd = export_fd(handle);
    (void)arg;
    if (!forbid_process_vm_readv()) print_message("no system call can be forbidden here\n");
    int before = count_fds();
    assert_hip_ok(hipMemImportFromShareableHandle(&twin, &fd, POSIX_FD));
    assert_hip_ok(hipMemRelease(twin));
    bad_pointers_are_refused(NULL);
    assert_int_equal(count_fds(), before);
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipMemRelease(handle));
}

static void pointers_are_read_safely_where_debugging_is_forbidden(void **state) {
    (void)state;
    hip_in_child(import_without_a_debuggers_rights, NULL, NULL);
}

static void show_same_bytes(handle_t one, handle_t two) {
    char *a = reserve(2 * G);
    char *b = reserve(2 * G);
    assert_hip_ok(hipMemMap(a, 2 * G, 0, one, 0));
    assert_hip_ok(hipMemMap(b, 2 * G, 0, two, 0));
    grant(a, 2 * G, 0, READ_WRITE);
    grant(b, 2 * G, 1, READ_WRITE);
    strcpy(a, "there");
    assert_string_equal(b, "there");
    strcpy(b + G, "and back");
    assert_string_equal(a + G, "and back");
    unmap_and_free(a, 2 * G);
    unmap_and_free(b, 2 * G);
}

// HIP up to 7.0 points to the descriptor, later ones give it.
static void both_conventions_give_the_memory_and_leave_the_descriptor(void **state) {
    handle_t handle = create_shared(2 * G);
    handle_t by_pointer = NULL;
    int fd[2] = {-1, export_fd(handle)};
    (void)state;
    assert_hip_ok(hipMemImportFromShareableHandle(&by_pointer, &fd[1], POSIX_FD));
    handle_t by_value = import_fd(fd[1]);
    assert_true(fcntl(fd[1], F_GETFD) >= 0);
    assert_int_equal(close(fd[1]), 0);
    show_same_bytes(handle, by_pointer);
    show_same_bytes(by_value, by_pointer);
    assert_hip_ok(hipMemRelease(handle)); // the original alone; the bytes go on
    show_same_bytes(by_value, by_pointer);
    assert_hip_ok(hipMemRelease(by_pointer));
    assert_hip_ok(hipMemRelease(by_value));
}

static void an_int_need_not_be_aligned(void **state) {
    handle_t handle = create_shared(G);
    handle_t twin = NULL;
    int fd = export_fd(handle);
    char bytes[8];
    (void)state;
    memcpy(bytes + 1, &fd, sizeof fd);
    assert_hip_ok(hipMemImportFromShareableHandle(&twin, bytes + 1, POSIX_FD));
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipMemRelease(twin));
    assert_hip_ok(hipMemRelease(handle));
}

static void each_import_is_released_once(void **state) {
    handle_t handle = create_shared(G);
    int fd = export_fd(handle);
    (void)state;
    handle_t one = import_fd(fd);
    handle_t two = import_fd(fd);
    assert_hip_ok(hipMemRelease(one));
    assert_hip_ok(hipMemRelease(two));
    assert_hip(hipMemRelease(two), hipErrorInvalidValue);
    assert_hip_ok(hipMemRelease(handle));
    handle = import_fd(fd); // the descriptor holds it
    assert_hip_ok(hipMemRelease(handle));
    assert_int_equal(close(fd), 0);
}

static void a_thousand_imports_leak_no_descriptor(void **state) {
    handle_t handle = create_shared(G);
    (void)state;
    int before = count_fds();
    for (int i = 0; i < 1000; i++) {
        int fd = export_fd(handle);
        handle_t twin = import_fd(fd);
        assert_int_equal(close(fd), 0);
        assert_hip_ok(hipMemRelease(handle));
        handle = twin;
    }
    assert_int_equal(count_fds(), before);
    assert_hip_ok(hipMemRelease(handle));
}

static void refused_imports_leak_no_descriptor(void **state) {
    int foreign = memfd_create("foreign", MFD_CLOEXEC);
    (void)state;
    assert_true(foreign >= 0);
    int before = count_fds();
    for (int i = 0; i < 100; i++) {
        refuses_fd(foreign);
        gives((void *)(uintptr_t)0x100000, POSIX_FD, hipErrorInvalidValue);
    }
    assert_int_equal(count_fds(), before);
    assert_int_equal(close(foreign), 0);
}

// A prefix of it, as of any memory.
static void no_more_than_the_memory_has_is_mapped(void **state) {
    char *at = reserve(4 * G);
    handle_t handle = create_shared(2 * G);
    int fd = export_fd(handle);
    handle_t twin = import_fd(fd);
    (void)state;
    assert_hip(hipMemMap(at, 3 * G, 0, twin, 0), hipErrorInvalidValue);
    assert_hip_ok(hipMemMap(at, G, 0, twin, 0));
    assert_hip_ok(hipMemUnmap(at, G));
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemRelease(twin));
    assert_hip_ok(hipMemAddressFree(at, 4 * G));
}

static void memory_is_paid_for_by_the_exporter_alone(void **state) {
    handle_t handle = create_shared(16 * G);
    int fd = export_fd(handle);
    handle_t twin = import_fd(fd);
    (void)state;
    assert_free_bytes(0, CAPACITY - 16 * G);
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipMemRelease(twin));
    assert_free_bytes(0, CAPACITY - 16 * G);
    assert_hip_ok(hipMemRelease(handle));
    assert_free_bytes(0, CAPACITY);
}

int main(void) {
    const struct CMUnitTest children[] = {
        cmocka_unit_test(pointers_are_read_safely_where_debugging_is_forbidden),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_arguments_are_refused),
        cmocka_unit_test(types_that_are_not_provided_are_refused),
        cmocka_unit_test(descriptors_that_are_no_export_are_refused),
        cmocka_unit_test(a_copy_of_an_export_without_seals_is_refused),
        cmocka_unit_test(bad_pointers_are_refused),
        cmocka_unit_test(both_conventions_give_the_memory_and_leave_the_descriptor),
        cmocka_unit_test(an_int_need_not_be_aligned),
        cmocka_unit_test(each_import_is_released_once),
        cmocka_unit_test(a_thousand_imports_leak_no_descriptor),
        cmocka_unit_test(refused_imports_leak_no_descriptor),
        cmocka_unit_test(no_more_than_the_memory_has_is_mapped),
        cmocka_unit_test(memory_is_paid_for_by_the_exporter_alone),
    };
    int failed = cmocka_run_group_tests(children, hip_group_setup, NULL);
    return failed + cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
