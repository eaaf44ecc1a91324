// SPDX-License-Identifier: Apache-2.0
// An injection for NVTX's memory extension that writes one line for each call, for the test that
// opened it. It repeats offsets and sizes on purpose.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

EXPORTED const char *nvtx_written(void);
EXPORTED int InitializeInjectionNvtxExtension(void *module);

static char written[4096];
static size_t length;

EXPORTED const char *nvtx_written(void) { return written; }

static __attribute__((format(printf, 1, 2))) void write_down(const char *form, ...) {
    va_list args;
    va_start(args, form);
    int more = vsnprintf(written + length, sizeof written - length, form, args);
    va_end(args);
    length += more > 0 ? (size_t)more : 0;
}

static uint64_t number(const void *base, size_t offset, size_t bytes) {
    uint64_t value = 0;
    memcpy(&value, (const char *)base + offset, bytes);
    return value;
}

static const void *pointer(const void *base, size_t offset) {
    return (const void *)(uintptr_t)number(base, offset, 8);
}

static unsigned long long quad(const void *base, size_t offset) { return number(base, offset, 8); }

static void *heap_register(void *domain, const void *d) {
    const void *range = pointer(d, 24);
    write_down("heap compat %x size %u usage %u type %u bytes %llu at %llx name %s domain %p\n",
               (unsigned)number(d, 0, 2), (unsigned)number(d, 2, 2), (unsigned)number(d, 8, 4),
               (unsigned)number(d, 12, 4), quad(range, 0), quad(range, 8),
               number(d, 36, 4) == 1 ? (const char *)pointer(d, 40) : "none", domain);
    return (void *)(uintptr_t)quad(range, 8);
}

static void heap_unregister(void *domain, void *heap) {
    (void)domain;
    write_down("heap end %llx\n", (unsigned long long)(uintptr_t)heap);
}

static void regions_register(void *domain, const void *b) {
    const void *range = pointer(b, 32);
    (void)domain;
    write_down("regions compat %x size %u type %u heap %llx count %llu each %llu: %llu at %llx\n",
               (unsigned)number(b, 0, 2), (unsigned)number(b, 2, 2), (unsigned)number(b, 4, 4),
               quad(b, 8), quad(b, 16), quad(b, 24), quad(range, 0), quad(range, 8));
}

static void regions_unregister(void *domain, const void *b) {
    (void)domain;
    write_down("regions end compat %x size %u by %u count %llu each %llu: %llx\n",
               (unsigned)number(b, 0, 2), (unsigned)number(b, 2, 2), (unsigned)number(b, 4, 4),
               quad(b, 8), quad(b, 16), quad(pointer(b, 24), 0));
}

EXPORTED int InitializeInjectionNvtxExtension(void *module) {
    const void *segment = pointer(module, 16);
    intptr_t *slots = (intptr_t *)(uintptr_t)number(segment, 16, 8);
    write_down("module %u compat %x of NVTX %u, %llu slots\n", (unsigned)number(module, 4, 2),
               (unsigned)number(module, 6, 2), (unsigned)number(module, 0, 2), quad(segment, 8));
    slots[0] = (intptr_t)heap_register;
    slots[1] = (intptr_t)heap_unregister;
    slots[3] = (intptr_t)regions_register;
    slots[5] = (intptr_t)regions_unregister;
    return 1;
}
