// SPDX-License-Identifier: Apache-2.0
// Advice about managed memory, and prefetches of it. Managed memory is memory of the host that never
// moves, so advice is kept and returned by queries, and has no other effect. The lock guards the list of
// blocks with advice, which a free shortens.
#include <acl/detail/managed.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "compat/acl/block.h"
#include "compat/acl/fork.h"
#include "compat/acl/memory.h"
#include "compat/acl/order.h"
#include "compat/face/scope.h"
#include "compat/runtime/memory/advice.h"

#define PREFETCH (-1) // in place of an advice

struct advised {
    tarn_addr start; // of its block
    struct tn_rt_advice *advice;
    struct advised *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct advised *list;

static void forget_list(void) { list = NULL; }
TN_FACE_ON_FORK(TN_ACL_LOCK_MANAGED, &lock, forget_list);

static struct advised **find_link(tarn_addr start) {
    struct advised **link = &list;
    while (*link != NULL && (*link)->start != start) link = &(*link)->next;
    return link;
}

void tn_acl_managed_forget(tarn_addr start) {
    TN_FACE_LOCKED(&lock);
    struct advised **link = find_link(start), *found = *link;
    if (found == NULL) return;
    *link = found->next;
    free(found->advice);
    free(found);
}

// ---- ranges and places

static aclError find_managed(const void *ptr, uint64_t size, struct tn_acl_block *block,
                             struct tn_rt_range *range) {
    TN_ACL_POINTER(ptr);
    TN_ACL_INVALID(size == 0, "size is 0");
    TN_ACL_TRY(tn_acl_current_device(NULL));
    TN_ACL_INVALID(!tn_acl_block_query(TARN_ADDR(ptr), block) || block->family != TN_ACL_MANAGED,
                   "%p is not in managed memory", ptr);
    size_t first = (size_t)(TARN_ADDR(ptr) - block->start);
    TN_ACL_INVALID(size > block->bytes - first, "%llu bytes at %p leave their block of %zu bytes",
                   (unsigned long long)size, ptr, block->bytes);
    *range = (struct tn_rt_range){first, first + (size_t)size};
    return ACL_SUCCESS;
}

// Converts a location. Every part of the host is the host.
static aclError find_place(aclrtMemManagedLocation location, int *place) {
    TN_ACL_INVALID((unsigned)location.type > ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT ||
                       location.type == ACL_MEM_LOCATIONTYPE_INVALID,
                   "location type %d is not one of 1 to 4", (int)location.type);
    *place = TN_RT_LOCATION_CPU;
    if (location.type != ACL_MEM_LOCATIONTYPE_DEVICE) return ACL_SUCCESS;
    *place = location.id;
    return tn_acl_find_device(location.id, NULL);
}

// ---- advice

struct edit {
    int advice; // or PREFETCH
    int place;
};

static void edit_usage(struct tn_rt_usage *usage, const void *arg) {
    const struct edit *edit = (const struct edit *)arg;
    uint64_t bit = UINT64_C(1) << (edit->place + 1);
    switch (edit->advice) {
    case PREFETCH: usage->prefetched = edit->place; break;
    case ACL_MEM_ADVISE_SET_READ_MOSTLY: usage->read_mostly = true; break;
    case ACL_MEM_ADVISE_UNSET_READ_MOSTLY: usage->read_mostly = false; break;
    case ACL_MEM_ADVISE_SET_PREFERRED_LOCATION: usage->preferred = edit->place; break;
    case ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION: usage->preferred = TN_RT_LOCATION_NONE; break;
    case ACL_MEM_ADVISE_SET_ACCESSED_BY: usage->accessed |= bit; break;
    default: usage->accessed &= ~bit; // ACL_MEM_ADVISE_UNSET_ACCESSED_BY
    }
}

static aclError apply_edit(const struct tn_acl_block *block, struct tn_rt_range range,
                           const struct edit *edit) {
    TN_FACE_LOCKED(&lock);
    struct advised **link = find_link(block->start);
    if (*link == NULL) {
        struct advised *advised = (struct advised *)calloc(1, sizeof *advised);
        TN_ACL_REFUSE(advised == NULL, ACL_ERROR_BAD_ALLOC, "out of host memory for advice");
        advised->start = block->start;
        *link = advised;
    }
    return tn_acl_rt(tn_rt_advice_apply(&(*link)->advice, block->bytes, range, edit_usage, edit));
}

// The advices about reading, and the end of a preference, ignore the location.
static bool ignores_location(aclrtMemManagedAdviseType advise) {
    return advise <= ACL_MEM_ADVISE_UNSET_READ_MOSTLY ||
           advise == ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION;
}

TN_ACL_FUNCTION(aclrtMemManagedAdvise, const void *const, ptr, uint64_t, size,
                aclrtMemManagedAdviseType, advise, aclrtMemManagedLocation, location) {
    struct edit edit = {(int)advise, TN_RT_LOCATION_CPU};
    struct tn_acl_block block;
    struct tn_rt_range range;
    TN_ACL_TRY(find_managed(ptr, size, &block, &range));
    TN_ACL_INVALID((unsigned)advise > ACL_MEM_ADVISE_UNSET_ACCESSED_BY,
                   "advise %d is not one of 0 to 5", (int)advise);
    if (!ignores_location(advise)) TN_ACL_TRY(find_place(location, &edit.place));
    return apply_edit(&block, range, &edit);
}

// ---- prefetches: the stream must exist

static aclError prefetch(const void *const *ptrs, const size_t *sizes, size_t count,
                         const aclrtMemManagedLocation *locations, const size_t *firsts,
                         size_t location_count, uint64_t flags, aclrtStream stream) {
    struct tn_acl_block block;
    struct tn_rt_range range;
    struct edit edit = {PREFETCH, TN_RT_LOCATION_CPU};
    TN_ACL_INVALID(flags != 0, "flags 0x%llx are not 0", (unsigned long long)flags);
    TN_ACL_ORDER(order, stream);
    for (int apply = 0; apply < 2; apply++) { // all are checked before the first one counts
        for (size_t i = 0, k = 0; i < count; i++) {
            if (k + 1 < location_count && firsts[k + 1] == i) k++;
            TN_ACL_TRY(find_managed(ptrs[i], sizes[i], &block, &range));
            TN_ACL_TRY(find_place(locations[k], &edit.place));
            if (apply) TN_ACL_TRY(apply_edit(&block, range, &edit));
        }
    }
    return ACL_SUCCESS;
}

static const size_t only_first[] = {0};

TN_ACL_ROW(aclrtMemManagedPrefetchAsync,
           TN_FACE_EXPRESSION(prefetch(&ptr, &size, 1, &location, only_first, 1, flags, stream)),
           const void *, ptr, size_t, size, aclrtMemManagedLocation, location, uint32_t, flags,
           aclrtStream, stream)

TN_ACL_FUNCTION(aclrtMemManagedPrefetchBatchAsync, const void **, ptrs, size_t *, sizes, size_t,
                count, aclrtMemManagedLocation *, prefetchLocs, size_t *, prefetchLocIdxs, size_t,
                numPrefetchLocs, uint64_t, flags, aclrtStream, stream) {
    TN_ACL_POINTERS(ptrs, sizes);
    TN_ACL_POINTERS(prefetchLocs, prefetchLocIdxs);
    TN_ACL_INVALID(count == 0 || numPrefetchLocs == 0 || numPrefetchLocs > count,
                   "%zu ranges, %zu locations", count, numPrefetchLocs);
    for (size_t k = 0; k < numPrefetchLocs; k++) {
        bool rises = k == 0 ? prefetchLocIdxs[0] == 0 : prefetchLocIdxs[k] > prefetchLocIdxs[k - 1];
        TN_ACL_INVALID(!rises || prefetchLocIdxs[k] >= count,
                       "prefetchLocIdxs[%zu] is %zu: they begin with 0, ascend, and are below %zu",
                       k, prefetchLocIdxs[k], count);
    }
    return prefetch(ptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags,
                    stream);
}

// ---- queries

static int type_of(int place) {
    return place == TN_RT_LOCATION_NONE  ? ACL_MEM_LOCATIONTYPE_INVALID
           : place == TN_RT_LOCATION_CPU ? ACL_MEM_LOCATIONTYPE_HOST
                                         : ACL_MEM_LOCATIONTYPE_DEVICE;
}

static int value_of(const struct tn_rt_usage *usage, aclrtMemManagedRangeAttribute attribute) {
    switch (attribute) {
    case ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY: return usage->read_mostly;
    case ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE: return type_of(usage->preferred);
    case ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE: return type_of(usage->prefetched);
    case ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
    case ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID: return usage->preferred;
    default: return usage->prefetched; // LAST_PREFETCH_LOCATION and its id
    }
}

static void list_places(uint64_t accessed, int *data, size_t room) {
    size_t count = 0;
    for (int place = TN_RT_LOCATION_CPU; place < TN_ACL_DEVICES && count < room; place++)
        if ((accessed >> (place + 1) & 1) != 0) data[count++] = place;
    while (count < room) data[count++] = TN_RT_LOCATION_NONE;
}

static aclError check_attribute(aclrtMemManagedRangeAttribute attribute, const void *data,
                                size_t bytes) {
    bool fits = attribute == ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY
                    ? bytes != 0 && bytes % sizeof(int) == 0
                    : bytes == sizeof(int);
    TN_ACL_POINTER(data);
    TN_ACL_INVALID(attribute < ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY ||
                       attribute > ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID,
                   "attribute %d is not one of 1 to 8", (int)attribute);
    TN_ACL_INVALID(!fits, "dataSize %zu: attribute %d has ints of 4 bytes", bytes, (int)attribute);
    return ACL_SUCCESS;
}

static aclError get_attributes(const aclrtMemManagedRangeAttribute *attributes, size_t count,
                               const void *ptr, size_t size, void *const *data,
                               const size_t *sizes) {
    struct tn_acl_block block;
    struct tn_rt_range range;
    enum tn_rt_coherency coherency;
    for (size_t i = 0; i < count; i++)
        TN_ACL_TRY(check_attribute(attributes[i], data[i], sizes[i]));
    TN_ACL_TRY(find_managed(ptr, size, &block, &range));
    TN_FACE_LOCKED(&lock);
    const struct advised *advised = *find_link(block.start);
    const struct tn_rt_usage usage =
        tn_rt_advice_query(advised != NULL ? advised->advice : NULL, range, &coherency);
    for (size_t i = 0; i < count; i++) {
        int value = value_of(&usage, attributes[i]);
        if (attributes[i] == ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY)
            list_places(usage.accessed, (int *)data[i], sizes[i] / sizeof(int));
        else
            memcpy(data[i], &value, sizeof value);
    }
    return ACL_SUCCESS;
}

TN_ACL_ROW(aclrtMemManagedGetAttr,
           TN_FACE_EXPRESSION(get_attributes(&attribute, 1, ptr, size, &data, &dataSize)),
           aclrtMemManagedRangeAttribute, attribute, const void *, ptr, size_t, size, void *, data,
           size_t, dataSize)

TN_ACL_FUNCTION(aclrtMemManagedGetAttrs, aclrtMemManagedRangeAttribute *, attributes, size_t,
                numAttributes, const void *, ptr, size_t, size, void **, data, size_t *,
                dataSizes) {
    TN_ACL_POINTERS(attributes, data);
    TN_ACL_POINTER(dataSizes);
    TN_ACL_INVALID(numAttributes == 0, "numAttributes is 0");
    return get_attributes(attributes, numAttributes, ptr, size, data, dataSizes);
}
