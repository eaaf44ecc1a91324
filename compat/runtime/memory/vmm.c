// SPDX-License-Identifier: Apache-2.0
// See vmm.h: ranges of addresses, mappings and rights. The file has no state.
#include "compat/runtime/memory/vmm.h"

#include <stdlib.h>
#include <string.h>

#include <tarn/annotate.h>

#include "compat/face/fidelity.h"
#include "compat/runtime/memory/block.h"
#include "compat/runtime/memory/multicast.h"
#include "compat/runtime/memory/policy.h"
#include "compat/runtime/stream/stream.h"

tn_rt_error tn_rt_vmm_check(void) {
    const tarn_device_info *info = &tn_rt_devices.of[0].info; // one for the platform
    return (info->features & TARN_FEATURE_VMM) != 0
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_NOT_SUPPORTED, "%.60s has no virtual memory management",
                            info->name);
}

// ---- ranges

tn_rt_error tn_rt_space_reserve(void **ptr, size_t size, size_t alignment, const void *wish,
                                unsigned long long flags) {
    tarn_addr addr = 0;
    TN_RT_TRY(tn_rt_vmm_check());
    uint64_t granularity = tn_rt_devices.of[0].info.granularity_minimum;
    TN_RT_REFUSE(ptr == NULL || flags != 0, TN_RT_INVALID_VALUE, "ptr %p, flags 0x%llx",
                 (void *)ptr, flags);
    TN_RT_REFUSE(size == 0 || size % granularity != 0, tn_rt_memory_policy.range_error,
                 "size %zu is 0 or not a multiple of the granularity %llu", size,
                 (unsigned long long)granularity);
    TN_RT_REFUSE((alignment & (alignment - 1)) != 0, tn_rt_memory_policy.range_error,
                 "alignment %zu is not a power of two", alignment);
    tn_rt_error error = tn_rt_error_of(
        tarn_space_reserve(tn_rt_devices.of[0].tarn, size, alignment, TARN_ADDR(wish), &addr));
    TN_FACE_DIFFERS(reserve_alignment, error == TN_RT_OK && alignment > granularity);
    TN_FACE_DIFFERS(reserve_hint, error == TN_RT_OK && wish != NULL);
    if (error == TN_RT_OK || error == TN_RT_OUT_OF_MEMORY) *ptr = (void *)(uintptr_t)addr;
    return error;
}

tn_rt_error tn_rt_space_free(const void *ptr, size_t size) {
    TN_RT_TRY(tn_rt_vmm_check());
    return tn_rt_error_or(tarn_space_release_sized(TARN_ADDR(ptr), size), TN_RT_INVALID_VALUE);
}

// ---- mappings

// A size of 0 is refused by Tarn.
static tn_rt_error check_complete(tarn_phys phys, size_t size) {
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    if (size == 0) return TN_RT_OK;
    TN_RT_TRY(tn_rt_error_or(tarn_phys_query(phys, &info), TN_RT_INVALID_VALUE));
    TN_RT_REFUSE(size != info.bytes, TN_RT_NOT_SUPPORTED,
                 "%zu bytes are not the size of the handle", size);
    return TN_RT_OK;
}

tn_rt_error tn_rt_map(const void *ptr, size_t size, size_t offset, const void *handle,
                      unsigned long long flags) {
    tarn_phys phys = tn_rt_phys_of(handle);
    TN_RT_TRY(tn_rt_vmm_check());
    TN_RT_REFUSE(flags != 0, TN_RT_INVALID_VALUE, "flags 0x%llx, only 0 is defined", flags);
    TN_RT_REFUSE(offset != 0,
                 tn_rt_memory_policy.maps_whole ? TN_RT_NOT_SUPPORTED : TN_RT_INVALID_VALUE,
                 "offset %zu, only 0 is supported", offset);
    if (tn_rt_memory_policy.maps_whole) TN_RT_TRY(check_complete(phys, size));
    TN_RT_TRY(tn_rt_multicast_wait(phys));
    return tn_rt_error_or(tarn_map(TARN_ADDR(ptr), size, phys), TN_RT_INVALID_VALUE);
}

// Unmaps each mapping in a range of a reservation, or only checks that the range cuts none.
static tarn_status unmap_pieces(tarn_addr at, uint64_t bytes, uint32_t flags, bool check) {
    const uint64_t step = tn_rt_devices.of[0].info.granularity_minimum;
    tarn_status status = TARN_OK;
    for (tarn_addr end = at + bytes; at < end && status == TARN_OK;) {
        tarn_address_block piece = TARN_INIT(tarn_address_block);
        (void)tarn_address_find(at, &piece);
        bool mapped = piece.kind == TARN_ADDRESS_MAPPED;
        if (piece.owner != TARN_OWNER_APPLICATION ||
            (mapped ? piece.start != at || piece.bytes > end - at
                    : piece.kind != TARN_ADDRESS_RESERVED))
            return TARN_BAD_ADDRESS;
        if (mapped && !check) status = tarn_unmap(at, piece.bytes, flags);
        at += mapped ? piece.bytes : step;
    }
    return status;
}

// Returns true if the range begins in a mapping and ends behind it.
static bool is_of_several(const void *ptr, size_t size) {
    tarn_address_block piece = TARN_INIT(tarn_address_block);
    (void)tarn_address_find(TARN_ADDR(ptr), &piece);
    return piece.kind == TARN_ADDRESS_MAPPED && piece.start + piece.bytes - TARN_ADDR(ptr) < size;
}

static bool has_work(void) {
    bool busy = false;
    for (int i = 0; i < tn_rt_devices.count; i++) {
        const struct tn_face_device *device = &tn_rt_devices.of[i];
        struct tn_rt_stream *stream = tn_rt_streams_lock(device);
        for (; stream != NULL; stream = stream->next)
            busy = busy || tn_rt_stream_poll(stream) == TN_RT_NOT_READY;
        tn_rt_streams_unlock();
        busy = busy || tn_rt_stream_poll(tn_rt_null_stream(device)) == TN_RT_NOT_READY;
    }
    return busy;
}

// AMD's release unmaps by a command of the null stream of the memory's device, and waits for that.
// The program may rely on this part of the wait, so tools see it.
static void wait_for_null_stream(const void *ptr) {
    tarn_address_block piece = TARN_INIT(tarn_address_block);
    (void)tarn_address_find(TARN_ADDR(ptr), &piece);
    if (piece.kind != TARN_ADDRESS_MAPPED || piece.location.type != TARN_LOCATION_DEVICE) return;
    const struct tn_face_device *device = tn_rt_device(tn_rt_ordinal_of(piece.location.id));
    if (device == NULL) return; // it is not visible, so the program has no stream of it
    struct tn_rt_stream *null = tn_rt_null_stream(device);
    if (tn_rt_stream_poll(null) == TN_RT_NOT_READY)
        (void)tarn_stream_synchronize(null->tarn, TARN_FOREVER);
}

tn_rt_error tn_rt_unmap(const void *ptr, size_t size) {
    const tarn_addr at = TARN_ADDR(ptr);
    TN_RT_TRY(tn_rt_vmm_check());
    TN_FACE_DIFFERS(unmap_waits, has_work());
    TN_FACE_DIFFERS(unmap_several, is_of_several(ptr, size));
    uint32_t flags = tn_rt_memory_policy.unmaps_at_once           ? TARN_NO_WAIT
                     : tn_rt_memory_policy.unmap_promises_no_wait ? TARN_WAIT_UNSEEN
                                                                  : 0;
    if (flags == TARN_WAIT_UNSEEN && tarn_annotate_subscribed()) wait_for_null_stream(ptr);
    tarn_status status = tarn_unmap(at, size, flags);
    if (status == TARN_NOT_MAPPED && tn_rt_memory_policy.unmaps_gaps) {
        status = unmap_pieces(at, size, flags, true);
        if (status == TARN_OK) status = unmap_pieces(at, size, flags, false);
    }
    if (status == TARN_OK) tn_rt_multicast_sweep();
    return tn_rt_error_or(status, TN_RT_INVALID_VALUE);
}

// ---- rights

#define FEW_GRANTS 8 // need no allocation

// Returns true if the location is not a device, and the CPU cannot get rights to the memory of
// devices.
static bool is_barred(struct tn_rt_location location) {
    return location.type != (int)TARN_LOCATION_DEVICE &&
           (tn_rt_devices.of[0].info.features & TARN_FEATURE_HOST_ACCESS) == 0;
}

// In these functions an unknown device is an invalid value.
static tn_rt_error convert_location(struct tn_rt_location given, tarn_location *location) {
    return tn_rt_location(given.type, given.id, location) == TN_RT_OK ? TN_RT_OK
                                                                      : TN_RT_INVALID_VALUE;
}

// By a policy the host has rights to its own memory only.
static tn_rt_error check_host(const void *ptr, size_t size) {
    struct tn_rt_block block;
    for (tarn_addr at = TARN_ADDR(ptr); tn_rt_memory_policy.host_has_no_rights && size > 0;) {
        if (!tn_rt_block_query((const void *)(uintptr_t)at, &block)) break;
        TN_RT_REFUSE(block.kind == TN_RT_BLOCK_MAPPED && block.device != NULL, TN_RT_NOT_SUPPORTED,
                     "the host can have no rights to memory of device %d", block.device->ordinal);
        size_t left = block.bytes - (size_t)(at - block.start);
        at += left;
        size -= left < size ? left : size;
    }
    return TN_RT_OK;
}

// NOT_SUPPORTED is the error only if the platform cannot give rights to the host. A device without
// access is an invalid value.
static tn_rt_error set_access(const void *ptr, size_t size, const void *descs, size_t count,
                              tarn_grant *grants) {
    bool barred = false;
    for (size_t i = 0; i < count; i++) {
        struct tn_rt_access desc;
        memcpy(&desc, (const char *)descs + i * sizeof desc, sizeof desc);
        TN_RT_TRY(convert_location(desc.location, &grants[i].location));
        grants[i].access = (tarn_access)desc.flags;
        barred = barred || is_barred(desc.location);
        if (desc.location.type != (int)TARN_LOCATION_DEVICE && desc.flags != TARN_ACCESS_NONE)
            TN_RT_TRY(check_host(ptr, size));
    }
    tn_rt_error error = tn_rt_error_or(tarn_map_set_access(TARN_ADDR(ptr), size, grants, count),
                                       TN_RT_INVALID_VALUE);
    return error == TN_RT_NOT_SUPPORTED && !barred ? TN_RT_INVALID_VALUE : error;
}

tn_rt_error tn_rt_map_set_access(const void *ptr, size_t size, const void *descs, size_t count) {
    tarn_grant few[FEW_GRANTS];
    tarn_grant *grants = few;
    TN_RT_TRY(tn_rt_vmm_check());
    TN_RT_REFUSE(descs == NULL || count == 0, TN_RT_INVALID_VALUE, "desc %p, count %zu", descs,
                 count);
    if (count > FEW_GRANTS) grants = calloc(count, sizeof *grants);
    TN_RT_REFUSE(grants == NULL, TN_RT_OUT_OF_MEMORY, "no memory for %zu descriptions", count);
    tn_rt_error error = set_access(ptr, size, descs, count, grants);
    TN_FACE_DIFFERS(access_order, error != TN_RT_OK && count > 1);
    TN_FACE_DIFFERS(access_several, error == TN_RT_OK && is_of_several(ptr, size));
    TN_FACE_DIFFERS(access_host,
                    error == TN_RT_OK && grants[0].location.type != TARN_LOCATION_DEVICE);
    if (grants != few) free(grants);
    return error;
}

tn_rt_error tn_rt_map_get_access(unsigned long long *flags, const void *location, const void *ptr) {
    struct tn_rt_location given;
    tarn_location place;
    tarn_access access = TARN_ACCESS_NONE;
    TN_RT_TRY(tn_rt_vmm_check());
    TN_RT_REFUSE(flags == NULL || location == NULL, TN_RT_INVALID_VALUE, "flags %p, location %p",
                 (void *)flags, location);
    memcpy(&given, location, sizeof given);
    TN_RT_TRY(convert_location(given, &place));
    TN_RT_REFUSE(is_barred(given), TN_RT_INVALID_VALUE,
                 "the host cannot have rights on this platform");
    TN_RT_TRY(
        tn_rt_error_or(tarn_map_get_access(TARN_ADDR(ptr), place, &access), TN_RT_INVALID_VALUE));
    *flags = (unsigned long long)access;
    return TN_RT_OK;
}
