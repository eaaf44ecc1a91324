// SPDX-License-Identifier: Apache-2.0
// Managed memory. Tarn implements it as pinned host memory that never migrates. Advice and prefetch
// hints are stored and returned by queries, and have no other effect.
#include "compat/hip/face.h"
#include "compat/runtime/advice.h"
#include "compat/runtime/memory.h"
#include "compat/runtime/order.h"

#include <hip/detail/device.h>
#include <hip/detail/memory.h>

#include <string.h>

static tn_rt_error alloc_managed(void **ptr, size_t size, unsigned flags) {
    if (ptr == NULL || size == 0 || (flags != hipMemAttachGlobal && flags != hipMemAttachHost)) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "dev_ptr %p, %zu bytes, flags 0x%x", (void *)ptr,
                          size, flags);
    }
    return tn_rt_host_alloc(TN_RT_BLOCK_MANAGED, ptr, size, flags);
}

hipError_t hipMallocManaged(void **dev_ptr, size_t size, unsigned int flags) {
    return TN_HIP_UNCAPTURED_CALL(alloc_managed(dev_ptr, size, flags));
}

// ---- ranges

struct range {
    const void *ptr;
    size_t count;
};

// Finds the block of one of these kinds that holds a range, and the range's position in it.
static tn_rt_error find_range(struct range range, unsigned kinds, struct tn_rt_block *block,
                              struct tn_rt_range *inside) {
    TN_RT_TRY(tn_rt_block_find(range.ptr, kinds, block));
    size_t first = (size_t)(TARN_ADDR(range.ptr) - block->start);
    if (range.count > block->bytes - first) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "%zu bytes at %p leave their block of %zu bytes",
                          range.count, range.ptr, block->bytes);
    }
    *inside = (struct tn_rt_range){first, first + range.count};
    return TN_RT_OK;
}

static tn_rt_error find_managed(struct range range, struct tn_rt_block *block,
                                struct tn_rt_range *inside) {
    return find_range(range, TN_RT_BLOCK_MANAGED, block, inside);
}

static tn_rt_error check_range(struct range range) {
    return range.ptr != NULL && range.count != 0
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "%zu bytes at %p", range.count, range.ptr);
}

// ---- advice

static uint64_t bit_of(int device) {
    return UINT64_C(1) << (device + 1);
}

// Advice of HIP, or a prefetch hint, which is stored in the same way.
#define PREFETCH 0

struct edit {
    struct range range;
    int advice; // hipMemoryAdvise or PREFETCH
    int device;
};

static void edit_usage(struct tn_rt_usage *usage, const void *arg) {
    const struct edit *edit = (const struct edit *)arg;
    switch (edit->advice) {
    case PREFETCH:
        usage->prefetched = edit->device;
        break;
    case hipMemAdviseSetReadMostly:
    case hipMemAdviseUnsetReadMostly:
        usage->read_mostly = edit->advice == hipMemAdviseSetReadMostly;
        break;
    case hipMemAdviseSetPreferredLocation:
        usage->preferred = edit->device;
        break;
    case hipMemAdviseUnsetPreferredLocation:
        usage->preferred = hipInvalidDeviceId;
        break;
    case hipMemAdviseSetAccessedBy:
        usage->accessed |= bit_of(edit->device);
        break;
    case hipMemAdviseUnsetAccessedBy:
        usage->accessed &= ~bit_of(edit->device);
        break;
    default: // hipMemAdviseSetCoarseGrain, hipMemAdviseUnsetCoarseGrain
        usage->coarse = edit->advice == hipMemAdviseSetCoarseGrain;
    }
}

static tn_rt_error check_location(int device) {
    return device == hipCpuDeviceId ? TN_RT_OK : tn_rt_check_device(device);
}

static tn_rt_error apply_edit(const struct edit *edit) {
    struct tn_rt_block block;
    struct tn_rt_range inside;
    struct tn_rt_record *record = NULL;
    TN_RT_TRY(find_managed(edit->range, &block, &inside));
    tn_rt_records_lock();
    tn_rt_error error = tn_rt_record_make(&block, &record);
    if (error == TN_RT_OK) {
        error = tn_rt_advice_apply(&record->advice, block.bytes, inside, edit_usage, edit);
    }
    tn_rt_records_unlock();
    if (record != NULL) {
        tn_rt_record_put(record);
    }
    return error;
}

// Only the two advices ReadMostly ignore the device.
static tn_rt_error check_advised(int advice, int device) {
    return advice == hipMemAdviseSetReadMostly || advice == hipMemAdviseUnsetReadMostly
               ? TN_RT_OK
               : check_location(device);
}

// The arguments have been checked, except the advice.
static tn_rt_error advise_checked(struct range range, int advice, int device) {
    const struct edit edit = {range, advice, device};
    bool known = (advice >= hipMemAdviseSetReadMostly && advice <= hipMemAdviseUnsetAccessedBy) ||
                 advice == hipMemAdviseSetCoarseGrain || advice == hipMemAdviseUnsetCoarseGrain;
    return known ? apply_edit(&edit)
                 : tn_rt_fail(TN_RT_INVALID_VALUE, "%d is not an advice", advice);
}

static tn_rt_error advise_range(struct range range, int advice, int device) {
    TN_RT_TRY(tn_rt_policy.advice_checks_range_first ? check_range(range) : TN_RT_OK);
    TN_RT_TRY(check_advised(advice, device));
    TN_RT_TRY(check_range(range));
    return advise_checked(range, advice, device);
}

hipError_t hipMemAdvise(const void *dev_ptr, size_t count, hipMemoryAdvise advice, int device) {
    return TN_HIP_UNCAPTURED_SETTING_CALL(
        advise_range((struct range){dev_ptr, count}, (int)advice, device));
}

// Returns the device that a location means, or hipCpuDeviceId for every location of the host only.
static int device_of(hipMemLocation location) {
    switch (location.type) {
    case hipMemLocationTypeHost:
    case hipMemLocationTypeHostNuma:
    case hipMemLocationTypeHostNumaCurrent:
        return hipCpuDeviceId;
    default:
        return location.id != hipCpuDeviceId ? location.id : hipInvalidDeviceId;
    }
}

static tn_rt_error advise_location(struct range range, int advice, hipMemLocation location) {
    int device = device_of(location);
    TN_RT_TRY(check_range(range));
    if (location.type < hipMemLocationTypeDevice ||
        location.type > hipMemLocationTypeHostNumaCurrent) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "location type %d, 1 to 4 are defined",
                          (int)location.type);
    }
    TN_RT_TRY(check_advised(advice, device));
    return advise_checked(range, advice, device);
}

hipError_t hipMemAdvise_v2(const void *dev_ptr, size_t count, hipMemoryAdvise advice,
                           hipMemLocation location) {
    return TN_HIP_UNCAPTURED_CALL(
        advise_location((struct range){dev_ptr, count}, (int)advice, location));
}

// ---- queries

struct answer {
    struct tn_rt_usage usage;
    enum tn_rt_coherency coherency;
};

static tn_rt_error query_advice(struct range range, struct answer *answer) {
    struct tn_rt_block block;
    struct tn_rt_range inside;
    TN_RT_TRY(find_managed(range, &block, &inside));
    struct tn_rt_record *record = tn_rt_record_get(&block);
    tn_rt_records_lock();
    answer->usage =
        tn_rt_advice_query(record != NULL ? record->advice : NULL, inside, &answer->coherency);
    tn_rt_records_unlock();
    if (record != NULL) {
        tn_rt_record_put(record);
    }
    return TN_RT_OK;
}

static tn_rt_error check_attribute(const void *data, size_t size, hipMemRangeAttribute attribute) {
    bool good = data != NULL;
    switch (attribute) {
    case hipMemRangeAttributeReadMostly:
    case hipMemRangeAttributePreferredLocation:
    case hipMemRangeAttributeLastPrefetchLocation:
    case hipMemRangeAttributeCoherencyMode:
        good = good && size == sizeof(int);
        break;
    case hipMemRangeAttributeAccessedBy:
        good = good && size != 0 && size % sizeof(int) == 0;
        break;
    default:
        good = false;
    }
    return good ? TN_RT_OK
                : tn_rt_fail(TN_RT_INVALID_VALUE, "attribute %d, %zu bytes at %p", (int)attribute,
                             size, data);
}

static void list_devices(uint64_t accessed, int *list, size_t room) {
    size_t count = 0;
    for (int device = hipCpuDeviceId; device < TN_RT_DEVICES && count < room; device++) {
        if ((accessed & bit_of(device)) != 0) {
            list[count++] = device;
        }
    }
    while (count < room) {
        list[count++] = hipInvalidDeviceId;
    }
}

static void write_attribute(const struct answer *answer, void *data, size_t size,
                            hipMemRangeAttribute attribute) {
    int value = 0;
    switch (attribute) {
    case hipMemRangeAttributeReadMostly:
        value = answer->usage.read_mostly;
        break;
    case hipMemRangeAttributePreferredLocation:
        value = answer->usage.preferred;
        break;
    case hipMemRangeAttributeLastPrefetchLocation:
        value = answer->usage.prefetched;
        break;
    case hipMemRangeAttributeCoherencyMode:
        value = (int)answer->coherency;
        break;
    case hipMemRangeAttributeAccessedBy:
        list_devices(answer->usage.accessed, (int *)data, size / sizeof(int));
        return;
    }
    memcpy(data, &value, sizeof value);
}

static tn_rt_error get_attributes(void **data, const size_t *sizes,
                                  const hipMemRangeAttribute *attributes, size_t count,
                                  struct range range) {
    struct answer answer;
    if (data == NULL || sizes == NULL || attributes == NULL || count == 0) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "data %p, sizes %p, attributes %p, %zu of them",
                          (void *)data, (const void *)sizes, (const void *)attributes, count);
    }
    TN_RT_TRY(check_range(range));
    for (size_t i = 0; i < count; i++) {
        TN_RT_TRY(check_attribute(data[i], sizes[i], attributes[i]));
    }
    TN_RT_TRY(query_advice(range, &answer));
    for (size_t i = 0; i < count; i++) {
        write_attribute(&answer, data[i], sizes[i], attributes[i]);
    }
    return TN_RT_OK;
}

hipError_t hipMemRangeGetAttributes(void **data, size_t *data_sizes,
                                    hipMemRangeAttribute *attributes, size_t num_attributes,
                                    const void *dev_ptr, size_t count) {
    return TN_HIP_CALL(get_attributes(data, data_sizes, attributes, num_attributes,
                                      (struct range){dev_ptr, count}));
}

// Memory of hipMalloc() has this attribute too, if it is asked for alone: it is coherent with the
// CPU.
static tn_rt_error get_coherency(void *data, size_t size, struct range range) {
    const unsigned kinds = TN_RT_BLOCK_MANAGED | TN_RT_BLOCK_DEVICE;
    const hipMemRangeAttribute attribute = hipMemRangeAttributeCoherencyMode;
    const int fine = hipMemRangeCoherencyModeFineGrain;
    struct tn_rt_block block;
    struct tn_rt_range inside;
    TN_RT_TRY(check_range(range));
    TN_RT_TRY(check_attribute(data, size, attribute));
    TN_RT_TRY(find_range(range, kinds, &block, &inside));
    if (block.kind == TN_RT_BLOCK_MANAGED) {
        return get_attributes(&data, &size, &attribute, 1, range);
    }
    memcpy(data, &fine, sizeof fine);
    return TN_RT_OK;
}

static tn_rt_error get_one(void *data, size_t size, hipMemRangeAttribute attribute,
                           struct range range) {
    return attribute == hipMemRangeAttributeCoherencyMode
               ? get_coherency(data, size, range)
               : get_attributes(&data, &size, &attribute, 1, range);
}

hipError_t hipMemRangeGetAttribute(void *data, size_t data_size, hipMemRangeAttribute attribute,
                                   const void *dev_ptr, size_t count) {
    return TN_HIP_CALL(get_one(data, data_size, attribute, (struct range){dev_ptr, count}));
}

// ---- functions with a stream: they only check that the stream exists

static tn_rt_error check_stream(hipStream_t stream) {
    struct tn_rt_where where;
    TN_RT_TRY(tn_rt_stream_begin(stream, &where));
    tn_rt_stream_end(&where);
    return TN_RT_OK;
}

// The devices cannot access pageable memory (hipDeviceAttributePageableMemoryAccess is 0). It is
// where the CPU is, so that a prefetch to the CPU has nothing to do.
static tn_rt_error prefetch_pageable(const void *ptr, int device) {
    return device == hipCpuDeviceId
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_NOT_SUPPORTED, "device %d cannot access pageable memory %p",
                            device, ptr);
}

static tn_rt_error prefetch_range(struct range range, int device, hipStream_t stream) {
    const struct edit edit = {range, PREFETCH, device};
    struct tn_rt_block block;
    struct tn_rt_range inside;
    bool pageable = tn_rt_block_is_ordinary(range.ptr);
    TN_RT_TRY(check_range(range));
    TN_RT_TRY(check_stream(stream));
    if (!pageable) {
        TN_RT_TRY(find_managed(range, &block, &inside));
    }
    TN_RT_TRY(check_location(device));
    return pageable ? prefetch_pageable(range.ptr, device) : apply_edit(&edit);
}

hipError_t hipMemPrefetchAsync(const void *dev_ptr, size_t count, int device, hipStream_t stream) {
    return TN_HIP_CALL(prefetch_range((struct range){dev_ptr, count}, device, stream));
}

static tn_rt_error prefetch_to_location(struct range range, hipMemLocation location, unsigned flags,
                                        hipStream_t stream) {
    return flags == 0 ? prefetch_range(range, device_of(location), stream)
                      : tn_rt_fail(TN_RT_INVALID_VALUE, "flags 0x%x are not 0", flags);
}

hipError_t hipMemPrefetchAsync_v2(const void *dev_ptr, size_t count, hipMemLocation location,
                                  unsigned int flags, hipStream_t stream) {
    return TN_HIP_UNCAPTURED_CALL(
        prefetch_to_location((struct range){dev_ptr, count}, location, flags, stream));
}

static tn_rt_error check_attachment(hipStream_t stream, const void *ptr, unsigned flags) {
    TN_RT_TRY(tn_rt_check_pointer(ptr, "dev_ptr"));
    TN_RT_TRY(check_stream(stream));
    if (flags != hipMemAttachGlobal && flags != hipMemAttachHost && flags != hipMemAttachSingle) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "flags 0x%x", flags);
    }
    return flags != hipMemAttachSingle || (stream != NULL && stream != hipStreamLegacy)
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE,
                            "memory cannot be attached to the NULL stream alone");
}

// Only managed memory can be attached. For other memory of HIP the call has no effect.
static tn_rt_error attach_to_stream(hipStream_t stream, const void *ptr, size_t length,
                                    unsigned flags) {
    struct tn_rt_block block;
    TN_RT_TRY(check_attachment(stream, ptr, flags));
    if (!tn_rt_block_query(ptr, &block)) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "%p is not in memory of HIP", ptr);
    }
    return block.kind != TN_RT_BLOCK_MANAGED || length == 0 || length == block.bytes
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "length %zu is neither 0 nor the %zu of %p",
                            length, block.bytes, ptr);
}

hipError_t hipStreamAttachMemAsync(hipStream_t stream, void *dev_ptr, size_t length,
                                   unsigned int flags) {
    return TN_HIP_CALL(attach_to_stream(stream, dev_ptr, length, flags));
}
