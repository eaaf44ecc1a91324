// SPDX-License-Identifier: Apache-2.0
// hipMemPoolExportToShareableHandle, hipMemPoolImportFromShareableHandle, hipMemPoolExportPointer,
// hipMemPoolImportPointer: pools of another process. The owner is a process that obeys; the process
// of the tests itself never calls HIP.
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/census.h"
#include "support/hip.h"

#define SIZE   ((size_t)100000)
#define BLOCKS 4

// Requests to the owner about a block. It answers with a byte, and to NEW with the data.
enum { NEW = 'n', READ = 'r', FREE = 'f', TRIM = 't', QUIT = 'q' };

static void need(bool good) {
    if (!good) _exit(4);
}

static hipMemPool_t make_pool(hipMemAllocationHandleType types) {
    hipMemPool_t pool = NULL;
    hipMemPoolProps props;
    memset(&props, 0, sizeof props);
    props.allocType = hipMemAllocationTypePinned;
    props.handleTypes = types;
    props.location.type = hipMemLocationTypeDevice;
    need(hipMemPoolCreate(&pool, &props) == hipSuccess);
    return pool;
}

static void send_fd(int to, int fd) {
    char byte = 0;
    struct iovec data = {&byte, 1};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &fd, sizeof fd);
    need(sendmsg(to, &message, 0) == 1);
}

static int receive_fd(int from) {
    char byte = 0;
    int fd = -1;
    struct iovec data = {&byte, 1};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    assert_int_equal(recvmsg(from, &message, 0), 1);
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
    return fd;
}

static void obey(int socket) {
    hipMemPool_t pool = make_pool(hipMemHandleTypePosixFileDescriptor);
    unsigned char *blocks[BLOCKS] = {NULL};
    hipMemPoolPtrExportData data;
    unsigned char order[2];
    int fd = -1;
    need(hipMemPoolExportToShareableHandle(&fd, pool, hipMemHandleTypePosixFileDescriptor, 0) ==
         hipSuccess);
    send_fd(socket, fd);
    need(close(fd) == 0);
    while (read(socket, order, 2) == 2 && order[0] != QUIT) {
        unsigned char **block = &blocks[order[1] % BLOCKS];
        unsigned char answer = 1;
        switch (order[0]) {
        case NEW:
            need(hipMallocFromPoolAsync((void **)block, SIZE, pool, NULL) == hipSuccess);
            need(hipMemset(*block, 10 + order[1], SIZE) == hipSuccess);
            need(hipDeviceSynchronize() == hipSuccess);
            need(hipMemPoolExportPointer(&data, *block) == hipSuccess);
            need(write(socket, &data, sizeof data) == (ssize_t)sizeof data);
            continue;
        case READ:
            need(hipMemcpy(&answer, *block + SIZE - 1, 1, hipMemcpyDeviceToHost) == hipSuccess);
            break;
        case FREE: need(hipFree(*block) == hipSuccess); break;
        case TRIM: need(hipMemPoolTrimTo(pool, 0) == hipSuccess); break;
        default: need(false);
        }
        need(write(socket, &answer, 1) == 1);
    }
    _exit(0);
}

struct owner {
    int socket;
    pid_t pid;
};

static unsigned char tell(const struct owner *owner, unsigned char what, unsigned char block) {
    const unsigned char order[2] = {what, block};
    unsigned char answer = 0;
    assert_int_equal(write(owner->socket, order, 2), 2);
    assert_int_equal(read(owner->socket, &answer, 1), 1);
    return answer;
}

static hipMemPoolPtrExportData new_block(const struct owner *owner, unsigned char block) {
    const unsigned char order[2] = {NEW, block};
    hipMemPoolPtrExportData data;
    assert_int_equal(write(owner->socket, order, 2), 2);
    assert_int_equal(read(owner->socket, &data, sizeof data), sizeof data);
    return data;
}

static void with_owner(void (*body)(void *owner)) {
    int sockets[2];
    struct owner owner;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    owner.pid = fork();
    assert_true(owner.pid >= 0);
    if (owner.pid == 0) {
        close(sockets[0]);
        obey(sockets[1]);
    }
    close(sockets[1]);
    owner.socket = sockets[0];
    hip_in_child(body, &owner, NULL);
    close(owner.socket);
    (void)waitpid(owner.pid, NULL, 0);
}

// ---- the process that imports

static hipMemPool_t open_pool(const struct owner *owner) {
    hipMemPool_t pool = NULL;
    int fd = receive_fd(owner->socket);
    assert_hip_ok(hipMemPoolImportFromShareableHandle(&pool, (void *)(uintptr_t)fd,
                                                      hipMemHandleTypePosixFileDescriptor, 0));
    assert_int_equal(close(fd), 0);
    return pool;
}

static unsigned char *open_block(hipMemPool_t pool, hipMemPoolPtrExportData *data) {
    void *ptr = NULL;
    assert_hip_ok(hipMemPoolImportPointer(&ptr, pool, data));
    assert_non_null(ptr);
    return ptr;
}

static unsigned char byte_at(const unsigned char *ptr) {
    unsigned char byte = 0;
    assert_hip_ok(hipMemcpy(&byte, ptr, 1, hipMemcpyDeviceToHost));
    return byte;
}

static void share_bytes(void *arg) {
    const struct owner *owner = arg;
    hipMemPool_t pool = open_pool(owner);
    hipMemPoolPtrExportData data[BLOCKS];
    unsigned char *blocks[BLOCKS];
    hipPointerAttribute_t attributes;
    hipDeviceptr_t base = NULL;
    size_t size = 0;
    for (unsigned char i = 0; i < BLOCKS; i++) { // later blocks than the import of the pool
        data[i] = new_block(owner, i);
        blocks[i] = open_block(pool, &data[i]);
        assert_int_equal(byte_at(blocks[i]), 10 + i);
        assert_int_equal(byte_at(blocks[i] + SIZE - 1), 10 + i);
    }
    assert_hip_ok(hipMemset(blocks[1] + SIZE - 1, 77, 1));
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(tell(owner, READ, 1), 77);
    assert_int_equal(tell(owner, READ, 2), 12);
    assert_hip_ok(hipMemGetAddressRange(&base, &size, blocks[2] + 5));
    assert_ptr_equal(base, blocks[2]);
    assert_int_equal(size, SIZE);
    assert_hip_ok(hipPointerGetAttributes(&attributes, blocks[2]));
    assert_int_equal(attributes.type, hipMemoryTypeDevice);
    for (int i = 0; i < BLOCKS; i++) // in another order than they came
        assert_hip_ok(hipFree(blocks[(i * 3 + 1) % BLOCKS]));
    assert_hip(hipFree(blocks[0]), hipErrorInvalidValue);
    assert_hip_ok(hipMemPoolDestroy(pool));
}

static void an_imported_pointer_leads_to_the_owners_bytes(void **state) {
    (void)state;
    with_owner(share_bytes);
}

static void import_twice(void *arg) {
    const struct owner *owner = arg;
    hipMemPool_t pool = open_pool(owner);
    hipMemPoolPtrExportData data = new_block(owner, 0);
    unsigned char *first = open_block(pool, &data);
    unsigned char *second = open_block(pool, &data);
    assert_ptr_not_equal(first, second);
    assert_hip_ok(hipMemset(first, 5, 1));
    assert_hip_ok(hipDeviceSynchronize());
    assert_int_equal(byte_at(second), 5);
    assert_hip_ok(hipFree(first));
    assert_int_equal(byte_at(second), 5);
    assert_hip_ok(hipFreeAsync(second, NULL));
    assert_hip_ok(hipMemPoolDestroy(pool));
}

static void a_pointer_imported_twice_is_freed_twice(void **state) {
    (void)state;
    with_owner(import_twice);
}

static void outlive(void *arg) {
    const struct owner *owner = arg;
    struct census before;
    hipMemPool_t pool = open_pool(owner);
    hipMemPoolPtrExportData data = new_block(owner, 3);
    hipMemPoolPtrExportData gone = new_block(owner, 2);
    unsigned char *block = open_block(pool, &data);
    void *none = NULL;
    assert_int_equal(kill(owner->pid, SIGKILL), 0);
    assert_int_equal(byte_at(block), 13);
    while (hipMemPoolImportPointer(&none, pool, &gone) == hipSuccess) { // it is still ending
        assert_hip_ok(hipFree(none));
        none = NULL;
    }
    assert_null(none);
    before = census_take();
    assert_hip(hipMemPoolImportPointer(&none, pool, &gone), hipErrorOutOfMemory);
    census_no_growth(&before, 0, 1 << 20);
    assert_hip_ok(hipMemPoolDestroy(pool)); // before its pointer
    assert_int_equal(byte_at(block), 13);
    assert_hip_ok(hipFree(block));
}

static void an_imported_block_outlives_its_owner(void **state) {
    (void)state;
    with_owner(outlive);
}

static void see_a_trim(void *arg) {
    const struct owner *owner = arg;
    hipMemPool_t pool = open_pool(owner);
    hipMemPoolPtrExportData data = new_block(owner, 0);
    unsigned char *block = open_block(pool, &data);
    void *again = NULL;
    (void)tell(owner, FREE, 0);
    (void)tell(owner, TRIM, 0);
    assert_int_equal(byte_at(block), 10); // the mapping stays
    assert_hip(hipMemPoolImportPointer(&again, pool, &data), hipErrorOutOfMemory);
    data = new_block(owner, 1); // in a new segment
    assert_hip_ok(hipMemPoolImportPointer(&again, pool, &data));
    assert_int_equal(byte_at(again), 11);
    assert_hip_ok(hipFree(again));
    assert_hip_ok(hipFree(block));
    assert_hip_ok(hipMemPoolDestroy(pool));
}

static void memory_that_the_owner_released_is_not_imported(void **state) {
    (void)state;
    with_owner(see_a_trim);
}

static void reset_it(void *arg) {
    const struct owner *owner = arg;
    hipMemPool_t pool = open_pool(owner);
    hipMemPoolPtrExportData data = new_block(owner, 0);
    hipMemPoolPtrExportData more = new_block(owner, 1);
    unsigned char *block = open_block(pool, &more);
    assert_hip_ok(hipDeviceReset());
    assert_hip(hipFree(block), hipErrorInvalidValue);
    assert_hip(hipMemPoolImportPointer((void **)&block, pool, &data), hipErrorInvalidValue);
}

static void a_reset_ends_imported_pools_and_pointers(void **state) {
    (void)state;
    with_owner(reset_it);
}

static void be_refused(void *arg) {
    hipMemPool_t shared = make_pool(hipMemHandleTypePosixFileDescriptor);
    hipMemPool_t plain = make_pool(hipMemHandleTypeNone);
    hipMemPool_t imported = NULL;
    hipMemPoolPtrExportData data;
    const hipMemAllocationHandleType fd_type = hipMemHandleTypePosixFileDescriptor;
    void *block = NULL;
    void *other = NULL;
    int fd = -1;
    int ends[2];
    (void)arg;
    assert_hip(hipMemPoolExportToShareableHandle(&fd, shared, hipMemHandleTypeNone, 0),
               hipErrorInvalidValue);
    assert_hip(hipMemPoolExportToShareableHandle(&fd, shared, fd_type, 1), hipErrorInvalidValue);
    assert_hip(hipMemPoolExportToShareableHandle(NULL, shared, fd_type, 0), hipErrorInvalidValue);
    assert_hip(hipMemPoolExportToShareableHandle(&fd, plain, fd_type, 0), hipErrorInvalidValue);
    assert_hip_ok(hipMemPoolExportToShareableHandle(&fd, shared, fd_type, 0));
    assert_int_equal(pipe(ends), 0);
    assert_hip(
        hipMemPoolImportFromShareableHandle(&imported, (void *)(uintptr_t)ends[0], fd_type, 0),
        hipErrorOutOfMemory);
    assert_hip(hipMemPoolImportFromShareableHandle(&imported, NULL, fd_type, 0),
               hipErrorInvalidValue);
    assert_hip(hipMemPoolImportFromShareableHandle(&imported, (void *)(uintptr_t)fd,
                                                   hipMemHandleTypeNone, 0),
               hipErrorInvalidValue);
    assert_hip_ok(
        hipMemPoolImportFromShareableHandle(&imported, (void *)(uintptr_t)fd, fd_type, 0));
    assert_hip(hipMallocFromPoolAsync(&block, 64, imported, NULL), hipErrorInvalidValue);
    assert_hip(hipMemPoolExportToShareableHandle(&fd, imported, fd_type, 0), hipErrorInvalidValue);
    assert_hip_ok(hipMallocFromPoolAsync(&block, SIZE, shared, NULL));
    assert_hip_ok(hipMallocFromPoolAsync(&other, SIZE, plain, NULL));
    assert_hip(hipMemPoolExportPointer(&data, other), hipErrorInvalidValue);
    assert_hip(hipMemPoolExportPointer(&data, &fd), hipErrorOutOfMemory);
    assert_hip(hipMemPoolExportPointer(NULL, block), hipErrorInvalidValue);
    assert_hip_ok(hipMemPoolExportPointer(&data, block));
    assert_hip(hipMemPoolImportPointer(NULL, imported, &data), hipErrorInvalidValue);
    assert_hip(hipMemPoolImportPointer(&other, imported, NULL), hipErrorInvalidValue);
    for (size_t i = 0; i < 43; i++) { // low bytes of the offset and size may name other memory
        void *ptr = NULL;
        bool tells = i < 24 || (i & 7u) == 7 || i >= 40;
        data.reserved[i] ^= 0x80u;
        if (tells) assert_hip(hipMemPoolImportPointer(&ptr, imported, &data), hipErrorOutOfMemory);
        data.reserved[i] ^= 0x80u;
    }
    close(fd);
}

static void give_rights(void *arg) {
    hipMemPool_t pool = make_pool(hipMemHandleTypePosixFileDescriptor);
    hipMemAccessDesc desc = {{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
    hipMemAccessFlags flags = hipMemAccessFlagsProtNone;
    (void)arg;
    assert_hip_ok(hipMemPoolSetAccess(pool, &desc, 1));
    assert_hip_ok(hipMemPoolGetAccess(&flags, pool, &desc.location));
    assert_int_equal(flags, hipMemAccessFlagsProtReadWrite);
    desc.location.id = 1;
    assert_hip(hipMemPoolSetAccess(pool, &desc, 1), hipErrorNotSupported);
    assert_hip_ok(hipMemPoolGetAccess(&flags, pool, &desc.location));
    assert_int_equal(flags, hipMemAccessFlagsProtNone);
    assert_hip_ok(hipMemPoolDestroy(pool));
}

static void a_shared_pool_has_the_rights_of_plain_memory(void **state) {
    (void)state;
    hip_in_child(give_rights, NULL, NULL);
}

static int export_pool(hipMemPool_t pool) {
    int fd = -1;
    assert_hip_ok(
        hipMemPoolExportToShareableHandle(&fd, pool, hipMemHandleTypePosixFileDescriptor, 0));
    return fd;
}

static void export_to_own_descriptors(void *arg) {
    hipMemPool_t pool = make_pool(hipMemHandleTypePosixFileDescriptor);
    int first = export_pool(pool);
    int second = export_pool(pool);
    (void)arg;
    assert_int_not_equal(first, second);
    assert_int_equal(close(first), 0);
    assert_int_equal(close(second), 0); // each is the caller's
    assert_hip_ok(hipMemPoolDestroy(pool));
}

static void level_7_exports_to_a_new_descriptor_each_time(void **state) {
    (void)state;
    hip_in_child(export_to_own_descriptors, NULL, "TARN_HIP_COMPAT", "7", NULL);
}

// Once it is closed, another file may have the number.
static void export_to_one_descriptor(void *arg) {
    hipMemPool_t pool = make_pool(hipMemHandleTypePosixFileDescriptor);
    int first = export_pool(pool);
    int ends[2];
    (void)arg;
    assert_int_equal(export_pool(pool), first);
    assert_int_equal(close(first), 0);
    assert_int_equal(pipe(ends), 0);
    int second = export_pool(pool);
    assert_int_not_equal(second, ends[0]);
    assert_int_not_equal(second, ends[1]);
    assert_int_equal(close(second), 0);
    assert_hip_ok(hipMemPoolDestroy(pool));
}

static void level_6_exports_to_the_same_descriptor_until_it_is_closed(void **state) {
    (void)state;
    hip_in_child(export_to_one_descriptor, NULL, "TARN_HIP_COMPAT", "6", NULL);
}

static void bad_pools_and_pointers_are_refused(void **state) {
    (void)state;
    hip_in_child(be_refused, NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_imported_pointer_leads_to_the_owners_bytes),
        cmocka_unit_test(level_7_exports_to_a_new_descriptor_each_time),
        cmocka_unit_test(level_6_exports_to_the_same_descriptor_until_it_is_closed),
        cmocka_unit_test(a_pointer_imported_twice_is_freed_twice),
        cmocka_unit_test(an_imported_block_outlives_its_owner),
        cmocka_unit_test(memory_that_the_owner_released_is_not_imported),
        cmocka_unit_test(a_reset_ends_imported_pools_and_pointers),
        cmocka_unit_test(a_shared_pool_has_the_rights_of_plain_memory),
        cmocka_unit_test(bad_pools_and_pointers_are_refused),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
