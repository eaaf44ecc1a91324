// SPDX-License-Identifier: Apache-2.0
// A client's pattern: NCCL and RCCL. They free by asking: retain the handle of an address, learn
// the size from the address range, and let go twice. They walk a buffer of the user's segment by
// segment, and put the segments of all ranks into one flat reservation.
#include <unistd.h>

#include "support/partner.h"
#include "support/vmm.h"

enum { SEGMENTS = 5 };

static const size_t segment_sizes[SEGMENTS] = {2 * G, G, 4 * G, G, 3 * G};
#define BUFFER (11 * G)

// Asks for more kinds of handles than there may be, then for what there is.
static handle_t create_for_peers(hipMemLocation location, size_t size) {
    hipMemAllocationProp prop = prop_on(0);
    handle_t handle = NULL;
    prop.location = location;
    prop.requestedHandleType =
        (hipMemAllocationHandleType)(hipMemHandleTypePosixFileDescriptor | hipMemHandleTypeFabric);
    hipError_t error = hipMemCreate(&handle, size, &prop, 0);
    if (error == hipErrorNotSupported) {
        prop.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
        error = hipMemCreate(&handle, size, &prop, 0);
    }
    assert_int_equal(error, hipSuccess);
    return handle;
}

static char *alloc_at(hipMemLocation location, size_t size) {
    handle_t handle = create_for_peers(location, size);
    void *at = NULL;
    assert_hip_ok(hipMemAddressReserve(&at, size, G, NULL, 0));
    assert_hip_ok(hipMemMap(at, size, 0, handle, 0));
    grant(at, size, 0, READ_WRITE);
    grant(at, size, 1, READ_WRITE);
    return at; // the handle is not kept: it is asked for when it is needed
}

static void free_by_asking(char *at) {
    handle_t handle = NULL;
    size_t size = 0;
    assert_hip_ok(hipMemRetainAllocationHandle(&handle, at));
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemGetAddressRange(NULL, &size, at));
    assert_hip_ok(hipMemUnmap(at, size));
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemAddressFree(at, size));
}

static void a_block_is_freed_by_its_address_alone(void **state) {
    static const hipMemLocation device_1 = {hipMemLocationTypeDevice, 1};
    static const size_t sizes[] = {G, 7 * G, 512 * G};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        char *at = alloc_at(device_1, sizes[i]);
        memset(at, 1, sizes[i]);
        assert_free_bytes(1, CAPACITY - sizes[i]);
        free_by_asking(at);
        assert_free_bytes(1, CAPACITY);
    }
}

static void memory_of_the_host_serves_as_well(void **state) {
    static const hipMemLocation node_0 = {hipMemLocationTypeHostNuma, 0};
    (void)state;
    char *at = alloc_at(node_0, 4 * G);
    hipMemAccessDesc desc = {node_0, hipMemAccessFlagsProtReadWrite};
    assert_hip_ok(hipMemSetAccess(at, 4 * G, &desc, 1));
    assert_hip_ok(hipMemset(at, 6, 4 * G));
    assert_int_equal(at[4 * G - 1], 6);
    assert_free_bytes(0, CAPACITY);
    free_by_asking(at);
}

// ---- a buffer of the user's, of segments that are not known beforehand

static char *make_buffer(void) {
    char *base = reserve(BUFFER + 4 * G); // more is reserved than mapped
    char *at = base;
    for (size_t i = 0; i < SEGMENTS; i++) {
        handle_t handle = create_shared(segment_sizes[i]);
        assert_hip_ok(hipMemMap(at, segment_sizes[i], 0, handle, 0));
        assert_hip_ok(hipMemRelease(handle));
        grant(at, segment_sizes[i], 0, READ_WRITE);
        at += segment_sizes[i];
    }
    return base;
}

static void end_buffer(char *base) {
    assert_hip_ok(hipMemUnmap(base, BUFFER));
    assert_hip_ok(hipMemAddressFree(base, BUFFER + 4 * G));
    assert_free_bytes(0, CAPACITY);
}

static void a_buffer_is_walked_segment_by_segment(void **state) {
    hipDeviceptr_t base = NULL;
    size_t size = 0;
    size_t found = 0;
    (void)state;
    char *buffer = make_buffer();
    char *at = buffer + G + 123; // somewhere in the first segment
    assert_hip_ok(hipMemGetAddressRange(&base, &size, at));
    assert_ptr_equal(base, buffer);
    for (at = base; hipMemGetAddressRange(&base, &size, at) == hipSuccess; at += size) {
        assert_ptr_equal(base, at);
        assert_int_equal(size, segment_sizes[found]);
        found++;
    }
    assert_int_equal(found, SEGMENTS);
    assert_ptr_equal(at, buffer + BUFFER);
    assert_hip(hipGetLastError(), hipErrorNotFound); // how the walk ended
    end_buffer(buffer);
}

// The handles of a buffer, retained at addresses inside it; sizes from the address range.
static void retain_all(char *buffer, handle_t *handles) {
    char *at = buffer;
    for (size_t i = 0; i < SEGMENTS; i++) {
        size_t size = 0;
        assert_hip_ok(hipMemRetainAllocationHandle(&handles[i], at + segment_sizes[i] / 2 + 1));
        assert_hip_ok(hipMemGetAddressRange(NULL, &size, at + segment_sizes[i] - 1));
        assert_int_equal(size, segment_sizes[i]);
        at += size;
    }
}

static void map_flat(char *at, const handle_t *handles) {
    for (size_t i = 0; i < SEGMENTS; i++) {
        assert_hip_ok(hipMemMap(at, segment_sizes[i], 0, handles[i], 0));
        grant(at, segment_sizes[i], 0, READ_WRITE);
        assert_hip_ok(hipMemRelease(handles[i]));
        at += segment_sizes[i];
    }
}

// A buffer registered by its owner: the same bytes a second time, in a window of all ranks.
static void a_buffer_lies_in_a_flat_window_too(void **state) {
    enum { RANKS = 4 };
    size_t stride = (size_t)1 << 30;
    handle_t handles[SEGMENTS];
    (void)state;
    char *buffer = make_buffer();
    char *window = reserve(RANKS * stride);
    for (size_t rank = 0; rank < RANKS; rank++) {
        retain_all(buffer, handles);
        map_flat(window + rank * stride, handles);
    }
    for (size_t i = 0; i < BUFFER; i += 1000) {
        buffer[i] = (char)(i / 1000);
        assert_int_equal(window[(i / 1000 % RANKS) * stride + i], (char)(i / 1000));
    }
    assert_hip_ok(hipMemUnmap(buffer, BUFFER)); // the user frees first
    assert_hip_ok(hipMemAddressFree(buffer, BUFFER + 4 * G));
    assert_int_equal(window[stride + 10000], 10);
    for (size_t rank = 0; rank < RANKS; rank++)
        assert_hip_ok(hipMemUnmap(window + rank * stride, BUFFER));
    assert_hip_ok(hipMemAddressFree(window, RANKS * stride));
    assert_free_bytes(0, CAPACITY);
}

// In the end all of the window is unmapped at a stroke, whatever is there: that it is refused is
// expected, and must leave it as it is.
static void a_blanket_unmap_is_refused_and_does_nothing(void **state) {
    handle_t handles[SEGMENTS];
    (void)state;
    char *buffer = make_buffer();
    char *window = reserve((size_t)1 << 30);
    retain_all(buffer, handles);
    map_flat(window + 8 * G, handles);
    assert_hip(hipMemUnmap(window, (size_t)1 << 30), hipErrorInvalidValue);
    window[8 * G] = 5;
    assert_int_equal(buffer[0], 5);
    assert_hip(hipMemAddressFree(window, (size_t)1 << 30), hipErrorInvalidValue);
    assert_hip_ok(hipMemUnmap(window + 8 * G, BUFFER));
    assert_hip_ok(hipMemAddressFree(window, (size_t)1 << 30));
    end_buffer(buffer);
}

// ---- registered with a peer in another process

static void register_buffer(struct partner *peer) {
    handle_t handles[SEGMENTS];
    char *buffer = make_buffer();
    retain_all(buffer, handles);
    for (size_t i = 0; i < SEGMENTS; i++) {
        int fd = export_fd(handles[i]);
        send_fd(peer, fd);
        assert_int_equal(close(fd), 0);
        assert_hip_ok(hipMemRelease(handles[i]));
    }
    memset(buffer, 1, BUFFER);
    say(peer, 's');
    hear(peer, 'r');
    for (size_t i = 0; i < BUFFER; i++) assert_int_equal(buffer[i], 3);
    end_buffer(buffer);
}

static void reduce_into_buffer(struct partner *owner) {
    handle_t handles[SEGMENTS];
    char *window = reserve((size_t)4 << 30);
    char *mine = window + ((size_t)3 << 30);
    for (size_t i = 0; i < SEGMENTS; i++) {
        int fd = receive_fd(owner);
        handles[i] = import_fd(fd);
        assert_int_equal(close(fd), 0);
    }
    map_flat(mine, handles);
    hear(owner, 's');
    for (size_t i = 0; i < BUFFER; i++) mine[i] = (char)(mine[i] + 2);
    say(owner, 'r');
    assert_hip_ok(hipMemUnmap(mine, BUFFER));
    assert_hip_ok(hipMemAddressFree(window, (size_t)4 << 30));
}

static void a_peer_process_works_in_a_registered_buffer(void **state) {
    (void)state;
    play(register_buffer, reduce_into_buffer);
}

int main(void) {
    const struct CMUnitTest children[] = {
        cmocka_unit_test(a_peer_process_works_in_a_registered_buffer),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_freed_by_its_address_alone),
        cmocka_unit_test(memory_of_the_host_serves_as_well),
        cmocka_unit_test(a_buffer_is_walked_segment_by_segment),
        cmocka_unit_test(a_buffer_lies_in_a_flat_window_too),
        cmocka_unit_test(a_blanket_unmap_is_refused_and_does_nothing),
    };
    int failed = cmocka_run_group_tests(children, hip_group_setup, NULL);
    return failed + cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
