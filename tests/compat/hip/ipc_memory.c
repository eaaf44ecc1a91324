// SPDX-License-Identifier: Apache-2.0
// hipIpcGetMemHandle, hipIpcOpenMemHandle, hipIpcCloseMemHandle: device memory of another process.
// Each test has an exporter of its own, a process that obeys, and opens the memory in a second one;
// the process of the tests itself never calls HIP.
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/hip.h"
#include "support/vmm.h"

#define SIZE ((size_t)100000)

// ---- the process that has the memory

// What it is told: a letter, and a byte for WRITE. It answers 1 byte, or a handle to EXPORT.
enum { EXPORT = 'e', WRITE = 'w', READ_LAST = 'r', FREE = 'f', QUIT = 'q' };

static void answer(int fd, const void *data, size_t size) {
    if (write(fd, data, size) != (ssize_t)size) _exit(4);
}

static void obey(int fd) {
    unsigned char order[2];
    unsigned char *ptr = NULL;
    hipIpcMemHandle_t handle;
    if (hipMalloc((void **)&ptr, SIZE) != hipSuccess) _exit(5);
    memset(ptr, 1, SIZE);
    while (read(fd, order, sizeof order) == (ssize_t)sizeof order && order[0] != QUIT) {
        unsigned char good = 1;
        switch (order[0]) {
        case EXPORT:
            memset(&handle, 0, sizeof handle);
            (void)hipIpcGetMemHandle(&handle, ptr + order[1]);
            answer(fd, &handle, sizeof handle);
            continue;
        case WRITE: ptr[SIZE - 1] = order[1]; break;
        case READ_LAST: good = ptr[SIZE - 1]; break;
        case FREE: good = hipFree(ptr) == hipSuccess; break;
        default: _exit(6);
        }
        answer(fd, &good, 1);
    }
    _exit(0);
}

struct exporter {
    int fd;
    pid_t pid;
};

static struct exporter begin(void) {
    int fds[2];
    struct exporter exporter;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    exporter.pid = fork();
    assert_true(exporter.pid >= 0);
    if (exporter.pid == 0) {
        close(fds[0]);
        obey(fds[1]);
    }
    close(fds[1]);
    exporter.fd = fds[0];
    return exporter;
}

static unsigned char tell(const struct exporter *exporter, unsigned char what, unsigned char byte) {
    const unsigned char order[2] = {what, byte};
    unsigned char said = 0;
    assert_int_equal(write(exporter->fd, order, 2), 2);
    assert_int_equal(read(exporter->fd, &said, 1), 1);
    return said;
}

static hipIpcMemHandle_t handle_of(const struct exporter *exporter, unsigned char offset) {
    const unsigned char order[2] = {EXPORT, offset};
    hipIpcMemHandle_t handle;
    assert_int_equal(write(exporter->fd, order, 2), 2);
    assert_int_equal(read(exporter->fd, &handle, sizeof handle), sizeof handle);
    return handle;
}

static void end(const struct exporter *exporter, int signal) {
    int status = 0;
    if (signal != 0) assert_int_equal(kill(exporter->pid, signal), 0);
    close(exporter->fd);
    assert_int_equal(waitpid(exporter->pid, &status, 0), exporter->pid);
    assert_true(signal != 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
}

static void with_exporter(void (*body)(void *exporter)) {
    struct exporter exporter = begin();
    hip_in_child(body, &exporter, NULL);
    end(&exporter, 0);
}

// ---- the process that opens it

static unsigned char *open_it(hipIpcMemHandle_t handle) {
    void *ptr = NULL;
    assert_hip_ok(hipIpcOpenMemHandle(&ptr, handle, hipIpcMemLazyEnablePeerAccess));
    assert_non_null(ptr);
    return ptr;
}

static void both_see_writes(void *arg) {
    struct exporter *exporter = arg;
    size_t before = 0;
    size_t after = 0;
    assert_hip_ok(hipMemGetInfo(&before, NULL));
    unsigned char *ptr = open_it(handle_of(exporter, 0));
    assert_hip_ok(hipMemGetInfo(&after, NULL));
    assert_true(before == after); // it is the exporter's capacity
    assert_int_equal(ptr[0], 1);
    assert_int_equal(tell(exporter, WRITE, 42), 1);
    assert_int_equal(ptr[SIZE - 1], 42);
    ptr[SIZE - 1] = 43;
    assert_int_equal(tell(exporter, READ_LAST, 0), 43);
    assert_hip_ok(hipIpcCloseMemHandle(ptr));
    assert_int_equal(tell(exporter, READ_LAST, 0), 43);
}

static void writes_are_seen_on_both_sides(void **state) {
    (void)state;
    with_exporter(both_see_writes);
}

static void looks_like_device_memory(void *arg) {
    hipPointerAttribute_t attributes;
    hipDeviceptr_t base = NULL;
    size_t size = 0;
    unsigned char *ptr = open_it(handle_of(arg, 0));
    assert_hip_ok(hipPointerGetAttributes(&attributes, ptr + 5));
    assert_int_equal(attributes.type, hipMemoryTypeDevice);
    assert_int_equal(attributes.device, 0);
    assert_ptr_equal(attributes.devicePointer, ptr + 5);
    assert_hip_ok(hipMemGetAddressRange(&base, &size, ptr + SIZE - 1));
    assert_ptr_equal(base, ptr);
    assert_int_equal(size, SIZE);
    assert_hip_ok(hipIpcCloseMemHandle(ptr));
    assert_hip(hipMemGetAddressRange(&base, &size, ptr), hipErrorNotFound);
}

static void opened_memory_is_of_the_device_and_of_its_size(void **state) {
    (void)state;
    with_exporter(looks_like_device_memory);
}

static void only_closing_ends_it(void *arg) {
    hipIpcMemHandle_t handle;
    unsigned char *ptr = open_it(handle_of(arg, 0));
    assert_hip(hipFree(ptr), hipErrorInvalidValue);
    assert_text_names("memory of another process");
    assert_hip(hipHostFree(ptr), hipErrorInvalidValue);
    assert_hip(hipIpcGetMemHandle(&handle, ptr), hipErrorInvalidValue);
    assert_hip(hipIpcCloseMemHandle(ptr + 256), hipErrorInvalidValue);
    assert_int_equal(ptr[SIZE - 1], 1);
    assert_hip_ok(hipIpcCloseMemHandle(ptr));
    assert_hip(hipIpcCloseMemHandle(ptr), hipErrorInvalidValue);
    assert_hip(hipIpcCloseMemHandle(NULL), hipErrorInvalidValue);
    assert_hip(hipIpcCloseMemHandle(arg), hipErrorInvalidValue);
}

static void opened_memory_is_not_freed_nor_given_on(void **state) {
    (void)state;
    with_exporter(only_closing_ends_it);
}

static void counts_openings(void *arg) {
    hipIpcMemHandle_t handle = handle_of(arg, 0);
    unsigned char *first = open_it(handle);
    unsigned char *second = open_it(handle);
    assert_ptr_equal(first, second);
    assert_hip_ok(hipIpcCloseMemHandle(first));
    assert_int_equal(second[0], 1);
    assert_hip_ok(hipSetDevice(1));
    unsigned char *there = open_it(handle);
    assert_ptr_not_equal(there, second);
    second[7] = 7;
    assert_int_equal(there[7], 7);
    assert_hip_ok(hipIpcCloseMemHandle(second));
    assert_hip(hipIpcCloseMemHandle(second), hipErrorInvalidValue);
    assert_int_equal(there[7], 7);
    assert_hip_ok(hipIpcCloseMemHandle(there));
    second = open_it(handle);
    assert_int_equal(second[7], 7);
    assert_hip_ok(hipIpcCloseMemHandle(second));
}

static void each_opening_is_closed_once(void **state) {
    (void)state;
    with_exporter(counts_openings);
}

static void survives_the_free(void *arg) {
    struct exporter *exporter = arg;
    hipIpcMemHandle_t handle = handle_of(exporter, 0);
    void *again = NULL;
    unsigned char *ptr = open_it(handle);
    assert_int_equal(tell(exporter, FREE, 0), 1);
    ptr[SIZE - 1] = 9;
    assert_int_equal(ptr[0], 1);
    assert_hip_ok(hipIpcCloseMemHandle(ptr));
    assert_hip(hipIpcOpenMemHandle(&again, handle, 0), hipErrorInvalidValue);
    assert_null(again);
}

static void memory_outlives_its_free(void **state) {
    (void)state;
    with_exporter(survives_the_free);
}

static void survives_the_exporter(void *arg) {
    struct exporter *exporter = arg;
    hipIpcMemHandle_t handle = handle_of(exporter, 0);
    void *again = NULL;
    char end_of_file = 0;
    unsigned char *ptr = open_it(handle);
    assert_int_equal(tell(exporter, WRITE, 42), 1);
    assert_int_equal(kill(exporter->pid, SIGKILL), 0);
    assert_int_equal(read(exporter->fd, &end_of_file, 1), 0); // it is gone
    assert_int_equal(ptr[SIZE - 1], 42);
    ptr[0] = 5;
    assert_hip_ok(hipIpcCloseMemHandle(ptr));
    assert_hip(hipIpcOpenMemHandle(&again, handle, 0), hipErrorInvalidValue);
}

static void memory_outlives_its_process(void **state) {
    struct exporter exporter = begin();
    (void)state;
    hip_in_child(survives_the_exporter, &exporter, NULL);
    end(&exporter, SIGKILL);
}

static void opens_and_dies(void *arg) {
    unsigned char *ptr = open_it(handle_of(arg, 0));
    ptr[SIZE - 1] = 77;
}

static void an_opener_that_dies_leaves_the_memory(void **state) {
    struct exporter exporter = begin();
    (void)state;
    hip_in_child(opens_and_dies, &exporter, NULL);
    assert_int_equal(tell(&exporter, READ_LAST, 0), 77);
    hip_in_child(both_see_writes, &exporter, NULL);
    assert_int_equal(tell(&exporter, FREE, 0), 1);
    end(&exporter, 0);
}

static void one_handle_for_all_of_it(void *arg) {
    hipIpcMemHandle_t first = handle_of(arg, 0);
    hipIpcMemHandle_t second = handle_of(arg, 200);
    assert_memory_equal(&first, &second, sizeof first);
    unsigned char *ptr = open_it(second); // the start, not the byte asked about
    size_t size = 0;
    assert_hip_ok(hipMemPtrGetInfo(ptr, &size));
    assert_int_equal(size, SIZE);
    assert_hip_ok(hipIpcCloseMemHandle(ptr));
}

static void any_byte_gives_the_handle_of_its_block(void **state) {
    (void)state;
    with_exporter(one_handle_for_all_of_it);
}

static void refuses_forgeries(void *arg) {
    hipIpcMemHandle_t good = handle_of(arg, 0);
    void *ptr = &ptr;
    for (size_t i = 0; i < sizeof good; i++) {
        hipIpcMemHandle_t forged = good;
        forged.reserved[i] ^= 0x11;
        assert_hip(hipIpcOpenMemHandle(&ptr, forged, 0), hipErrorInvalidValue);
    }
    hipIpcMemHandle_t blank;
    memset(&blank, 0, sizeof blank);
    assert_hip(hipIpcOpenMemHandle(&ptr, blank, 0), hipErrorInvalidValue);
    memset(&blank, 0xff, sizeof blank);
    assert_hip(hipIpcOpenMemHandle(&ptr, blank, 0), hipErrorInvalidValue);
    assert_hip(hipIpcOpenMemHandle(NULL, good, 0), hipErrorInvalidValue);
    assert_hip(hipIpcOpenMemHandle(&ptr, good, 2), hipErrorInvalidValue);
    assert_ptr_equal(ptr, &ptr);
    unsigned char *opened = open_it(good);
    assert_hip_ok(hipIpcCloseMemHandle(opened));
}

static void forged_handles_are_refused(void **state) {
    (void)state;
    with_exporter(refuses_forgeries);
}

static void thousand_times(void *arg) {
    const struct exporter *exporter = arg;
    hipIpcMemHandle_t handle = handle_of(exporter, 0);
    int before = dup(exporter->fd);
    assert_true(before >= 0);
    close(before);
    for (int i = 0; i < 1000; i++) assert_hip_ok(hipIpcCloseMemHandle(open_it(handle)));
    int after = dup(exporter->fd);
    close(after);
    assert_int_equal(before, after);
}

static void thousand_openings_leave_no_descriptor(void **state) {
    (void)state;
    with_exporter(thousand_times);
}

// ---- one process alone

static void refuses_what_cannot_be_given(void *arg) {
    hipIpcMemHandle_t handle;
    hipIpcMemHandle_t untouched;
    void *host = NULL;
    void *managed = NULL;
    void *device = NULL;
    char *mapped = reserve(G);
    (void)arg;
    memset(&handle, 0x77, sizeof handle);
    memset(&untouched, 0x77, sizeof untouched);
    map_fresh(mapped, G);
    assert_hip_ok(hipMalloc(&device, SIZE));
    assert_hip_ok(hipHostMalloc(&host, SIZE, 0));
    assert_hip_ok(hipMallocManaged(&managed, SIZE, hipMemAttachGlobal));
    assert_hip(hipIpcGetMemHandle(NULL, device), hipErrorInvalidValue);
    assert_hip(hipIpcGetMemHandle(&handle, NULL), hipErrorInvalidValue);
    assert_hip(hipIpcGetMemHandle(&handle, host), hipErrorInvalidValue);
    assert_hip(hipIpcGetMemHandle(&handle, managed), hipErrorInvalidValue);
    assert_hip(hipIpcGetMemHandle(&handle, mapped), hipErrorInvalidValue);
    assert_hip(hipIpcGetMemHandle(&handle, &handle), hipErrorInvalidValue);
    assert_memory_equal(&handle, &untouched, sizeof handle);
    unmap_and_free(mapped, G);
    assert_hip_ok(hipHostFree(host));
    assert_hip_ok(hipFree(managed));
    assert_hip_ok(hipFree(device));
    assert_hip(hipIpcGetMemHandle(&handle, device), hipErrorInvalidValue);
}

static void only_device_memory_is_given(void **state) {
    (void)state;
    hip_in_child(refuses_what_cannot_be_given, NULL, NULL);
}

static void refuses_its_own(void *arg) {
    hipIpcMemHandle_t handle;
    void *device = NULL;
    void *ptr = &ptr;
    size_t before = 0;
    size_t after = 0;
    (void)arg;
    assert_hip_ok(hipMemGetInfo(&before, NULL));
    assert_hip_ok(hipMalloc(&device, SIZE));
    assert_hip_ok(hipIpcGetMemHandle(&handle, device));
    assert_hip(hipIpcOpenMemHandle(&ptr, handle, 0), hipErrorInvalidContext);
    assert_ptr_equal(ptr, &ptr);
    assert_hip(hipIpcCloseMemHandle(device), hipErrorInvalidValue);
    assert_hip_ok(hipFree(device));
    assert_hip(hipIpcOpenMemHandle(&ptr, handle, 0), hipErrorInvalidValue);
    assert_hip_ok(hipMemGetInfo(&after, NULL));
    assert_true(before == after);
}

static void a_process_does_not_open_its_own(void **state) {
    (void)state;
    hip_in_child(refuses_its_own, NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_are_seen_on_both_sides),
        cmocka_unit_test(opened_memory_is_of_the_device_and_of_its_size),
        cmocka_unit_test(opened_memory_is_not_freed_nor_given_on),
        cmocka_unit_test(each_opening_is_closed_once),
        cmocka_unit_test(memory_outlives_its_free),
        cmocka_unit_test(memory_outlives_its_process),
        cmocka_unit_test(an_opener_that_dies_leaves_the_memory),
        cmocka_unit_test(any_byte_gives_the_handle_of_its_block),
        cmocka_unit_test(forged_handles_are_refused),
        cmocka_unit_test(thousand_openings_leave_no_descriptor),
        cmocka_unit_test(only_device_memory_is_given),
        cmocka_unit_test(a_process_does_not_open_its_own),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
