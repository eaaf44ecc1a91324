// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of the software device: a platform that is driven through its table, as by
// the core, and the state of the kernel.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "backend/host/host.h"
#include "backend/host/mmu.h"
#include "base/error.h"

// Sanitizers make some tests too slow at full size.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLOW 1
#endif
#endif
#ifndef SLOW
#define SLOW 0
#endif

#define KB ((uint64_t)1 << 10)
#define MB ((uint64_t)1 << 20)
#define GB ((uint64_t)1 << 30)

static const tarn_backend *const ops = &tn_backend_host;

// Compares a status. A failure prints the text of the error.
#define expect_status(expression, wanted)                                                          \
    do {                                                                                           \
        tarn_status got_ = (expression);                                                           \
        if (got_ != (wanted)) {                                                                    \
            tarn_error error_;                                                                     \
            (void)tarn_last_error(&error_);                                                        \
            fail_msg("%s is %s, not %s: %s", #expression, tarn_status_name(got_),                  \
                     tarn_status_name(wanted), error_.message);                                    \
        }                                                                                          \
    } while (0)

#define expect_ok(expression) expect_status(expression, TARN_OK)

static inline void *open_host(const char *options) {
    void *p = NULL;
    expect_ok(ops->platform_open(options, &p));
    return p;
}

// All records must agree before the platform is closed.
static inline void close_host(void *p) {
    expect_ok(ops->check(p));
    ops->platform_close(p);
}

static inline tarn_backend_phys create_with(void *p, uint64_t bytes, tarn_phys_desc desc) {
    tarn_backend_phys phys = 0;
    tarn_backend_phys_info info;
    desc.struct_size = sizeof desc;
    expect_ok(ops->phys_create(p, bytes, &desc, &phys, &info));
    assert_int_equal(info.bytes, bytes);
    return phys;
}

static inline tarn_phys_desc on_device(int device) {
    tarn_phys_desc desc = TARN_INIT(tarn_phys_desc);
    desc.location.type = TARN_LOCATION_DEVICE;
    desc.location.id = device;
    return desc;
}

static inline tarn_backend_phys create(void *p, int device, uint64_t bytes) {
    return create_with(p, bytes, on_device(device));
}

static inline tarn_addr reserve(void *p, uint64_t size) {
    tarn_addr addr = 0;
    expect_ok(ops->reserve(p, size, 0, 0, &addr));
    return addr;
}

static inline tarn_status try_map(void *p, tarn_addr addr, uint64_t size, tarn_backend_phys phys) {
    const tarn_backend_map_item item = {phys, size};
    return ops->map(p, addr, &item, 1);
}

static inline tarn_status grant(void *p, tarn_addr addr, uint64_t size, int device,
                                tarn_access access) {
    const tarn_grant one = {{TARN_LOCATION_DEVICE, device}, access};
    return ops->set_access(p, addr, size, &one, 1);
}

static inline tarn_status grant_host(void *p, tarn_addr addr, uint64_t size, tarn_access access) {
    const tarn_grant one = {{TARN_LOCATION_HOST, 0}, access};
    return ops->set_access(p, addr, size, &one, 1);
}

static inline uint64_t free_bytes(void *p, int device) {
    uint64_t left = 0;
    uint64_t total = 0;
    expect_ok(ops->memory_info(p, device, &left, &total));
    return left;
}

static inline uint64_t mappings_of(void *p) {
    tarn_backend_counters counters;
    ops->counters(p, &counters);
    return counters.kernel_mappings;
}

static inline unsigned char *cpu(tarn_addr addr) { return (unsigned char *)(uintptr_t)addr; }

// Returns the number of kernel mappings that touch [lo, hi).
static inline uint64_t kernel_lines(tarn_addr lo, tarn_addr hi) {
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512];
    uint64_t count = 0;
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps) != NULL) {
        unsigned long long start;
        unsigned long long end;
        if (sscanf(line, "%llx-%llx", &start, &end) == 2 && start < hi && end > lo) count++;
    }
    (void)fclose(maps);
    return count;
}

// Returns the rights of the CPU at an address: "r--", "rw-", "---", or "" if it is not mapped.
static inline const char *kernel_rights(tarn_addr addr) {
    static char rights[4];
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512];
    rights[0] = '\0';
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps) != NULL) {
        unsigned long long start;
        unsigned long long end;
        char flags[5];
        if (sscanf(line, "%llx-%llx %4s", &start, &end, flags) == 3 && start <= addr &&
            addr < end) {
            memcpy(rights, flags, 3);
            rights[3] = '\0';
        }
    }
    (void)fclose(maps);
    return rights;
}

// Translates a complete range without touching it.
static inline tarn_status mmu_check(void *p, tarn_addr addr, uint64_t size, tarn_access need,
                                    const int devices[3]) {
    struct tn_host *h = (struct tn_host *)p;
    tarn_status status = TARN_OK;
    struct tn_reader *reader = tn_host_mmu_lock_shared(h);
    while (size != 0 && status == TARN_OK) {
        void *found;
        uint64_t run = 0;
        status = tn_host_mmu_translate(h, addr, size, need, devices, &found, &run);
        addr += run;
        size -= run;
    }
    tn_host_mmu_unlock_shared(h, reader);
    return status;
}

// Reads bytes as the engine of `device` does: by translation, one run at a time.
static inline tarn_status engine_access(void *p, int device, tarn_addr addr, void *bytes,
                                        uint64_t size, tarn_access need) {
    struct tn_host *h = (struct tn_host *)p;
    const int devices[3] = {device, -1, -1};
    tarn_status status = TARN_OK;
    struct tn_reader *reader = tn_host_mmu_lock_shared(h);
    for (uint64_t done = 0; done < size && status == TARN_OK;) {
        void *at = NULL;
        uint64_t run = 0;
        status = tn_host_mmu_translate(h, addr + done, size - done, need, devices, &at, &run);
        if (status == TARN_OK && need == TARN_ACCESS_READ_WRITE)
            memcpy(at, (char *)bytes + done, run);
        else if (status == TARN_OK)
            memcpy((char *)bytes + done, at, run);
        done += run;
    }
    tn_host_mmu_unlock_shared(h, reader);
    return status;
}

static inline tarn_status engine_write(void *p, int device, tarn_addr addr, const void *bytes,
                                       uint64_t size) {
    return engine_access(p, device, addr, (void *)(uintptr_t)bytes, size, TARN_ACCESS_READ_WRITE);
}

static inline tarn_status engine_read(void *p, int device, tarn_addr addr, void *bytes,
                                      uint64_t size) {
    return engine_access(p, device, addr, bytes, size, TARN_ACCESS_READ);
}
