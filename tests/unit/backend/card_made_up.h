// SPDX-License-Identifier: Apache-2.0
// A card that there is not: a driver table over memory of this process, for tests of what all
// back-ends of vendors share. Everything is done at once, on the caller. One call can be made to
// fail, and the habits of vendors can be had. It counts what is alive, so that a test sees what was
// not undone. Include it once in a program.
#ifndef TARN_TESTS_CARD_MADE_UP_H
#define TARN_TESTS_CARD_MADE_UP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <tarn/tarn.h>

#include "backend/card/card.h"

enum {
    MADE_UP_G = 4096,
    MADE_UP_DEVICES = 2,
    MADE_UP_MAPPINGS = 64,
    MADE_UP_SCARCE = 2, // codes
    MADE_UP_WRONG = 3,
    MADE_UP_BUSY = 4,
    MADE_UP_FAULT = 5,
    MADE_UP_NOT_HERE = 6,
    MADE_UP_ODD = 99,
};

struct made_up_mapping {
    tarn_addr addr; // 0: free
    uint64_t size;
    uint64_t handle;
    int rights[MADE_UP_DEVICES + 1]; // of the devices, then of the CPU
};

static struct {
    long countdown; // calls that still succeed; below zero: all do
    bool fired;
    bool lies;     // map says yes and maps nothing
    int64_t wait;  // what the next wait for a stream gives
    long unmaps;   // calls
    long accesses; // calls
    int current;
    long reservations, handles, blocks, pinned, streams, events;
    struct made_up_mapping mappings[MADE_UP_MAPPINGS];
} made_up;

static bool made_up_fails(void) {
    if (made_up.countdown < 0 || made_up.countdown-- > 0) {
        return false;
    }
    made_up.fired = true; // one failure: undoing must work
    return true;
}

#define MADE_UP_CALL                                                                               \
    if (made_up_fails())                                                                           \
        return (struct tn_native){MADE_UP_SCARCE, __func__};                                       \
    (void)d
#define MADE_UP_GOOD                                                                               \
    (struct tn_native) {                                                                           \
        0, __func__                                                                                \
    }

static long made_up_mapped(void) {
    long count = 0;
    for (int i = 0; i < MADE_UP_MAPPINGS; i++) {
        count += made_up.mappings[i].addr != 0;
    }
    return count;
}

static long made_up_alive(void) {
    return made_up.reservations + made_up.handles + made_up.blocks + made_up.pinned +
           made_up.streams + made_up.events + made_up_mapped();
}

// ---- devices

static tarn_status made_up_status_of(int64_t code) {
    switch (code) {
    case MADE_UP_SCARCE:
        return TARN_NO_DEVICE_MEMORY;
    case MADE_UP_WRONG:
        return TARN_BAD_ARGUMENT;
    case MADE_UP_BUSY:
        return TARN_NOT_READY;
    case MADE_UP_FAULT:
        return TARN_DEVICE_FAULT;
    case MADE_UP_NOT_HERE:
        return TARN_UNSUPPORTED;
    default:
        return TARN_NATIVE;
    }
}

static const char *made_up_error_name(void *d, int64_t code) {
    (void)d, (void)code;
    return "MADE_UP";
}

static struct tn_native made_up_device_count(void *d, int *count) {
    MADE_UP_CALL;
    *count = MADE_UP_DEVICES;
    return MADE_UP_GOOD;
}

static struct tn_native made_up_about(void *d, int device, struct tn_card_about *about) {
    MADE_UP_CALL;
    (void)device;
    *about = (struct tn_card_about){"made up", MADE_UP_G, 2 * MADE_UP_G};
    return MADE_UP_GOOD;
}

static struct tn_native made_up_memory_info(void *d, uint64_t *free_bytes, uint64_t *total_bytes) {
    MADE_UP_CALL;
    *free_bytes = *total_bytes = (uint64_t)1 << 40;
    return MADE_UP_GOOD;
}

// Never fails: that would be a lost device, and nothing is undone on one.
static struct tn_native made_up_enter(void *d, int device, struct tn_card_before *before) {
    (void)d;
    before->device = made_up.current;
    made_up.current = device;
    return MADE_UP_GOOD;
}

static void made_up_leave(void *d, const struct tn_card_before *before) {
    (void)d;
    made_up.current = before->device;
}

// ---- virtual memory

static struct tn_native made_up_reserve(void *d, uint64_t size, uint64_t alignment, tarn_addr hint,
                                        tarn_addr *addr) {
    MADE_UP_CALL;
    (void)alignment, (void)hint; // vendors ignore them too
    void *got = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) {
        return (struct tn_native){MADE_UP_SCARCE, __func__};
    }
    made_up.reservations++;
    *addr = TARN_ADDR(got);
    return MADE_UP_GOOD;
}

static struct tn_native made_up_unreserve(void *d, tarn_addr addr, uint64_t size) {
    (void)d;
    made_up.reservations--;
    assert_int_equal(munmap((void *)(uintptr_t)addr, size), 0);
    return MADE_UP_GOOD;
}

static struct tn_native made_up_create(void *d, const struct tn_card_wish *wish, uint64_t *handle) {
    MADE_UP_CALL;
    int fd = memfd_create("made-up", MFD_CLOEXEC);
    if (fd < 0 || wish->host) {
        return (struct tn_native){MADE_UP_NOT_HERE, __func__};
    }
    assert_int_equal(ftruncate(fd, (off_t)wish->bytes), 0);
    made_up.handles++;
    *handle = (uint64_t)fd + 1;
    return MADE_UP_GOOD;
}

static struct tn_native made_up_destroy(void *d, uint64_t handle) {
    (void)d;
    made_up.handles--;
    assert_int_equal(close((int)handle - 1), 0);
    return MADE_UP_GOOD;
}

static struct made_up_mapping *made_up_find(tarn_addr addr) {
    for (int i = 0; i < MADE_UP_MAPPINGS; i++) {
        if (made_up.mappings[i].addr == addr) {
            return &made_up.mappings[i];
        }
    }
    return NULL;
}

static struct tn_native made_up_map(void *d, tarn_addr addr, uint64_t size, uint64_t handle) {
    MADE_UP_CALL;
    struct made_up_mapping *free_place = made_up_find(0);
    off_t bytes = lseek((int)handle - 1, 0, SEEK_END);
    if (made_up.lies) {
        return MADE_UP_GOOD;
    }
    if (bytes < (off_t)size || free_place == NULL) {
        return (struct tn_native){MADE_UP_WRONG, __func__};
    }
    assert_ptr_equal(mmap((void *)(uintptr_t)addr, size, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_FIXED, (int)handle - 1, 0),
                     (void *)(uintptr_t)addr);
    *free_place = (struct made_up_mapping){.addr = addr, .size = size, .handle = handle};
    return MADE_UP_GOOD;
}

// Takes runs of whole mappings.
static struct tn_native made_up_unmap(void *d, tarn_addr addr, uint64_t size) {
    (void)d;
    made_up.unmaps++;
    for (tarn_addr at = addr; at < addr + size;) {
        struct made_up_mapping *mapping = made_up_find(at);
        assert_non_null(mapping);
        at += mapping->size;
        mapping->addr = 0;
    }
    assert_ptr_equal(mmap((void *)(uintptr_t)addr, size, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0),
                     (void *)(uintptr_t)addr);
    return MADE_UP_GOOD;
}

static struct tn_native made_up_is_mapped(void *d, tarn_addr addr) {
    (void)d;
    return made_up_find(addr) != NULL ? MADE_UP_GOOD : (struct tn_native){MADE_UP_WRONG, __func__};
}

// One right after the other, mapping by mapping: a failure in the middle leaves what came before.
static struct tn_native made_up_set_access(void *d, tarn_addr addr, uint64_t size,
                                           const struct tn_card_right *rights, size_t count) {
    made_up.accesses++;
    for (tarn_addr at = addr; at < addr + size;) {
        struct made_up_mapping *mapping = made_up_find(at);
        assert_non_null(mapping);
        for (size_t i = 0; i < count; i++) {
            MADE_UP_CALL;
            mapping->rights[rights[i].host ? MADE_UP_DEVICES : rights[i].device] =
                (int)rights[i].access;
        }
        at += mapping->size;
    }
    return MADE_UP_GOOD;
}

// ---- plain and pinned memory

static struct tn_native made_up_alloc(void *d, uint64_t size, tarn_addr *addr) {
    MADE_UP_CALL;
    char *got = malloc(size + 64);
    assert_non_null(got);
    made_up.blocks++;
    *addr = TARN_ADDR(got);
    return MADE_UP_GOOD;
}

static struct tn_native made_up_free(void *d, tarn_addr addr) {
    (void)d;
    made_up.blocks--;
    free((void *)(uintptr_t)addr);
    return MADE_UP_GOOD;
}

static struct tn_native made_up_host_alloc(void *d, uint64_t size, void **ptr) {
    MADE_UP_CALL;
    *ptr = malloc(size);
    assert_non_null(*ptr);
    made_up.pinned++;
    return MADE_UP_GOOD;
}

static struct tn_native made_up_host_free(void *d, void *ptr) {
    (void)d;
    made_up.pinned--;
    free(ptr);
    return MADE_UP_GOOD;
}

static struct tn_native made_up_host_register(void *d, void *ptr, uint64_t size) {
    MADE_UP_CALL;
    (void)ptr, (void)size;
    made_up.pinned++;
    return MADE_UP_GOOD;
}

static struct tn_native made_up_host_unregister(void *d, void *ptr) {
    (void)d, (void)ptr;
    made_up.pinned--;
    return MADE_UP_GOOD;
}

static struct tn_native made_up_peer_can(void *d, int device, int peer, bool *can) {
    (void)d, (void)device, (void)peer;
    *can = true;
    return MADE_UP_GOOD;
}

static struct tn_native made_up_peer_set(void *d, int peer, bool enabled) {
    MADE_UP_CALL;
    (void)peer, (void)enabled;
    return MADE_UP_GOOD;
}

// ---- streams and events

static struct tn_native made_up_stream_create(void *d, void **stream) {
    MADE_UP_CALL;
    made_up.streams++;
    *stream = malloc(1);
    return MADE_UP_GOOD;
}

static struct tn_native made_up_stream_destroy(void *d, void *stream) {
    (void)d;
    made_up.streams--;
    free(stream);
    return MADE_UP_GOOD;
}

static struct tn_native made_up_stream_synchronize(void *d, void *stream) {
    (void)d, (void)stream;
    return (struct tn_native){made_up.wait, __func__};
}

static struct tn_native made_up_stream_wait(void *d, void *stream, void *event) {
    MADE_UP_CALL;
    (void)stream, (void)event;
    return MADE_UP_GOOD;
}

static struct tn_native made_up_stream_call(void *d, void *stream, void (*fn)(void *), void *arg) {
    MADE_UP_CALL;
    (void)stream;
    fn(arg);
    return MADE_UP_GOOD;
}

static struct tn_native made_up_device_synchronize(void *d) {
    (void)d;
    return (struct tn_native){made_up.wait, __func__};
}

static struct tn_native made_up_event_create(void *d, void **event) {
    MADE_UP_CALL;
    made_up.events++;
    *event = malloc(1);
    return MADE_UP_GOOD;
}

static struct tn_native made_up_event_destroy(void *d, void *event) {
    (void)d;
    made_up.events--;
    free(event);
    return MADE_UP_GOOD;
}

static struct tn_native made_up_event_record(void *d, void *event, void *stream) {
    MADE_UP_CALL;
    (void)event, (void)stream;
    return MADE_UP_GOOD;
}

static struct tn_native made_up_event_question(void *d, void *event) {
    (void)d, (void)event;
    return (struct tn_native){made_up.wait, __func__};
}

static struct tn_native made_up_event_elapsed(void *d, void *start, void *end, int64_t *ns) {
    (void)d, (void)start, (void)end;
    *ns = 7;
    return MADE_UP_GOOD;
}

// ---- moving

static struct tn_native made_up_copy(void *d, void *stream, tarn_addr dst, tarn_addr src,
                                     uint64_t bytes) {
    MADE_UP_CALL;
    (void)stream;
    memcpy((void *)(uintptr_t)dst, (const void *)(uintptr_t)src, bytes);
    return MADE_UP_GOOD;
}

static struct tn_native made_up_fill(void *d, void *stream, tarn_addr dst, uint32_t value,
                                     unsigned element, uint64_t bytes) {
    MADE_UP_CALL;
    (void)stream;
    for (uint64_t i = 0; i < bytes; i += element) {
        memcpy((char *)(uintptr_t)dst + i, &value, element);
    }
    return MADE_UP_GOOD;
}

// ---- the table

static tarn_status made_up_load(const struct tn_library *library, struct tn_card_driver *driver,
                                void **d) {
    static int anything;
    (void)library, (void)driver;
    *d = &anything;
    return TARN_OK;
}

// A library that every machine has, and of which nothing is used.
static const char *const made_up_sonames[] = {"libm.so.6", NULL};

#define MADE_UP_DRIVER                                                                             \
    .options_variable = "TARN_MADE_UP", .library_variable = "TARN_MADE_UP_LIBRARY",                \
    .sonames = made_up_sonames, .symbol = "cos", .load = made_up_load,                             \
    .features_possible = TARN_FEATURE_HOST_ACCESS | TARN_FEATURE_HOST_PHYS,                        \
    .status_of = made_up_status_of, .error_name = made_up_error_name,                              \
    .device_count = made_up_device_count, .about = made_up_about,                                  \
    .memory_info = made_up_memory_info, .enter = made_up_enter, .leave = made_up_leave,            \
    .reserve = made_up_reserve, .unreserve = made_up_unreserve, .create = made_up_create,          \
    .destroy = made_up_destroy, .map = made_up_map, .unmap = made_up_unmap,                        \
    .is_mapped = made_up_is_mapped, .set_access = made_up_set_access, .alloc = made_up_alloc,      \
    .free = made_up_free, .host_alloc = made_up_host_alloc, .host_free = made_up_host_free,        \
    .host_register = made_up_host_register, .host_unregister = made_up_host_unregister,            \
    .peer_can = made_up_peer_can, .peer_set = made_up_peer_set,                                    \
    .stream_create = made_up_stream_create, .stream_destroy = made_up_stream_destroy,              \
    .stream_synchronize = made_up_stream_synchronize, .stream_query = made_up_stream_synchronize,  \
    .stream_wait = made_up_stream_wait, .device_synchronize = made_up_device_synchronize,          \
    .event_create = made_up_event_create, .event_destroy = made_up_event_destroy,                  \
    .event_record = made_up_event_record, .event_query = made_up_event_question,                   \
    .event_synchronize = made_up_event_question, .event_elapsed = made_up_event_elapsed,           \
    .fill = made_up_fill

// What a vendor without habits has beside.
#define MADE_UP_USUAL .copy = made_up_copy, .stream_call = made_up_stream_call

// Lets device names begin with the driver's name. `driver` is static.
static void made_up_register(const struct tn_card_driver *driver,
                             tarn_status (*open)(const char *options, void **p)) {
    const tarn_backend table = {TN_CARD_SLOTS, .name = driver->name, .summary = "made up",
                                .platform_open = open};
    static tarn_backend kept[8];
    static int count;
    kept[count] = table;
    assert_int_equal(tarn_backend_register(&kept[count++]), TARN_OK);
}

// One back-end of a made-up vendor: MADE_UP_VENDOR(name, habits...).
#define MADE_UP_VENDOR(vendor, ...)                                                                \
    static const struct tn_card_driver vendor##_driver = {MADE_UP_DRIVER, .name = #vendor,         \
                                                          __VA_ARGS__};                            \
    static tarn_status vendor##_open(const char *options, void **p) {                              \
        return tn_card_open(&vendor##_driver, options, p);                                         \
    }

#define assert_status(call, want) assert_int_equal((call), (want))
#define assert_ok(call)           assert_status(call, TARN_OK)

static tarn_device *made_up_device(const char *uri) {
    tarn_device *device = NULL;
    made_up.countdown = -1;
    assert_ok(tarn_device_open(uri, &device));
    return device;
}

#endif
