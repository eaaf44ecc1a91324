// SPDX-License-Identifier: Apache-2.0
// A fake device: a driver table over memory of this process, for tests of the back-end that all
// vendors share. Every call completes at once, on the caller. A test can make one call fail and
// choose the properties of a vendor. Counts of what is alive show what was not undone. Include it
// once in a program.
#pragma once

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

#include "backend/vendor/vendor.h"

enum {
    FAKE_G = 4096,
    FAKE_DEVICES = 2,
    FAKE_MAPPINGS = 64,
    FAKE_SCARCE = 2, // codes
    FAKE_WRONG = 3,
    FAKE_BUSY = 4,
    FAKE_FAULT = 5,
    FAKE_NOT_HERE = 6,
    FAKE_ODD = 99,
};

struct fake_mapping {
    tarn_addr addr; // 0: free
    uint64_t size;
    uint64_t handle;
    int rights[FAKE_DEVICES + 1]; // of the devices, then of the CPU
};

static struct {
    long countdown; // calls that still succeed; below zero: all do
    bool fired;
    bool lies;     // map reports success and maps nothing
    int64_t wait;  // the code of waits and queries
    int bad_unmap; // the unmap that fails, counted from 1; 0: none
    long unmaps;   // calls
    long accesses; // calls
    int current;
    int queried; // the device that was current at the last query of an event
    long reservations, handles, blocks, pinned, streams, events;
    struct fake_mapping mappings[FAKE_MAPPINGS];
} fake;

static bool fake_fails(void) {
    if (fake.countdown < 0 || fake.countdown-- > 0) return false;
    fake.fired = true; // one failure: undoing must work
    return true;
}

#define FAKE_CALL                                                                                  \
    if (fake_fails()) return (struct tn_native){FAKE_SCARCE, __func__};                            \
    (void)d
#define FAKE_OK                                                                                    \
    (struct tn_native) { 0, __func__ }

static long fake_mapped(void) {
    long count = 0;
    for (int i = 0; i < FAKE_MAPPINGS; i++) count += fake.mappings[i].addr != 0;
    return count;
}

static long fake_alive(void) {
    return fake.reservations + fake.handles + fake.blocks + fake.pinned + fake.streams +
           fake.events + fake_mapped();
}

// ---- devices

static tarn_status fake_status_of(int64_t code) {
    switch (code) {
    case FAKE_SCARCE: return TARN_NO_DEVICE_MEMORY;
    case FAKE_WRONG: return TARN_BAD_ARGUMENT;
    case FAKE_BUSY: return TARN_NOT_READY;
    case FAKE_FAULT: return TARN_DEVICE_FAILED;
    case FAKE_NOT_HERE: return TARN_UNSUPPORTED;
    default: return TARN_NATIVE;
    }
}

static const char *fake_error_name(void *d, int64_t code) {
    (void)d, (void)code;
    return "FAKE";
}

static struct tn_native fake_device_count(void *d, int *count) {
    FAKE_CALL;
    *count = FAKE_DEVICES;
    return FAKE_OK;
}

static struct tn_native fake_device_info(void *d, int device, struct tn_vendor_device_info *info) {
    FAKE_CALL;
    (void)device;
    *info = (struct tn_vendor_device_info){"fake", FAKE_G, 2 * FAKE_G};
    return FAKE_OK;
}

static struct tn_native fake_memory_info(void *d, uint64_t *free_bytes, uint64_t *total_bytes) {
    FAKE_CALL;
    *free_bytes = *total_bytes = (uint64_t)1 << 40;
    return FAKE_OK;
}

// Never fails: that would be a lost device, on which nothing can be undone.
static struct tn_native fake_enter(void *d, int device, struct tn_vendor_saved *saved) {
    (void)d;
    saved->device = fake.current;
    fake.current = device;
    return FAKE_OK;
}

static void fake_leave(void *d, const struct tn_vendor_saved *saved) {
    (void)d;
    fake.current = saved->device;
}

// ---- virtual memory

static struct tn_native fake_reserve(void *d, uint64_t size, uint64_t alignment, tarn_addr hint,
                                     tarn_addr *addr) {
    FAKE_CALL;
    (void)alignment; // some vendors ignore it too
    void *got = mmap((void *)(uintptr_t)hint, size, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) return (struct tn_native){FAKE_SCARCE, __func__};
    fake.reservations++;
    *addr = TARN_ADDR(got);
    return FAKE_OK;
}

static struct tn_native fake_unreserve(void *d, tarn_addr addr, uint64_t size) {
    (void)d;
    fake.reservations--;
    assert_int_equal(munmap((void *)(uintptr_t)addr, size), 0);
    return FAKE_OK;
}

static struct tn_native fake_create(void *d, const struct tn_vendor_phys_desc *wish,
                                    uint64_t *handle) {
    FAKE_CALL;
    int fd = memfd_create("fake", MFD_CLOEXEC);
    if (fd < 0 || wish->host) return (struct tn_native){FAKE_NOT_HERE, __func__};
    assert_int_equal(ftruncate(fd, (off_t)wish->bytes), 0);
    fake.handles++;
    *handle = (uint64_t)fd + 1;
    return FAKE_OK;
}

static struct tn_native fake_destroy(void *d, uint64_t handle) {
    (void)d;
    fake.handles--;
    assert_int_equal(close((int)handle - 1), 0);
    return FAKE_OK;
}

static struct fake_mapping *fake_find(tarn_addr addr) {
    for (int i = 0; i < FAKE_MAPPINGS; i++)
        if (fake.mappings[i].addr == addr) return &fake.mappings[i];
    return NULL;
}

static struct tn_native fake_map(void *d, tarn_addr addr, uint64_t size, uint64_t handle) {
    FAKE_CALL;
    struct fake_mapping *free_place = fake_find(0);
    off_t bytes = lseek((int)handle - 1, 0, SEEK_END);
    if (fake.lies) return FAKE_OK;
    if (bytes < (off_t)size || free_place == NULL) return (struct tn_native){FAKE_WRONG, __func__};
    assert_ptr_equal(mmap((void *)(uintptr_t)addr, size, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_FIXED, (int)handle - 1, 0),
                     (void *)(uintptr_t)addr);
    *free_place = (struct fake_mapping){.addr = addr, .size = size, .handle = handle};
    return FAKE_OK;
}

// Accepts ranges of complete mappings.
static struct tn_native fake_unmap(void *d, tarn_addr addr, uint64_t size) {
    (void)d;
    fake.unmaps++;
    if (fake.bad_unmap > 0 && --fake.bad_unmap == 0) return (struct tn_native){FAKE_ODD, __func__};
    for (tarn_addr at = addr; at < addr + size;) {
        struct fake_mapping *mapping = fake_find(at);
        assert_non_null(mapping);
        at += mapping->size;
        mapping->addr = 0;
    }
    assert_ptr_equal(mmap((void *)(uintptr_t)addr, size, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0),
                     (void *)(uintptr_t)addr);
    return FAKE_OK;
}

static struct tn_native fake_is_mapped(void *d, tarn_addr addr) {
    (void)d;
    return fake_find(addr) != NULL ? FAKE_OK : (struct tn_native){FAKE_WRONG, __func__};
}

// Sets one right at a time, mapping by mapping: a failure leaves those that came before.
static struct tn_native fake_set_access(void *d, tarn_addr addr, uint64_t size,
                                        const struct tn_vendor_right *rights, size_t count) {
    fake.accesses++;
    for (tarn_addr at = addr; at < addr + size;) {
        struct fake_mapping *mapping = fake_find(at);
        assert_non_null(mapping);
        for (size_t i = 0; i < count; i++) {
            FAKE_CALL;
            mapping->rights[rights[i].host ? FAKE_DEVICES : rights[i].device] =
                (int)rights[i].access;
        }
        at += mapping->size;
    }
    return FAKE_OK;
}

// ---- plain and pinned memory

static struct tn_native fake_alloc(void *d, uint64_t size, tarn_addr *addr) {
    FAKE_CALL;
    char *got = malloc(size + 64);
    assert_non_null(got);
    fake.blocks++;
    *addr = TARN_ADDR(got);
    return FAKE_OK;
}

static struct tn_native fake_free(void *d, tarn_addr addr) {
    (void)d;
    fake.blocks--;
    free((void *)(uintptr_t)addr);
    return FAKE_OK;
}

static struct tn_native fake_host_alloc(void *d, uint64_t size, void **ptr) {
    FAKE_CALL;
    *ptr = malloc(size);
    assert_non_null(*ptr);
    fake.pinned++;
    return FAKE_OK;
}

static struct tn_native fake_host_free(void *d, void *ptr) {
    (void)d;
    fake.pinned--;
    free(ptr);
    return FAKE_OK;
}

static struct tn_native fake_host_register(void *d, void *ptr, uint64_t size) {
    FAKE_CALL;
    (void)ptr, (void)size;
    fake.pinned++;
    return FAKE_OK;
}

static struct tn_native fake_host_unregister(void *d, void *ptr) {
    (void)d, (void)ptr;
    fake.pinned--;
    return FAKE_OK;
}

static struct tn_native fake_peer_can(void *d, int device, int peer, int *can) {
    (void)d, (void)device, (void)peer;
    *can = 1;
    return FAKE_OK;
}

static struct tn_native fake_peer_set(void *d, int peer, bool enabled) {
    FAKE_CALL;
    (void)peer, (void)enabled;
    return FAKE_OK;
}

// ---- streams and events

static struct tn_native fake_stream_create(void *d, void **stream) {
    FAKE_CALL;
    fake.streams++;
    *stream = malloc(1);
    return FAKE_OK;
}

static struct tn_native fake_stream_destroy(void *d, void *stream) {
    (void)d;
    fake.streams--;
    free(stream);
    return FAKE_OK;
}

static struct tn_native fake_stream_synchronize(void *d, void *stream) {
    (void)d, (void)stream;
    return (struct tn_native){fake.wait, __func__};
}

static struct tn_native fake_stream_wait(void *d, void *stream, void *event) {
    FAKE_CALL;
    (void)stream, (void)event;
    return FAKE_OK;
}

static struct tn_native fake_stream_call(void *d, void *stream, void (*fn)(void *), void *arg) {
    FAKE_CALL;
    (void)stream;
    fn(arg);
    return FAKE_OK;
}

static struct tn_native fake_device_synchronize(void *d) {
    (void)d;
    return (struct tn_native){fake.wait, __func__};
}

static struct tn_native fake_event_create(void *d, void **event) {
    FAKE_CALL;
    fake.events++;
    *event = malloc(1);
    return FAKE_OK;
}

static struct tn_native fake_event_destroy(void *d, void *event) {
    (void)d;
    fake.events--;
    free(event);
    return FAKE_OK;
}

static struct tn_native fake_event_record(void *d, void *event, void *stream) {
    FAKE_CALL;
    (void)event, (void)stream;
    return FAKE_OK;
}

static struct tn_native fake_event_question(void *d, void *event) {
    (void)d, (void)event;
    fake.queried = fake.current;
    return (struct tn_native){fake.wait, __func__};
}

static struct tn_native fake_event_elapsed(void *d, void *start, void *end, float *ms) {
    (void)d, (void)start, (void)end;
    *ms = 7e-6f;
    return FAKE_OK;
}

// ---- copies and fills

static struct tn_native fake_copy(void *d, void *stream, tarn_addr dst, tarn_addr src,
                                  uint64_t bytes) {
    FAKE_CALL;
    (void)stream;
    memcpy((void *)(uintptr_t)dst, (const void *)(uintptr_t)src, bytes);
    return FAKE_OK;
}

static struct tn_native fake_fill(void *d, void *stream, tarn_addr dst, uint32_t value,
                                  unsigned element, uint64_t bytes) {
    FAKE_CALL;
    (void)stream;
    for (uint64_t i = 0; i < bytes; i += element)
        memcpy((char *)(uintptr_t)dst + i, &value, element);
    return FAKE_OK;
}

// ---- the table

static tarn_status fake_load(const struct tn_library *library, struct tn_vendor_driver *driver,
                             void **d) {
    static int anything;
    (void)library, (void)driver;
    *d = &anything;
    return TARN_OK;
}

// A library that every machine has. Nothing of it is used.
static const char *const fake_sonames[] = {"libm.so.6", NULL};

#define FAKE_DRIVER                                                                                \
    .options_variable = "TARN_FAKE", .library_variable = "TARN_FAKE_LIBRARY",                      \
    .sonames = fake_sonames, .symbol = "cos", .load = fake_load,                                   \
    .features_possible = TARN_FEATURE_HOST_ACCESS | TARN_FEATURE_HOST_PHYS,                        \
    .status_of = fake_status_of, .error_name = fake_error_name, .device_count = fake_device_count, \
    .device_info = fake_device_info, .memory_info = fake_memory_info, .enter = fake_enter,         \
    .leave = fake_leave, .reserve = fake_reserve, .unreserve = fake_unreserve,                     \
    .create = fake_create, .destroy = fake_destroy, .map = fake_map, .unmap = fake_unmap,          \
    .is_mapped = fake_is_mapped, .set_access = fake_set_access, .alloc = fake_alloc,               \
    .free = fake_free, .host_alloc = fake_host_alloc, .host_free = fake_host_free,                 \
    .host_register = fake_host_register, .host_unregister = fake_host_unregister,                  \
    .peer_can = fake_peer_can, .peer_set = fake_peer_set, .stream_create = fake_stream_create,     \
    .stream_destroy = fake_stream_destroy, .stream_synchronize = fake_stream_synchronize,          \
    .stream_query = fake_stream_synchronize, .stream_wait = fake_stream_wait,                      \
    .device_synchronize = fake_device_synchronize, .event_create = fake_event_create,              \
    .event_destroy = fake_event_destroy, .event_record = fake_event_record,                        \
    .event_query = fake_event_question, .event_synchronize = fake_event_question,                  \
    .event_elapsed = fake_event_elapsed, .fill = fake_fill

// The other functions of a vendor without special properties.
#define FAKE_USUAL .copy = fake_copy, .stream_call = fake_stream_call

// Lets device names begin with the driver's name. `driver` is static.
static void fake_register(const struct tn_vendor_driver *driver,
                          tarn_status (*open)(const char *options, void **p)) {
    const tarn_backend table = {TN_VENDOR_SLOTS, .name = driver->name, .summary = "fake",
                                .platform_open = open};
    static tarn_backend kept[8];
    static int count;
    kept[count] = table;
    assert_int_equal(tarn_backend_register(&kept[count++]), TARN_OK);
}

// Defines the back-end of a fake vendor: FAKE_BACKEND(name, properties...).
#define FAKE_BACKEND(vendor, ...)                                                                  \
    static const struct tn_vendor_driver vendor##_driver = {FAKE_DRIVER, .name = #vendor,          \
                                                            __VA_ARGS__};                          \
    static tarn_status vendor##_open(const char *options, void **p) {                              \
        return tn_vendor_open(&vendor##_driver, options, p);                                       \
    }

#define assert_status(call, want) assert_int_equal((call), (want))
#define assert_ok(call)           assert_status(call, TARN_OK)

static tarn_device *fake_device(const char *uri) {
    tarn_device *device = NULL;
    fake.countdown = -1;
    assert_ok(tarn_device_open(uri, &device));
    return device;
}
