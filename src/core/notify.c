// SPDX-License-Identifier: Apache-2.0
// What the core tells those who listen. See tell.h.
#include "core/notify.h"

#include <sys/mman.h>
#include <unistd.h>

void tn_emit_place(const struct tn_platform *platform, struct tn_mem_event *note) {
    if (note->addr >= TN_NUMBERS_FROM) {
        note->flags |= TN_MEM_NUMBERS | TN_MEM_SEEN; // no bytes, so nothing writes them unseen
        note->space = (uint32_t)((uintptr_t)platform >> 4) | 1u;
    } else if (note->device < 0 || (platform != NULL && (platform->devices[0].caps.features &
                                                         TARN_FEATURE_HOST_ACCESS) != 0)) {
        note->flags |= TN_MEM_HOST_CAN;
    }
}

static _Thread_local bool for_pool;

void tn_emit_for_pool(bool begin) {
    for_pool = begin;
}

static uint32_t owner(unsigned kind) {
    return for_pool && kind == TN_MEM_RESOURCE_BEGIN ? TN_MEM_OWNED : 0;
}

// Does the process have memory there?
static bool is_present(tarn_addr addr) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    unsigned char resident;
    return mincore((void *)((uintptr_t)addr & ~(page - 1)), 1, &resident) == 0;
}

void tn_emit_find_place(struct tn_mem_event *note, bool probe) {
    tn_index_read();
    const struct tn_region *region = tn_index_find(note->addr);
    if (region != NULL) {
        bool on_host = region->kind == TN_REGION_HOST || region->kind == TN_REGION_REGISTERED;
        note->device = on_host ? -1 : note->device >= 0 ? note->device : region->device;
        tn_emit_place(region->platform, note);
    }
    tn_index_read_done();
    if (region == NULL && note->addr >= TN_NUMBERS_FROM) {
        note->flags |= TN_MEM_NUMBERS;
    } else if (region == NULL &&
               (!probe || (is_present(note->addr) && is_present(note->addr + note->bytes - 1)))) {
        note->flags |= TN_MEM_HOST_CAN;
    }
}

static void tell(const struct tn_platform *platform, struct tn_mem_event *note) {
    tn_emit_place(platform, note);
    tn_emit(note);
}

static unsigned what_of(const struct tn_region *region) {
    switch (region->kind) {
    case TN_REGION_SPACE:
        return TN_MEM_RESERVATION;
    case TN_REGION_HOST:
        return TN_MEM_PINNED;
    case TN_REGION_REGISTERED:
        return TN_MEM_REGISTERED;
    default:
        return TN_MEM_MEMORY;
    }
}

void tn_emit_region(unsigned kind, const struct tn_region *region, uint32_t flags,
                    const char *call) {
    bool on_host = region->kind == TN_REGION_HOST || region->kind == TN_REGION_REGISTERED;
    struct tn_mem_event note =
        TN_MEM_INIT(.kind = (uint16_t)kind, .what = (uint16_t)what_of(region),
                    .flags = flags | owner(kind), .device = on_host ? -1 : region->device,
                    .addr = region->base, .bytes = region->bytes, .name = call);
    tell(region->platform, &note);
}

void tn_emit_phys(unsigned kind, int device, uint64_t id, uint64_t bytes, const char *call) {
    tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = (uint16_t)kind, .what = TN_MEM_PHYS,
                                              .flags = owner(kind), .device = device,
                                              .bytes = bytes, .object = id, .name = call));
}

void tn_emit_mapping(unsigned kind, const struct tn_platform *platform, int device, tarn_addr addr,
                     uint64_t bytes, uint64_t id, uint32_t flags) {
    struct tn_mem_event note =
        TN_MEM_INIT(.kind = (uint16_t)kind, .what = TN_MEM_MAPPING, .flags = flags | owner(kind),
                    .device = device, .addr = addr, .bytes = bytes, .object = id,
                    .name = kind == TN_MEM_RESOURCE_BEGIN ? "tarn_map" : "tarn_unmap");
    tell(platform, &note);
}

void tn_emit_export(uint64_t object, uint64_t id, const char *call) {
    tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_RESOURCE_BEGIN, .what = TN_MEM_EXPORT,
                                              .device = -1, .object = object, .other = id,
                                              .name = call));
}

void tn_emit_refused(const char *call, tarn_addr addr, uint64_t object, tarn_status status) {
    struct tn_mem_event note =
        TN_MEM_INIT(.kind = TN_MEM_REFUSED, .device = -1, .addr = addr, .object = object,
                    .other = (uint64_t)(int64_t)status, .name = call);
    if (addr >= TN_NUMBERS_FROM) {
        note.flags = TN_MEM_NUMBERS;
    }
    tn_emit(&note);
}

void tn_emit_access(const struct tn_executor *executor, const struct tn_box *box, uint32_t how,
                    const char *call) {
    struct tn_mem_event note =
        TN_MEM_INIT(.kind = TN_MEM_ACCESS, .flags = how, .device = executor->device->ordinal,
                    .addr = box->addr, .bytes = box->width, .stream = executor->id, .name = call);
    note.height = box->height;
    note.pitch = box->height > 1 ? box->pitch : 0;
    note.depth = box->depth;
    note.slice_pitch = box->depth > 1 ? box->slice : 0;
    tell(executor->device->platform, &note);
}

void tn_emit_order(unsigned kind, const struct tarn_device *device, uint64_t stream,
                   uint64_t event) {
    tn_emit(&(struct tn_mem_event)TN_MEM_INIT(.kind = (uint16_t)kind, .device = device->ordinal,
                                              .stream = stream, .object = event,
                                              .other = (uintptr_t)device->platform));
}

void tn_emit_device_sync(const struct tn_platform *platform, int ordinal) {
    tn_emit_order(TN_MEM_DEVICE_SYNC, &platform->devices[ordinal], 0, 0);
}
