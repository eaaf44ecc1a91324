// SPDX-License-Identifier: Apache-2.0
// See managed.h. Managed memory is host memory that never migrates. Its pages are taken when they are
// first touched, so that a program may allocate more of it than a device has. The file has no state.
#include "compat/runtime/memory/managed.h"

#include <string.h>

#include "compat/face/scope.h"
#include "compat/runtime/memory/advice.h"
#include "compat/runtime/memory/memory.h"
#include "compat/runtime/memory/policy.h"
#include "compat/runtime/stream/order.h"

tn_rt_error tn_rt_managed_alloc(void **ptr, size_t size, unsigned flags) {
    TN_RT_REFUSE(
        ptr == NULL || size == 0 || (flags != TN_RT_ATTACH_GLOBAL && flags != TN_RT_ATTACH_HOST),
        TN_RT_INVALID_VALUE, "dev_ptr %p, %zu bytes, flags 0x%x", (void *)ptr, size, flags);
    return tn_rt_host_alloc(TN_RT_BLOCK_MANAGED, ptr, size, flags);
}

// ---- ranges

struct span {
    const void *ptr;
    size_t count; // bytes
};

// Finds the block of one of these kinds that holds a range, and the range's position in it.
static tn_rt_error find_range(struct span range, unsigned kinds, struct tn_rt_block *block,
                              struct tn_rt_range *inside) {
    TN_RT_TRY(tn_rt_block_find(range.ptr, kinds, block));
    size_t first = (size_t)(TARN_ADDR(range.ptr) - block->start);
    TN_RT_REFUSE(range.count > block->bytes - first, TN_RT_INVALID_VALUE,
                 "%zu bytes at %p leave their block of %zu bytes", range.count, range.ptr,
                 block->bytes);
    *inside = (struct tn_rt_range){first, first + range.count};
    return TN_RT_OK;
}

static tn_rt_error find_managed(struct span range, struct tn_rt_block *block,
                                struct tn_rt_range *inside) {
    return find_range(range, TN_RT_BLOCK_MANAGED, block, inside);
}

static tn_rt_error check_span(struct span range) {
    return range.ptr != NULL && range.count != 0
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "%zu bytes at %p", range.count, range.ptr);
}

// ---- advice

static uint64_t bit_of(int device) { return UINT64_C(1) << (device + 1); }

// Advice, or a prefetch hint, which is stored in the same way.
#define PREFETCH 0

struct edit {
    struct span range;
    int advice; // or PREFETCH
    int device;
};

static void edit_usage(struct tn_rt_usage *usage, const void *arg) {
    const struct edit *edit = (const struct edit *)arg;
    switch (edit->advice) {
    case PREFETCH: usage->prefetched = edit->device; break;
    case TN_RT_ADVISE_READ_MOSTLY:
    case TN_RT_UNADVISE_READ_MOSTLY:
        usage->read_mostly = edit->advice == TN_RT_ADVISE_READ_MOSTLY;
        break;
    case TN_RT_ADVISE_PREFERRED: usage->preferred = edit->device; break;
    case TN_RT_UNADVISE_PREFERRED: usage->preferred = TN_RT_LOCATION_NONE; break;
    case TN_RT_ADVISE_ACCESSED_BY: usage->accessed |= bit_of(edit->device); break;
    case TN_RT_UNADVISE_ACCESSED_BY: usage->accessed &= ~bit_of(edit->device); break;
    default: // TN_RT_ADVISE_COARSE, TN_RT_UNADVISE_COARSE
        usage->coarse = edit->advice == TN_RT_ADVISE_COARSE;
    }
}

static tn_rt_error check_location(int device) {
    return device == TN_RT_LOCATION_CPU ? TN_RT_OK : tn_rt_check_device(device);
}

static tn_rt_error apply_edit(const struct edit *edit) {
    struct tn_rt_block block;
    struct tn_rt_range inside;
    struct tn_rt_record TN_FACE_HELD *record = NULL;
    TN_RT_TRY(find_managed(edit->range, &block, &inside));
    TN_FACE_LOCKED(&tn_rt_records_lock);
    TN_RT_TRY(tn_rt_record_make(&block, &record));
    return tn_rt_advice_apply(&record->advice, block.bytes, inside, edit_usage, edit);
}

// Only the two advices about reading ignore the device.
tn_rt_error tn_rt_advise(const void *ptr, size_t size, int advice, int device) {
    const struct span range = {ptr, size};
    const struct edit edit = {range, advice, device};
    bool known = (advice >= TN_RT_ADVISE_READ_MOSTLY && advice <= TN_RT_UNADVISE_ACCESSED_BY) ||
                 advice == TN_RT_ADVISE_COARSE || advice == TN_RT_UNADVISE_COARSE;
    TN_RT_TRY(tn_rt_memory_policy.advice_checks_range_first ? check_span(range) : TN_RT_OK);
    if (advice != TN_RT_ADVISE_READ_MOSTLY && advice != TN_RT_UNADVISE_READ_MOSTLY)
        TN_RT_TRY(check_location(device));
    TN_RT_TRY(check_span(range));
    return known ? apply_edit(&edit)
                 : tn_rt_fail(TN_RT_INVALID_VALUE, "%d is not an advice", advice);
}

// Returns the device that a location means, or CPU for every location of the host only.
static int device_of(const struct tn_rt_location *location) {
    if (location->type > (int)TARN_LOCATION_DEVICE &&
        location->type <= (int)TARN_LOCATION_HOST_NUMA_CURRENT)
        return TN_RT_LOCATION_CPU;
    return location->id != TN_RT_LOCATION_CPU ? location->id : TN_RT_LOCATION_NONE;
}

tn_rt_error tn_rt_advise_location(const void *ptr, size_t size, int advice, const void *location) {
    struct tn_rt_location given;
    memcpy(&given, location, sizeof given);
    TN_RT_TRY(check_span((struct span){ptr, size}));
    TN_RT_REFUSE(given.type < (int)TARN_LOCATION_DEVICE ||
                     given.type > (int)TARN_LOCATION_HOST_NUMA_CURRENT,
                 TN_RT_INVALID_VALUE, "location type %d, 1 to 4 are defined", given.type);
    return tn_rt_advise(ptr, size, advice, device_of(&given));
}

// ---- queries

struct answer {
    struct tn_rt_usage usage;
    enum tn_rt_coherency coherency;
};

static tn_rt_error query_advice(struct span range, struct answer *answer) {
    struct tn_rt_block block;
    struct tn_rt_range inside;
    TN_RT_TRY(find_managed(range, &block, &inside));
    struct tn_rt_record TN_FACE_HELD *record = tn_rt_record_get(&block);
    TN_FACE_LOCKED(&tn_rt_records_lock);
    answer->usage =
        tn_rt_advice_query(record != NULL ? record->advice : NULL, inside, &answer->coherency);
    return TN_RT_OK;
}

static tn_rt_error check_attribute(const void *data, size_t size, int attribute) {
    bool list = attribute == TN_RT_RANGE_ACCESSED_BY;
    bool known = (attribute >= TN_RT_RANGE_READ_MOSTLY && attribute <= TN_RT_RANGE_PREFETCHED) ||
                 attribute == TN_RT_RANGE_COHERENCY;
    bool fits = list ? size != 0 && size % sizeof(int) == 0 : size == sizeof(int);
    return data != NULL && known && fits
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "attribute %d, %zu bytes at %p", attribute, size,
                            data);
}

static void list_devices(uint64_t accessed, int *list, size_t room) {
    size_t count = 0;
    for (int device = TN_RT_LOCATION_CPU; device < TN_RT_DEVICES && count < room; device++)
        if ((accessed & bit_of(device)) != 0) list[count++] = device;
    while (count < room) list[count++] = TN_RT_LOCATION_NONE;
}

static void write_attribute(const struct answer *answer, void *data, size_t size, int attribute) {
    int value = 0;
    switch (attribute) {
    case TN_RT_RANGE_READ_MOSTLY: value = answer->usage.read_mostly; break;
    case TN_RT_RANGE_PREFERRED: value = answer->usage.preferred; break;
    case TN_RT_RANGE_PREFETCHED: value = answer->usage.prefetched; break;
    case TN_RT_RANGE_COHERENCY: value = (int)answer->coherency; break;
    case TN_RT_RANGE_ACCESSED_BY:
        list_devices(answer->usage.accessed, (int *)data, size / sizeof(int));
        return;
    }
    memcpy(data, &value, sizeof value);
}

tn_rt_error tn_rt_range_attributes(void **data, const size_t *sizes, const void *list, size_t count,
                                   const void *ptr, size_t bytes) {
    const struct span range = {ptr, bytes};
    const int *attributes = (const int *)list;
    struct answer answer;
    TN_RT_REFUSE(data == NULL || sizes == NULL || attributes == NULL || count == 0,
                 TN_RT_INVALID_VALUE, "data %p, sizes %p, attributes %p, %zu of them", (void *)data,
                 (const void *)sizes, (const void *)attributes, count);
    TN_RT_TRY(check_span(range));
    for (size_t i = 0; i < count; i++) TN_RT_TRY(check_attribute(data[i], sizes[i], attributes[i]));
    TN_RT_TRY(query_advice(range, &answer));
    for (size_t i = 0; i < count; i++) write_attribute(&answer, data[i], sizes[i], attributes[i]);
    return TN_RT_OK;
}

// Memory of a device has this attribute too, if it is asked for alone: it is coherent with the
// CPU.
static tn_rt_error get_coherency(void *data, size_t size, struct span range) {
    const unsigned kinds = TN_RT_BLOCK_MANAGED | TN_RT_BLOCK_DEVICE;
    const int attribute = TN_RT_RANGE_COHERENCY;
    const int fine = TN_RT_COHERENCY_FINE;
    struct tn_rt_block block;
    struct tn_rt_range inside;
    TN_RT_TRY(check_span(range));
    TN_RT_TRY(check_attribute(data, size, attribute));
    TN_RT_TRY(find_range(range, kinds, &block, &inside));
    if (block.kind == TN_RT_BLOCK_MANAGED)
        return tn_rt_range_attributes(&data, &size, &attribute, 1, range.ptr, range.count);
    memcpy(data, &fine, sizeof fine);
    return TN_RT_OK;
}

tn_rt_error tn_rt_range_attribute(void *data, size_t size, int attribute, const void *ptr,
                                  size_t bytes) {
    return attribute == TN_RT_RANGE_COHERENCY
               ? get_coherency(data, size, (struct span){ptr, bytes})
               : tn_rt_range_attributes(&data, &size, &attribute, 1, ptr, bytes);
}

// ---- functions with a stream: they only check that the stream exists

// A stream that captures is refused.
static tn_rt_error check_stream(void *stream) {
    struct tn_rt_where where;
    TN_RT_TRY(tn_rt_stream_begin(stream, &where));
    tn_rt_stream_end(&where);
    return TN_RT_OK;
}

// The devices cannot access pageable memory. It is where the CPU is, so that a prefetch to the CPU
// has nothing to do.
tn_rt_error tn_rt_prefetch(const void *ptr, size_t size, int device, void *stream) {
    const struct span range = {ptr, size};
    const struct edit edit = {range, PREFETCH, device};
    struct tn_rt_block block;
    struct tn_rt_range inside;
    bool pageable = tn_rt_block_is_ordinary(range.ptr);
    TN_RT_TRY(check_span(range));
    TN_RT_TRY(check_stream(stream));
    if (!pageable) TN_RT_TRY(find_managed(range, &block, &inside));
    TN_RT_TRY(check_location(device));
    TN_RT_REFUSE(pageable && device != TN_RT_LOCATION_CPU, TN_RT_NOT_SUPPORTED,
                 "device %d cannot access pageable memory %p", device, range.ptr);
    return pageable ? TN_RT_OK : apply_edit(&edit);
}

// Only managed memory can be attached. For other memory of the program, and inside of a block, the
// call is an error or, by the policy, has no effect.
tn_rt_error tn_rt_attach(void *stream, const void *ptr, size_t length, unsigned flags) {
    struct tn_rt_block block;
    TN_RT_TRY(tn_rt_check_pointer(ptr, "dev_ptr"));
    TN_RT_TRY(check_stream(stream));
    TN_RT_REFUSE(flags != TN_RT_ATTACH_GLOBAL && flags != TN_RT_ATTACH_HOST &&
                     flags != TN_RT_ATTACH_SINGLE,
                 TN_RT_INVALID_VALUE, "flags 0x%x", flags);
    TN_RT_REFUSE(flags == TN_RT_ATTACH_SINGLE && (stream == NULL || stream == TN_RT_STREAM_LEGACY),
                 TN_RT_INVALID_VALUE, "memory cannot be attached to the NULL stream alone");
    TN_RT_REFUSE(!tn_rt_block_query(ptr, &block), TN_RT_INVALID_VALUE, "%p is not in %s", ptr,
                 tn_rt_memory_policy.memory_name);
    TN_RT_REFUSE(tn_rt_memory_policy.attach_needs_managed &&
                     (block.kind != TN_RT_BLOCK_MANAGED || block.start != TARN_ADDR(ptr)),
                 TN_RT_INVALID_VALUE, "%p is not the start of managed memory", ptr);
    TN_RT_REFUSE(block.kind == TN_RT_BLOCK_MANAGED && length != 0 && length != block.bytes,
                 TN_RT_INVALID_VALUE, "length %zu is neither 0 nor the %zu of %p", length,
                 block.bytes, ptr);
    return TN_RT_OK;
}

tn_rt_error tn_rt_prefetch_location(const void *ptr, size_t size, const void *location,
                                    unsigned flags, void *stream) {
    struct tn_rt_location given;
    memcpy(&given, location, sizeof given);
    TN_RT_REFUSE(flags != 0, TN_RT_INVALID_VALUE, "flags 0x%x are not 0", flags);
    return tn_rt_prefetch(ptr, size, device_of(&given), stream);
}

// ---- lists of ranges

static tn_rt_error check_list(void **ptrs, const size_t *sizes, size_t count,
                              unsigned long long flags) {
    TN_RT_REFUSE(ptrs == NULL || sizes == NULL || count == 0 || flags != 0, TN_RT_INVALID_VALUE,
                 "%zu ranges at %p of the sizes at %p, flags 0x%llx", count, (void *)ptrs,
                 (const void *)sizes, flags);
    for (size_t i = 0; i < count; i++) {
        const struct span range = {ptrs[i], sizes[i]};
        struct tn_rt_block block;
        struct tn_rt_range inside;
        TN_RT_TRY(check_span(range));
        TN_RT_TRY(find_managed(range, &block, &inside));
    }
    return TN_RT_OK;
}

tn_rt_error tn_rt_discard_list(void **ptrs, const size_t *sizes, size_t count,
                               unsigned long long flags, void *stream) {
    TN_RT_TRY(check_list(ptrs, sizes, count, flags));
    return check_stream(stream);
}

tn_rt_error tn_rt_prefetch_list(void **ptrs, const size_t *sizes, size_t count,
                                const void *locations, const size_t *first, size_t location_count,
                                unsigned long long flags, void *stream) {
    const struct tn_rt_location *list = (const struct tn_rt_location *)locations;
    TN_RT_TRY(check_list(ptrs, sizes, count, flags));
    TN_RT_TRY(tn_rt_check_pointer(list, "the locations"));
    TN_RT_TRY(tn_rt_check_starts(first, location_count, count));
    for (size_t i = 0; i < location_count; i++) TN_RT_TRY(check_location(device_of(&list[i])));
    for (size_t i = 0, at = 0; i < count; i++) {
        if (at + 1 < location_count && first[at + 1] == i) at++;
        TN_RT_TRY(tn_rt_prefetch_location(ptrs[i], sizes[i], &list[at], 0, stream));
    }
    return TN_RT_OK;
}
