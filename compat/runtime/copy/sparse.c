// SPDX-License-Identifier: Apache-2.0
// See array.h: sparse and deferred arrays. The file has no state.
#include <stdlib.h>
#include <string.h>

#include "compat/face/scope.h"
#include "compat/runtime/copy/array.h"
#include "compat/runtime/copy/policy.h"
#include "compat/runtime/memory/vmm.h"
#include "compat/runtime/stream/order.h"

// An array that is not a level: plain or mipmapped.
struct whole {
    tarn_array tarn;
    const struct tn_face_device *device;
    unsigned flags;
};

static tn_rt_error whole_of_array(const void *handle, struct whole *whole) {
    TN_RT_GET(tn_rt_array, array, tn_rt_array_get(handle, &array));
    *whole = (struct whole){array->tarn, array->device, array->shape.flags};
    return array->is_level ? tn_rt_fail(TN_RT_INVALID_VALUE, "array 0x%llx is level %u of another",
                                        (unsigned long long)(uintptr_t)handle, array->level)
                           : TN_RT_OK;
}

typedef tn_rt_error (*mipmap_search)(const void *given, struct tn_rt_mipmap **mipmap);

static tn_rt_error whole_of_mipmap(mipmap_search search, const void *given, struct whole *whole) {
    TN_RT_GET(tn_rt_mipmap, mipmap, search(given, &mipmap));
    *whole = (struct whole){mipmap->tarn, mipmap->device, mipmap->shape.flags};
    return TN_RT_OK;
}

// ---- queries

static tn_rt_error find_whole(const void *given, bool is_mipmap, struct whole *whole) {
    return is_mipmap ? whole_of_mipmap(tn_rt_mipmap_find, given, whole)
                     : whole_of_array(given, whole);
}

tn_rt_error tn_rt_array_sparse(void *out, const void *array, bool is_mipmap) {
    tarn_array_sparse_info info = TARN_INIT(tarn_array_sparse_info);
    struct whole whole;
    TN_RT_TRY(tn_rt_check_pointer(out, "properties"));
    TN_RT_TRY(find_whole(array, is_mipmap, &whole));
    TN_RT_TRY(tn_rt_error_of(tarn_array_query_sparse(whole.tarn, &info)));
    const struct tn_rt_sparse sparse = {
        .tile = {(unsigned)info.tile.width, (unsigned)info.tile.height, (unsigned)info.tile.depth},
        .tail_level = is_mipmap ? info.sparse_levels : 0,
        .tail_bytes = info.tail_bytes,
        .flags = info.single_tail,
    };
    memcpy(out, &sparse, sizeof sparse);
    return TN_RT_OK;
}

tn_rt_error tn_rt_array_needs(void *out, const void *array, bool is_mipmap, int ordinal) {
    tarn_array_info info = TARN_INIT(tarn_array_info);
    struct whole whole;
    TN_RT_TRY(tn_rt_check_pointer(out, "requirements"));
    TN_RT_TRY(find_whole(array, is_mipmap, &whole));
    TN_RT_TRY(tn_rt_check_device(ordinal));
    TN_RT_REFUSE(tn_rt_device(ordinal) != whole.device, TN_RT_INVALID_VALUE,
                 "the array is on device %d, not on %d", whole.device->ordinal, ordinal);
    TN_RT_REFUSE((whole.flags & TN_RT_ARRAY_DEFERRED) == 0, TN_RT_INVALID_VALUE,
                 "the array is not deferred, its flags are 0x%x", whole.flags);
    TN_RT_TRY(tn_rt_error_of(tarn_array_query(whole.tarn, &info)));
    const struct tn_rt_needs needs = {.bytes = info.memory_bytes,
                                      .alignment = info.memory_alignment};
    memcpy(out, &needs, sizeof needs);
    return TN_RT_OK;
}

// ---- mapping

static tn_rt_error check_part(const struct tn_rt_array_part *part,
                              const struct tn_face_device *device) {
    TN_RT_REFUSE(part->flags != 0 || part->reserved[0] != 0 || part->reserved[1] != 0,
                 TN_RT_INVALID_VALUE, "flags 0x%x, reserved 0x%x and 0x%x are not 0", part->flags,
                 part->reserved[0], part->reserved[1]);
    TN_RT_REFUSE(part->op != TARN_ARRAY_MAP && part->op != TARN_ARRAY_UNMAP, TN_RT_INVALID_VALUE,
                 "operation %u is neither map nor unmap", part->op);
    TN_RT_REFUSE(part->device_mask != 1u << device->ordinal, TN_RT_INVALID_VALUE,
                 "device mask 0x%x is not the bit of the stream's device %d", part->device_mask,
                 device->ordinal);
    return TN_RT_OK;
}

static tn_rt_error read_part(const struct tn_rt_array_part *part, tarn_array_map_item *item) {
    switch (part->part) {
    case TARN_ARRAY_TILES:
        item->layer = part->tiles.layer;
        item->level = part->tiles.level;
        for (int i = 0; i < 3; i++) item->offset[i] = part->tiles.offset[i];
        item->extent =
            (tarn_extent){part->tiles.extent[0], part->tiles.extent[1], part->tiles.extent[2]};
        break;
    case TARN_ARRAY_TAIL:
        item->layer = part->tail.layer;
        item->tail_offset = part->tail.offset;
        item->tail_bytes = part->tail.bytes;
        break;
    default:
        return tn_rt_fail(TN_RT_INVALID_VALUE, "subresource type %u is neither level nor tail",
                          part->part);
    }
    item->part = (tarn_array_part)part->part;
    return TN_RT_OK;
}

static tn_rt_error read_memory(const struct tn_rt_array_part *part, tarn_array_map_item *item) {
    item->op = (tarn_array_op)part->op;
    if (item->op == TARN_ARRAY_UNMAP) {
        return part->memory == NULL
                   ? TN_RT_OK
                   : tn_rt_fail(TN_RT_INVALID_VALUE,
                                "unmapping takes no memory, but memHandle is 0x%llx",
                                (unsigned long long)(uintptr_t)part->memory);
    }
    TN_RT_REFUSE(part->handle_type != 0, TN_RT_INVALID_VALUE, "handle type %u is not generic",
                 part->handle_type);
    TN_RT_REFUSE(part->memory == NULL, TN_RT_INVALID_HANDLE, "memHandle is NULL");
    item->phys = tn_rt_phys_of(part->memory);
    item->phys_offset = part->offset;
    return TN_RT_OK;
}

// An entry begins with a type and, at the next pointer, the handle of the array.
static tn_rt_error read_entry(const char *entry, const struct tn_face_device *device,
                              tarn_array_map_item *item) {
    struct {
        unsigned type; // 0: an array; 1: a mipmapped one
        const void *handle;
    } array;
    struct tn_rt_array_part part;
    struct whole whole;
    memcpy(&array, entry, sizeof array);
    memcpy(&part, entry + sizeof(void *) + tn_rt_copy_policy.array_entry_bytes, sizeof part);
    TN_RT_TRY(check_part(&part, device));
    TN_RT_REFUSE(array.type > 1, TN_RT_INVALID_VALUE, "resource type %u is not an array",
                 array.type);
    TN_RT_TRY(array.type == 0 ? whole_of_array(array.handle, &whole)
                              : whole_of_mipmap(tn_rt_mipmap_get, array.handle, &whole));
    item->array = whole.tarn;
    // A deferred array is mapped completely, so the part is ignored.
    if ((whole.flags & TN_RT_ARRAY_DEFERRED) == 0) TN_RT_TRY(read_part(&part, item));
    return read_memory(&part, item);
}

tn_rt_error tn_rt_array_map(const void *list, unsigned count, void *stream) {
    const size_t stride =
        sizeof(void *) + tn_rt_copy_policy.array_entry_bytes + sizeof(struct tn_rt_array_part);
    struct tn_rt_where where;
    TN_RT_TRY(tn_rt_vmm_check());
    TN_RT_REFUSE(list == NULL || count == 0, TN_RT_INVALID_VALUE, "mapInfoList %p, count %u", list,
                 count);
    TN_RT_REFUSE(!tn_rt_copy_policy.sparse, TN_RT_NOT_SUPPORTED, "sparse arrays are off; %s is on",
                 tn_rt_copy_policy.sparse_variable);
    TN_RT_TRY(tn_rt_stream_begin(stream, &where));
    tn_rt_error error = TN_RT_OK;
    tarn_array_map_item *items = (tarn_array_map_item *)calloc(count, sizeof *items);
    if (items == NULL)
        error = tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for %u entries", count);
    for (unsigned i = 0; i < count && error == TN_RT_OK; i++)
        error = read_entry((const char *)list + i * stride, where.device, &items[i]);
    if (error == TN_RT_OK) {
        tarn_status status = tarn_array_map(items, count, where.stream);
        error = status == TARN_BAD_DEVICE ? tn_rt_error_or(status, TN_RT_INVALID_VALUE)
                                          : tn_rt_error_of(status);
    }
    free(items);
    tn_rt_stream_end(&where);
    return error;
}
