// SPDX-License-Identifier: Apache-2.0
// Memory that several processes use at once, over descriptors that go from one to the other. The
// process of the tests itself never calls HIP: each part is a process of its own.
#include <unistd.h>

#include "support/partner.h"
#include "support/vmm.h"

#define SIZE (4 * G)
#define INTS (SIZE / sizeof(int))

static int *map_all(handle_t handle, size_t size) {
    char *at = reserve(size);
    assert_hip_ok(hipMemMap(at, size, 0, handle, 0));
    grant(at, size, 0, READ_WRITE);
    return (int *)(void *)at;
}

static void fill_by_copy(int *device, int first) {
    int host[INTS];
    for (size_t i = 0; i < INTS; i++) host[i] = first + (int)i;
    assert_hip_ok(hipMemcpyHtoD(device, host, SIZE));
}

// What a kernel would do: the devices' own bytes are in reach of the CPU.
static void square(int *device) {
    for (size_t i = 0; i < INTS; i++) device[i] *= device[i];
}

static void assert_squares_by_copy(int *device, int first) {
    int host[INTS];
    assert_hip_ok(hipMemcpyDtoH(host, device, SIZE));
    for (size_t i = 0; i < INTS; i++)
        assert_int_equal(host[i], (first + (int)i) * (first + (int)i));
}

static handle_t receive_memory(const struct partner *other) {
    int fd = receive_fd(other);
    handle_t handle = import_fd(fd);
    assert_int_equal(close(fd), 0);
    return handle;
}

static void send_memory(const struct partner *other, handle_t handle) {
    int fd = export_fd(handle);
    send_fd(other, fd);
    assert_int_equal(close(fd), 0);
}

// ---- one uses it (MulProc_ChldUseHdl)

static void give(struct partner *child) {
    handle_t handle = create_shared(SIZE);
    send_memory(child, handle);
    hear(child, 'd');
    assert_hip_ok(hipMemRelease(handle));
    assert_free_bytes(0, CAPACITY);
}

static void use(struct partner *parent) {
    handle_t handle = receive_memory(parent);
    int *at = map_all(handle, SIZE);
    fill_by_copy(at, 10);
    square(at);
    assert_squares_by_copy(at, 10);
    assert_hip_ok(hipMemRelease(handle));
    unmap_and_free(at, SIZE);
    say(parent, 'd');
}

static void a_child_uses_memory_of_its_parent(void **state) {
    (void)state;
    play(give, use);
}

// ---- both use it (MulProc_ParntChldUseHdl)

static void give_and_look(struct partner *child) {
    handle_t handle = create_shared(SIZE);
    int *at = map_all(handle, SIZE);
    assert_hip_ok(hipMemRelease(handle)); // the mapping keeps it
    send_memory(child, handle);
    fill_by_copy(at, 3);
    say(child, 'f');
    hear(child, 's');
    assert_squares_by_copy(at, 3);
    for (int i = 0; i < 100; i++) {
        at[i] = i;
        say(child, 'w');
        hear(child, 'w');
        assert_int_equal(at[i], -i);
    }
    unmap_and_free(at, SIZE);
}

static void square_for_the_other(struct partner *parent) {
    handle_t handle = receive_memory(parent);
    int *at = map_all(handle, SIZE);
    hear(parent, 'f');
    square(at);
    say(parent, 's');
    for (int i = 0; i < 100; i++) {
        hear(parent, 'w');
        assert_int_equal(at[i], i);
        at[i] = -i;
        say(parent, 'w');
    }
    unmap_and_free(at, SIZE);
    assert_hip_ok(hipMemRelease(handle));
}

static void parent_and_child_see_each_others_writes(void **state) {
    (void)state;
    play(give_and_look, square_for_the_other);
}

// ---- a grandchild uses it (MulProc_GrndChldUseHdl), given on by a child that has imported it

static void give_on(struct partner *parent) {
    struct partner grandchild = partner_begin(square_for_the_other);
    handle_t handle = receive_memory(parent);
    send_memory(&grandchild, handle); // an export of an import
    assert_hip_ok(hipMemRelease(handle));
    hear(parent, 'f');
    say(&grandchild, 'f');
    hear(&grandchild, 's');
    say(parent, 's');
    for (int i = 0; i < 100; i++) {
        hear(parent, 'w');
        say(&grandchild, 'w');
        hear(&grandchild, 'w');
        say(parent, 'w');
    }
    partner_end(&grandchild);
}

static void an_importer_gives_it_on_to_a_grandchild(void **state) {
    (void)state;
    play(give_and_look, give_on);
}

// A child that is no user of HIP passes the descriptor itself.
static void pass_on(struct partner *parent) {
    struct partner grandchild = partner_begin(use);
    int fd = receive_fd(parent);
    send_fd(&grandchild, fd);
    assert_int_equal(close(fd), 0);
    hear(&grandchild, 'd');
    say(parent, 'd');
    partner_end(&grandchild);
}

static void a_grandchild_uses_what_a_child_without_hip_passed_on(void **state) {
    (void)state;
    play(give, pass_on);
}

// ---- and home again

static void give_and_take_back(struct partner *child) {
    handle_t handle = create_shared(SIZE);
    int *at = map_all(handle, SIZE);
    send_memory(child, handle);
    handle_t returned = receive_memory(child);
    int *alias = map_all(returned, SIZE);
    assert_int_equal(alias[7], 77);
    alias[8] = 88;
    assert_int_equal(at[8], 88);
    assert_free_bytes(0, CAPACITY - SIZE); // one memory
    assert_hip_ok(hipMemRelease(returned));
    assert_hip_ok(hipMemRelease(handle));
    unmap_and_free(at, SIZE);
    assert_int_equal(alias[8], 88);
    unmap_and_free(alias, SIZE);
    assert_free_bytes(0, CAPACITY);
}

static void write_and_return(struct partner *parent) {
    handle_t handle = receive_memory(parent);
    int *at = map_all(handle, SIZE);
    at[7] = 77;
    unmap_and_free(at, SIZE);
    send_memory(parent, handle);
    assert_hip_ok(hipMemRelease(handle));
}

static void an_exporter_imports_its_own_memory_from_an_importer(void **state) {
    (void)state;
    play(give_and_take_back, write_and_return);
}

// ---- several imports in one process

static void give_numbered(struct partner *child) {
    handle_t handle = create_shared(SIZE);
    int *at = map_all(handle, SIZE);
    for (size_t page = 0; page < SIZE / G; page++) at[page * G / sizeof(int)] = 100 + (int)page;
    send_memory(child, handle);
    hear(child, 'd');
    assert_int_equal(at[INTS - 1], 42);
    unmap_and_free(at, SIZE);
    assert_hip_ok(hipMemRelease(handle));
}

// The descriptor is no one's but the caller's: it stays good, and whatever is imported lives by
// itself.
static void import_thrice(struct partner *parent) {
    int fd = receive_fd(parent);
    handle_t handles[3];
    int *at[3];
    for (size_t i = 0; i < 3; i++) {
        handles[i] = import_fd(fd);
        at[i] = map_all(handles[i], SIZE);
        assert_int_equal(at[i][0], 100);
    }
    assert_int_equal(close(fd), 0);
    at[0][1] = 5;
    assert_int_equal(at[2][1], 5);
    for (size_t i = 0; i < 3; i++) {
        at[2][INTS - 1] = 40 + (int)i;
        unmap_and_free(at[i], SIZE);
        assert_hip_ok(hipMemRelease(handles[i]));
    }
    say(parent, 'd');
}

static void imports_of_one_descriptor_live_apart(void **state) {
    (void)state;
    play(give_numbered, import_thrice);
}

// ---- how the descriptor is named, and how much is mapped

static void import_by_pointer_and_by_value(struct partner *parent) {
    int fd[2] = {-1, receive_fd(parent)};
    handle_t by_pointer = NULL;
    assert_hip_ok(
        hipMemImportFromShareableHandle(&by_pointer, &fd[1], hipMemHandleTypePosixFileDescriptor));
    handle_t by_value = import_fd(fd[1]);
    assert_int_equal(close(fd[1]), 0);
    int *one = map_all(by_pointer, SIZE);
    int *two = map_all(by_value, SIZE);
    assert_int_equal(one[0], 100);
    one[INTS - 1] = 42;
    assert_int_equal(two[INTS - 1], 42);
    unmap_and_free(one, SIZE);
    unmap_and_free(two, SIZE);
    assert_hip_ok(hipMemRelease(by_pointer));
    assert_hip_ok(hipMemRelease(by_value));
    say(parent, 'd');
}

static void both_conventions_work_between_processes(void **state) {
    (void)state;
    play(give_numbered, import_by_pointer_and_by_value);
}

// Descriptor 0 is no export of ours, but the kernel gives it to a receiver without standard input.
// By value it is NULL; by pointer it is a descriptor like any other.
static void import_descriptor_0(struct partner *parent) {
    handle_t handle = NULL;
    assert_int_equal(close(0), 0);
    int fd = receive_fd(parent);
    assert_int_equal(fd, 0);
    assert_hip(hipMemImportFromShareableHandle(&handle, NULL, hipMemHandleTypePosixFileDescriptor),
               hipErrorInvalidValue);
    assert_hip_ok(
        hipMemImportFromShareableHandle(&handle, &fd, hipMemHandleTypePosixFileDescriptor));
    assert_int_equal(close(fd), 0);
    int *at = map_all(handle, SIZE);
    at[INTS - 1] = 42;
    assert_int_equal(close(export_fd(handle)), 0); // that of an import is none of 0, 1, 2 either
    unmap_and_free(at, SIZE);
    assert_hip_ok(hipMemRelease(handle));
    say(parent, 'd');
}

static void without_standard_input_memory_comes_and_goes(void **state) {
    (void)state;
    play(give_numbered, import_descriptor_0);
}

static void map_less(struct partner *parent) {
    handle_t handle = receive_memory(parent);
    char *at = reserve(8 * G);
    assert_hip(hipMemMap(at, SIZE + G, 0, handle, 0), hipErrorInvalidValue);
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    assert_hip_ok(hipMemMap(at + G, 3 * G, 0, handle, 0));
    assert_hip_ok(hipMemMap(at + 4 * G, SIZE, 0, handle, 0));
    assert_hip_ok(hipMemRelease(handle));
    grant(at, 8 * G, 0, READ_WRITE);
    assert_int_equal(*(int *)(void *)at, 100);
    assert_int_equal(*(int *)(void *)(at + G), 100); // always from its beginning
    assert_int_equal(*(int *)(void *)(at + 3 * G), 102);
    assert_int_equal(*(int *)(void *)(at + 7 * G), 103);
    *(int *)(void *)(at + 8 * G - sizeof(int)) = 42;
    unmap_and_free(at, 8 * G);
    say(parent, 'd');
}

static void an_importer_maps_as_much_as_it_wants(void **state) {
    (void)state;
    play(give_numbered, map_less);
}

// Rights are of each process: what the exporter may only read, the importer may write.
static void give_what_it_may_not_write(struct partner *child) {
    handle_t handle = create_shared(SIZE);
    char *at = reserve(SIZE);
    assert_hip_ok(hipMemMap(at, SIZE, 0, handle, 0));
    grant(at, SIZE, 0, READ);
    send_memory(child, handle);
    hear(child, 'd');
    assert_int_equal(((int *)(void *)at)[0], 100); // square of what the child copied
    assert_int_equal(rights(at, 0), READ);
    assert_int_equal(rights(at, 1), NONE);
    assert_hip_ok(hipMemRelease(handle));
    unmap_and_free(at, SIZE);
}

static void rights_are_of_each_process(void **state) {
    (void)state;
    play(give_what_it_may_not_write, use);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_child_uses_memory_of_its_parent),
        cmocka_unit_test(parent_and_child_see_each_others_writes),
        cmocka_unit_test(an_importer_gives_it_on_to_a_grandchild),
        cmocka_unit_test(a_grandchild_uses_what_a_child_without_hip_passed_on),
        cmocka_unit_test(an_exporter_imports_its_own_memory_from_an_importer),
        cmocka_unit_test(imports_of_one_descriptor_live_apart),
        cmocka_unit_test(both_conventions_work_between_processes),
        cmocka_unit_test(without_standard_input_memory_comes_and_goes),
        cmocka_unit_test(an_importer_maps_as_much_as_it_wants),
        cmocka_unit_test(rights_are_of_each_process),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
