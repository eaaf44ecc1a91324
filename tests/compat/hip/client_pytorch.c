// SPDX-License-Identifier: Apache-2.0
// A client's pattern: expandable segments, as PyTorch's allocator has them. A segment reserves more
// than the device has, and grows and shrinks in slots of 2 or 20 MiB, each memory of its own; gaps
// are filled from the lowest address on. When a slot cannot be had, those just created are given
// back and something else is tried.
#include <errno.h>
#include <unistd.h>

#include "support/census.h"
#include "support/partner.h"
#include "support/vmm.h"

#define MIB ((size_t)1 << 20)

enum { SLOTS_MAX = 600 };

struct segment {
    char *base;
    size_t slot;
    size_t slots; // places for them
    int device;
    handle_t handles[SLOTS_MAX]; // NULL: nothing is mapped there
};

static void open_segment(struct segment *segment, int device, size_t slot) {
    size_t total = 0;
    memset(segment, 0, sizeof *segment);
    assert_hip_ok(hipSetDevice(device));
    assert_hip_ok(hipMemGetInfo(NULL, &total));
    segment->slot = slot;
    segment->slots = (total + total / 8 + slot - 1) / slot;
    segment->device = device;
    assert_true(segment->slots <= SLOTS_MAX);
    segment->base = reserve(segment->slots * slot);
}

static char *slot_at(const struct segment *segment, size_t slot) {
    return segment->base + slot * segment->slot;
}

// Memory for `count` slots from `first` on, or none at all.
static bool create_slots(struct segment *segment, size_t first, size_t count) {
    hipMemAllocationProp prop = prop_on(segment->device);
    prop.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
    for (size_t i = first; i < first + count; i++) {
        hipError_t error = hipMemCreate(&segment->handles[i], segment->slot, &prop, 0);
        if (error != hipSuccess) {
            assert_int_equal(error, hipErrorOutOfMemory);
            assert_hip(hipGetLastError(), hipErrorOutOfMemory);
            while (i-- > first) {
                assert_hip_ok(hipMemRelease(segment->handles[i]));
                segment->handles[i] = NULL;
            }
            return false;
        }
    }
    return true;
}

static bool grow(struct segment *segment, size_t first, size_t count) {
    if (!create_slots(segment, first, count)) return false;
    for (size_t i = first; i < first + count; i++)
        assert_hip_ok(hipMemMap(slot_at(segment, i), segment->slot, 0, segment->handles[i], 0));
    grant(slot_at(segment, first), count * segment->slot, segment->device, READ_WRITE);
    grant(slot_at(segment, first), count * segment->slot, 1 - segment->device, READ_WRITE); // peer
    return true;
}

static void shrink(struct segment *segment, size_t first, size_t count) {
    assert_hip_ok(hipDeviceSynchronize());
    for (size_t i = first; i < first + count; i++) {
        assert_hip_ok(hipMemUnmap(slot_at(segment, i), segment->slot));
        assert_hip_ok(hipMemRelease(segment->handles[i]));
        segment->handles[i] = NULL;
    }
}

// Fills the first gap that there is, from its lowest slot on. Returns the slot.
static size_t fill_lowest(struct segment *segment) {
    size_t slot = 0;
    while (segment->handles[slot] != NULL) slot++;
    assert_true(grow(segment, slot, 1));
    return slot;
}

static void close_segment(struct segment *segment) {
    for (size_t i = 0; i < segment->slots; i++)
        if (segment->handles[i] != NULL) shrink(segment, i, 1);
    assert_hip_ok(hipMemAddressFree(segment->base, segment->slots * segment->slot));
}

static void assert_free(size_t bytes) {
    size_t free_bytes = 0;
    assert_hip_ok(hipMemGetInfo(&free_bytes, NULL));
    assert_int_equal(free_bytes, bytes);
}

// One byte of each slot, so that a test of the whole device touches little.
static void mark(struct segment *segment, size_t slot, int mark) {
    assert_hip_ok(hipMemset(slot_at(segment, slot) + slot, mark, 1));
}

static int mark_of(struct segment *segment, size_t slot) {
    unsigned char byte = 0;
    assert_hip_ok(hipMemcpy(&byte, slot_at(segment, slot) + slot, 1, hipMemcpyDeviceToHost));
    return byte;
}

// ---- one segment

static void a_segment_grows_to_all_of_the_device_and_no_further(void **state) {
    static struct segment segment;
    (void)state;
    open_segment(&segment, 0, 2 * MIB);
    assert_int_equal(segment.slots, 576);
    for (size_t i = 0; i < 512; i += 8) {
        assert_true(grow(&segment, i, 8));
        mark(&segment, i, (int)(i / 8));
    }
    assert_free(0);
    assert_false(grow(&segment, 512, 8));
    assert_null(segment.handles[512]);
    for (size_t i = 0; i < 512; i += 8) assert_int_equal(mark_of(&segment, i), i / 8);
    close_segment(&segment);
    assert_free(CAPACITY);
}

static void gaps_are_refilled_from_the_lowest_address_on(void **state) {
    static struct segment segment;
    (void)state;
    open_segment(&segment, 1, 20 * MIB);
    assert_int_equal(segment.slots, 58);
    assert_true(grow(&segment, 0, 50));
    for (size_t i = 0; i < 50; i++) mark(&segment, i, 1 + (int)i);
    shrink(&segment, 40, 3);
    shrink(&segment, 7, 2);
    shrink(&segment, 20, 1);
    static const size_t expected[] = {7, 8, 20, 40, 41, 42, 50};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_int_equal(fill_lowest(&segment), expected[i]);
        mark(&segment, expected[i], 1 + (int)expected[i]);
    }
    for (size_t i = 0; i <= 50; i++) {
        assert_int_equal(mark_of(&segment, i), 1 + i);
        assert_int_equal(rights(slot_at(&segment, i), 0), READ_WRITE);
        assert_int_equal(rights(slot_at(&segment, i), 1), READ_WRITE);
    }
    close_segment(&segment);
    assert_free(CAPACITY);
    assert_hip_ok(hipSetDevice(0));
}

// A tensor lies where it lies: borders of slots are nothing to copies.
static void copies_cross_slots(void **state) {
    static struct segment segment;
    char host[256];
    (void)state;
    open_segment(&segment, 0, 2 * MIB);
    assert_true(grow(&segment, 3, 2));
    assert_true(grow(&segment, 5, 1));
    memset(host, 9, sizeof host);
    char *border = slot_at(&segment, 4) - 100;
    assert_hip_ok(hipMemcpy(border, host, 256, hipMemcpyHostToDevice));
    assert_hip_ok(hipMemcpy(border + 2 * MIB, border, 256, hipMemcpyDeviceToDevice));
    memset(host, 0, sizeof host);
    assert_hip_ok(hipMemcpyAsync(host, border + 2 * MIB, 256, hipMemcpyDeviceToHost, NULL));
    assert_hip_ok(hipStreamSynchronize(NULL));
    assert_int_equal(host[0], 9);
    assert_int_equal(host[255], 9);
    assert_hip(hipMemcpy(host, slot_at(&segment, 6) - 100, 256, hipMemcpyDeviceToHost),
               hipErrorInvalidValue); // the end of what is mapped
    close_segment(&segment);
}

// ---- several segments on one device

static void what_one_segment_gives_back_another_can_have(void **state) {
    static struct segment small;
    static struct segment large;
    (void)state;
    open_segment(&small, 0, 2 * MIB);
    open_segment(&large, 0, 20 * MIB);
    assert_true(grow(&large, 0, 40));
    assert_true(grow(&small, 0, 100));
    assert_free(24 * MIB);
    assert_false(grow(&large, 40, 2)); // the first of the two could be had
    assert_free(24 * MIB);             // and is given back
    assert_null(large.handles[40]);
    assert_true(grow(&large, 40, 1));
    assert_false(grow(&small, 100, 3));
    assert_true(grow(&small, 100, 2));
    assert_free(0);
    shrink(&small, 30, 10);
    assert_true(grow(&large, 41, 1));
    assert_free(0);
    close_segment(&small);
    assert_free(202 * MIB - 20 * MIB + 2 * MIB);
    close_segment(&large);
    assert_free(CAPACITY);
}

static void a_life_of_growing_and_shrinking_leaves_nothing_behind(void **state) {
    static struct segment segment;
    (void)state;
    open_segment(&segment, 0, 2 * MIB);
    assert_true(grow(&segment, 0, 64));
    shrink(&segment, 0, 64);
    struct census before = census_take();
    for (int round = 0; round < 50; round++) {
        assert_true(grow(&segment, 0, 16));
        shrink(&segment, 4, 8);
        mark(&segment, 3, round);
        assert_int_equal(fill_lowest(&segment), 4);
        shrink(&segment, 0, 5);
        shrink(&segment, 12, 4);
    }
    census_no_growth(&before, 16, 8 * MIB);
    close_segment(&segment);
}

// ---- a segment in another process

enum { SHARED_SLOTS = 6 };

// Each slot is exported once; what the other is told is the number, it takes the descriptor itself.
static void share_a_segment(struct partner *other) {
    static struct segment segment;
    int fds[SHARED_SLOTS];
    open_segment(&segment, 0, 2 * MIB);
    assert_true(grow(&segment, 0, SHARED_SLOTS));
    let_take();
    for (size_t i = 0; i < SHARED_SLOTS; i++) {
        mark(&segment, i, 20 + (int)i);
        fds[i] = export_fd(segment.handles[i]);
        say(other, (char)fds[i]);
        send_fd(other, fds[i]); // for a kernel that lets nobody take it
    }
    hear(other, 'd');
    for (size_t i = 0; i < SHARED_SLOTS; i++) assert_int_equal(close(fds[i]), 0);
    assert_int_equal(mark_of(&segment, 0), 99);
    close_segment(&segment);
    assert_free(CAPACITY);
}

static int take_or_receive(const struct partner *owner) {
    char number = 0;
    assert_int_equal(read(owner->line, &number, 1), 1);
    int received = receive_fd(owner);
    int taken = take_fd(owner, number);
    if (taken < 0) return received;
    assert_int_equal(close(received), 0);
    return taken;
}

static void see_a_segment(struct partner *owner) {
    static struct segment segment;
    open_segment(&segment, 0, 2 * MIB);
    for (size_t i = 0; i < SHARED_SLOTS; i++) {
        int fd = take_or_receive(owner);
        segment.handles[i] = import_fd(fd);
        assert_int_equal(close(fd), 0);
        assert_hip_ok(hipMemMap(slot_at(&segment, i), segment.slot, 0, segment.handles[i], 0));
    }
    grant(segment.base, SHARED_SLOTS * segment.slot, 0, READ_WRITE);
    for (size_t i = 0; i < SHARED_SLOTS; i++) assert_int_equal(mark_of(&segment, i), 20 + i);
    mark(&segment, 0, 99);
    assert_free(CAPACITY); // it is the owner's
    close_segment(&segment);
    say(owner, 'd');
}

static void a_segment_is_seen_by_another_process(void **state) {
    (void)state;
    play(share_a_segment, see_a_segment);
}

int main(void) {
    const struct CMUnitTest children[] = {
        cmocka_unit_test(a_segment_is_seen_by_another_process),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_segment_grows_to_all_of_the_device_and_no_further),
        cmocka_unit_test(gaps_are_refilled_from_the_lowest_address_on),
        cmocka_unit_test(copies_cross_slots),
        cmocka_unit_test(what_one_segment_gives_back_another_can_have),
        cmocka_unit_test(a_life_of_growing_and_shrinking_leaves_nothing_behind),
    };
    int failed = cmocka_run_group_tests(children, hip_group_setup, NULL);
    return failed + cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
