// SPDX-License-Identifier: Apache-2.0
// Plain device memory, and keys and descriptors of it for other processes.
#include <tarn/software.h>

#include "base/struct.h"
#include "core/address/notify.h"
#include "core/address/retire.h"
#include "fail/point.h"

// ---- alloc and free

enum { MIN_ALIGNMENT = 256, MAX_ALIGNMENT = 1 << 30 };

// Returns 0 if the result does not fit 64 bits.
static uint64_t round_up(uint64_t bytes, uint64_t unit) {
    uint64_t rest = bytes % unit;
    return rest == 0 ? bytes : bytes > UINT64_MAX - (unit - rest) ? 0 : bytes + (unit - rest);
}

static tarn_status fail_too_large(uint64_t bytes) {
    return tn_fail(TARN_NO_DEVICE_MEMORY, "0x%llx bytes are more than any device has",
                   (unsigned long long)bytes);
}

static tarn_status alloc_memory(struct tn_owner *owner, tarn_device *device,
                                const tarn_backend_memory *asked, tarn_addr *addr) {
    struct tn_platform *platform = device->platform;
    struct tn_region *region = tn_region_new(TN_REGION_MEMORY, platform, owner);
    if (region == NULL) return TARN_NO_HOST_MEMORY;
    tarn_addr got = 0;
    tarn_status status;
    if (asked->page_class == TARN_PAGE_DEFAULT && asked->alignment == MIN_ALIGNMENT)
        status = platform->ops->memory_alloc(platform->p, device->ordinal, asked->bytes, &got);
    else
        status = platform->ops->memory_alloc_with(platform->p, device->ordinal, asked, &got,
                                                  &region->page_class);
    if (status != TARN_OK) {
        tn_region_free(region);
        if (tn_subscribed()) tn_emit_shortage(status, device, asked->bytes, "tarn_memory_alloc");
        return status;
    }
    TARN_ASSERT(asked->charged >= asked->bytes && got != 0);
    region->charged = asked->charged;
    region->page_bytes = tn_page_bytes(platform, asked->page_class);
    region->base = got;
    region->bytes = asked->bytes;
    region->device = device->ordinal;
    TN_TRY(tn_region_publish(region, 0, "tarn_memory_alloc"));
    *addr = got;
    return TARN_OK;
}

tarn_status tn_owner_alloc(struct tn_owner *owner, tarn_device *device, uint64_t bytes,
                           tarn_addr *addr) {
    TN_TRY(tn_device_usable(device));
    TN_REFUSE(addr == NULL || bytes == 0, TARN_BAD_ARGUMENT, "%s",
              addr == NULL ? "addr is NULL" : "bytes is 0");
    const tarn_backend_memory asked = {
        .bytes = bytes,
        .charged = round_up(bytes, device->platform->granularity),
        .alignment = MIN_ALIGNMENT,
    };
    return asked.charged == 0 ? fail_too_large(bytes) : alloc_memory(owner, device, &asked, addr);
}

tarn_status tarn_memory_alloc(tarn_device *device, uint64_t bytes, tarn_addr *addr) {
    TN_FAIL_POINT(0, bytes);
    return TN_DONE(tn_owner_alloc(NULL, device, bytes, addr));
}

static tarn_status check_desc(const tarn_device *device, const tarn_memory_desc *desc) {
    uint64_t alignment = desc->alignment;
    TN_REFUSE(desc->bytes == 0, TARN_BAD_ARGUMENT, "bytes is 0");
    TN_REFUSE((alignment & (alignment - 1)) != 0 || alignment > MAX_ALIGNMENT, TARN_BAD_ARGUMENT,
              "alignment 0x%llx is not a power of two up to 0x%x", (unsigned long long)alignment,
              (unsigned)MAX_ALIGNMENT);
    return tn_check_page_class(device, desc->page_class);
}

tarn_status tarn_memory_alloc_with(tarn_device *device, const tarn_memory_desc *desc,
                                   tarn_addr *addr) {
    TN_FAIL_POINT(0, desc != NULL ? desc->bytes : 0);
    tarn_memory_desc own = TARN_INIT(tarn_memory_desc);
    TN_TRY(tn_device_usable(device));
    TN_REFUSE(desc == NULL || addr == NULL, TARN_BAD_ARGUMENT, "%s is NULL",
              desc == NULL ? "desc" : "addr");
    TN_TRY(tn_struct_read(&own, sizeof own, desc, "tarn_memory_desc"));
    TN_TRY(check_desc(device, &own));
    uint64_t page = tn_page_bytes(device->platform, own.page_class);
    uint64_t granularity = device->platform->granularity;
    const tarn_backend_memory asked = {
        .bytes = own.bytes,
        .charged = round_up(own.bytes, page > granularity ? page : granularity),
        .alignment = own.alignment > MIN_ALIGNMENT ? own.alignment : MIN_ALIGNMENT,
        .page_class = own.page_class,
    };
    return TN_DONE(asked.charged == 0 ? fail_too_large(own.bytes)
                                      : alloc_memory(NULL, device, &asked, addr));
}

tarn_status tn_owner_free(struct tn_owner *owner, tarn_addr addr, uint32_t flags) {
    TN_REFUSE((flags & ~TARN_NO_WAIT) != 0, TARN_BAD_ARGUMENT, "flags 0x%x are unknown", flags);
    return addr == 0 ? TARN_OK
                     : tn_retire(TN_REGION_MEMORY, owner, addr, 0, flags, "tarn_memory_free");
}

static bool is_in(enum tn_region_kind kind, tarn_addr addr) {
    struct tn_reader *reader = tn_index_peek();
    const struct tn_region *region = tn_index_peek_find(reader, addr);
    bool found = region != NULL && region->kind == kind;
    tn_index_peek_done(reader);
    return found;
}

tarn_status tarn_memory_free(tarn_addr addr, uint32_t flags) {
    bool known = (flags & ~TARN_NO_WAIT) == 0;
    return TN_DONE(known && is_in(TN_REGION_IMPORTED, addr)
                       ? tn_retire(TN_REGION_IMPORTED, NULL, addr, 0, flags, "tarn_memory_free")
                       : tn_owner_free(NULL, addr, flags));
}

// ---- between processes

// Finds the owner's memory that starts at `addr`, or with `inside` holds it. On success the index is
// locked for reading.
static tarn_status enter_owned(struct tn_owner *owner, tarn_addr addr, bool inside,
                               struct tn_region **region) {
    tn_index_read();
    struct tn_region *found = tn_index_find(addr);
    tarn_status status = tn_region_check(found, TN_REGION_MEMORY, owner,
                                         inside && found != NULL ? found->base : addr);
    if (status == TARN_OK)
        *region = found;
    else
        tn_index_read_done();
    return status;
}

// The first export may move the bytes, so it waits for work that may use them, without any lock
// held.
static tarn_status enter_settled(struct tn_owner *owner, tarn_addr addr, bool inside,
                                 struct tn_region **region) {
    tarn_status status = enter_owned(owner, addr, inside, region);
    if (status != TARN_OK || tn_load_relaxed(&(*region)->exported)) return status;
    struct tn_platform *platform = (*region)->platform;
    tn_index_read_done();
    TN_TRY(tn_platform_may_wait(platform));
    tn_platform_synchronize(platform, UINT32_MAX, true);
    return enter_owned(owner, addr, inside, region);
}

// Makes a key, or a descriptor if `key` is NULL.
static tarn_status export_memory(struct tn_owner *owner, tarn_addr addr, bool inside,
                                 tarn_addr *base, tarn_key *key, int *fd) {
    struct tn_region *region = NULL;
    TN_TRY(enter_settled(owner, addr, inside, &region));
    struct tn_platform *platform = region->platform;
    tarn_key made = {{0}};
    TARN_ASSERT(region->kind == TN_REGION_MEMORY && region->owner == owner);
    tn_mutex_lock(&region->lock);
    tarn_status status =
        key != NULL ? platform->ops->memory_export(platform->p, region->device, region->base,
                                                   region->bytes, &made)
                    : platform->ops->memory_export_fd(platform->p, region->base, region->bytes, fd);
    if (status == TARN_OK) tn_store_relaxed(&region->exported, true);
    tn_mutex_unlock(&region->lock);
    if (status == TARN_OK && tn_subscribed()) {
        tn_emit_exported(region);
        if (key != NULL)
            tn_emit_shared_memory(region, &made);
        else
            tn_emit_shared_memory_fd(region, *fd);
    }
    *base = region->base;
    tn_index_read_done();
    if (status == TARN_OK) {
        TN_COUNT(platform, backend_calls, 1);
        if (key != NULL) *key = made;
    }
    return status;
}

tarn_status tn_owner_export(struct tn_owner *owner, tarn_addr addr, tarn_addr *base,
                            tarn_key *key) {
    return export_memory(owner, addr, true, base, key, NULL);
}

tarn_status tarn_memory_export(tarn_addr addr, tarn_key *key) {
    TN_FAIL_POINT(addr, 0);
    TN_REFUSE(key == NULL, TARN_BAD_ARGUMENT, "key is NULL");
    tarn_addr base = 0;
    return TN_DONE(tn_refused(export_memory(NULL, addr, false, &base, key, NULL),
                              "tarn_memory_export", addr, 0, 0));
}

tarn_status tarn_memory_export_fd(tarn_addr addr, int *fd) {
    TN_FAIL_POINT(addr, 0);
    TN_REFUSE(fd == NULL, TARN_BAD_ARGUMENT, "fd is NULL");
    tarn_addr base = 0;
    int made = -1;
    tarn_status status = is_in(TN_REGION_SPACE, addr)
                             ? tn_map_export(addr, &made)
                             : export_memory(NULL, addr, false, &base, NULL, &made);
    if (status == TARN_OK) *fd = made;
    return TN_DONE(status);
}

tarn_status tarn_memory_allow(tarn_device *device, const tarn_key *key, const int *pids,
                              size_t count) {
    TN_FAIL_POINT(0, 0);
    TN_TRY(tn_device_usable(device));
    TN_REFUSE(key == NULL, TARN_BAD_ARGUMENT, "key is NULL");
    tarn_status status = tn_check_pids(pids, count);
    struct tn_platform *platform = device->platform;
    return TN_DONE(status == TARN_OK ? platform->ops->memory_allow(platform->p, key, pids, count)
                                     : status);
}

tarn_status tarn_memory_import(tarn_device *device, const tarn_key *key, tarn_addr *addr) {
    TN_FAIL_POINT(0, 0);
    TN_TRY(tn_device_usable(device));
    TN_REFUSE(key == NULL || addr == NULL, TARN_BAD_ARGUMENT, "%s is NULL",
              key == NULL ? "key" : "addr");
    struct tn_platform *platform = device->platform;
    struct tn_region *region = tn_region_new(TN_REGION_IMPORTED, platform, NULL);
    if (region == NULL) return TN_DONE(TARN_NO_HOST_MEMORY);
    region->device = device->ordinal;
    tarn_status status = platform->ops->memory_import(platform->p, device->ordinal, key,
                                                      &region->base, &region->bytes);
    if (status != TARN_OK) {
        tn_region_free(region);
        return TN_DONE(status);
    }
    tarn_addr got = region->base;
    TN_TRY(tn_region_publish(region, TN_MEM_ZEROED | TN_MEM_IMPORTED, "tarn_memory_import"));
    if (tn_subscribed()) tn_emit_shared_memory(region, key); // nobody else knows the address yet
    *addr = got;
    return TARN_OK;
}
