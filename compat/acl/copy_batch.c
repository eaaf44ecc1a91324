// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyBatch() and its asynchronous form: many copies between host and device, for which the
// caller states the places of both ends. The file has no state.
#include <acl/detail/copy.h>
#include <string.h>

#include "compat/acl/copy.h"

#define MAX_ITEMS_NOW 4096 // of a synchronous call
#define NO_ITEM       SIZE_MAX

// The arguments of a call.
struct batch {
    void **dsts;
    const size_t *rooms;
    void **srcs;
    const size_t *sizes;
    size_t count;
    const aclrtMemcpyBatchAttr *attrs;
    const size_t *firsts; // the first item of each of attrs
    size_t attr_count;
    size_t *fail; // receives the item that failed, or NO_ITEM
};

static void set_fail_index(const struct batch *batch, size_t item) {
    if (batch->fail != NULL) *batch->fail = item;
}

// ---- checks of the acl layer

static aclError check_lists(const struct batch *batch) {
    static const unsigned char blank[sizeof batch->attrs->rsv];
    TN_ACL_TRY(tn_acl_check_pointer(batch->dsts, "dsts"));
    TN_ACL_TRY(tn_acl_check_pointer(batch->rooms, "destMaxs"));
    TN_ACL_TRY(tn_acl_check_pointer(batch->srcs, "srcs"));
    TN_ACL_TRY(tn_acl_check_pointer(batch->attrs, "attrs"));
    TN_ACL_TRY(tn_acl_check_pointer(batch->firsts, "attrsIndexes"));
    for (size_t i = 0; i < batch->count; i++) {
        TN_ACL_ARGUMENT(batch->rooms[i] < batch->sizes[i],
                        "sizes[%zu] %zu exceeds destMaxs[%zu] %zu", i, batch->sizes[i], i,
                        batch->rooms[i]);
    }
    // The runtime rejects more attributes than items. The list may be shorter than such a number.
    for (size_t i = 0; i < batch->attr_count && i < batch->count; i++)
        TN_ACL_ARGUMENT(memcmp(batch->attrs[i].rsv, blank, sizeof blank) != 0,
                        "attrs[%zu].rsv is not 0", i);
    return ACL_SUCCESS;
}

// ---- checks of the runtime

static aclError check_indexes(const struct batch *batch, size_t max_items) {
    TN_ACL_INVALID(batch->attr_count == 0 || batch->attr_count > batch->count,
                   "numAttrs %zu is 0 or exceeds numBatches %zu", batch->attr_count, batch->count);
    for (size_t i = 0; i < batch->attr_count; i++) {
        bool follows = i == 0 ? batch->firsts[0] == 0 : batch->firsts[i] > batch->firsts[i - 1];
        TN_ACL_INVALID(!follows || batch->firsts[i] >= batch->count,
                       "attrsIndexes[%zu] %zu does not ascend from 0 to below %zu", i,
                       batch->firsts[i], batch->count);
    }
    TN_ACL_INVALID(batch->count > max_items,
                   "numBatches %zu exceeds %zu, the limit of a synchronous call", batch->count,
                   max_items);
    return ACL_SUCCESS;
}

static bool is_at(const struct tn_acl_place *place, const aclrtMemLocation *location) {
    switch (place->kind) {
    case TN_ACL_PLACE_DEVICE:
        return location->type == ACL_MEM_LOCATION_TYPE_DEVICE && place->device != NULL &&
               location->id == (uint32_t)place->device->ordinal;
    case TN_ACL_PLACE_HOST:
    case TN_ACL_PLACE_PAGEABLE: return location->type == ACL_MEM_LOCATION_TYPE_HOST;
    default: return false;
    }
}

// Describes the copy of an item. Fails unless its ends are where `attr` states.
static aclError describe_item(const struct batch *batch, size_t item,
                              const aclrtMemcpyBatchAttr *attr, struct tn_acl_copy *copy) {
    *copy = tn_acl_copy_row(batch->dsts[item], batch->srcs[item], batch->sizes[item],
                            ACL_MEMCPY_DEVICE_TO_HOST);
    TN_ACL_TRY(tn_acl_copy_locate(copy));
    bool to_device = copy->dst.kind == TN_ACL_PLACE_DEVICE;
    bool from_device = copy->src.kind == TN_ACL_PLACE_DEVICE;
    if (to_device) copy->kind = ACL_MEMCPY_HOST_TO_DEVICE;
    TN_ACL_INVALID(!is_at(&copy->dst, &attr->dstLoc) || !is_at(&copy->src, &attr->srcLoc) ||
                       to_device == from_device,
                   "copy %zu is from %s to %s, its attributes state type %d id %u to type %d "
                   "id %u; exactly one end must be on a device",
                   item, tn_acl_place_name(&copy->src), tn_acl_place_name(&copy->dst),
                   (int)attr->srcLoc.type, attr->srcLoc.id, (int)attr->dstLoc.type,
                   attr->dstLoc.id);
    return ACL_SUCCESS;
}

// The work on each item of a batch. All are checked before the first one is copied.
enum step { CHECK, COPY_NOW, COPY_IN_STREAM };

static aclError for_each_item(const struct batch *batch, const struct tn_acl_order *order,
                              enum step step) {
    size_t k = 0;
    for (size_t i = 0; i < batch->count; i++) {
        struct tn_acl_copy copy;
        if (k + 1 < batch->attr_count && batch->firsts[k + 1] == i) k++;
        if (batch->sizes[i] == 0) continue;
        aclError error = describe_item(batch, i, &batch->attrs[k], &copy);
        if (error == ACL_SUCCESS && step == COPY_NOW) error = tn_acl_copy_now(order->device, &copy);
        if (error == ACL_SUCCESS && step == COPY_IN_STREAM)
            error = tn_acl_copy_enqueue(order, &copy);
        if (error != ACL_SUCCESS) {
            set_fail_index(batch, i);
            return error;
        }
    }
    return ACL_SUCCESS;
}

// Mistakes that the acl layer finds leave
// failIndex as it was; those of the runtime that concern no item set it to NO_ITEM.
static aclError copy_batch(const struct batch *batch, aclrtStream stream, enum step step) {
    TN_ACL_TRY(tn_acl_check_pointer(batch->sizes, "sizes"));
    TN_ACL_ARGUMENT(batch->count == 0, "numBatches is 0");
    bool empty = true;
    for (size_t i = 0; i < batch->count; i++) empty = empty && batch->sizes[i] == 0;
    if (empty) {
        set_fail_index(batch, NO_ITEM);
        return ACL_SUCCESS;
    }
    TN_ACL_TRY(check_lists(batch));
    aclError error = check_indexes(batch, step == COPY_NOW ? MAX_ITEMS_NOW : SIZE_MAX);
    if (error != ACL_SUCCESS) {
        set_fail_index(batch, NO_ITEM);
        return error;
    }
    TN_ACL_ORDER(order, stream);
    error = for_each_item(batch, &order, CHECK);
    if (error == ACL_SUCCESS) error = for_each_item(batch, &order, step);
    if (error == ACL_SUCCESS) set_fail_index(batch, NO_ITEM);
    return error;
}

aclError aclrtMemcpyBatch(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes,
                          size_t numBatches, aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes,
                          size_t numAttrs, size_t *failIndex) {
    const struct batch batch = {dsts,  destMaxs,     srcs,     sizes,    numBatches,
                                attrs, attrsIndexes, numAttrs, failIndex};
    return TN_ACL_CALL(copy_batch(&batch, NULL, COPY_NOW));
}

aclError aclrtMemcpyBatchAsync(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes,
                               size_t numBatches, aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes,
                               size_t numAttrs, size_t *failIndex, aclrtStream stream) {
    TN_FACE_GIVEN(0, 0, 0, 0, 0, 0, 0, 0, 0, TN_FACE_WORD(stream))
    const struct batch batch = {dsts,  destMaxs,     srcs,     sizes,    numBatches,
                                attrs, attrsIndexes, numAttrs, failIndex};
    return TN_ACL_CALL(copy_batch(&batch, stream, COPY_IN_STREAM));
}

// ---- the same without the place of a failure

aclError aclrtMemcpyBatchV2(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes,
                            size_t numBatches, aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes,
                            size_t numAttrs) {
    const struct batch batch = {dsts,  destMaxs,     srcs,     sizes, numBatches,
                                attrs, attrsIndexes, numAttrs, NULL};
    return TN_ACL_CALL(copy_batch(&batch, NULL, COPY_NOW));
}

aclError aclrtMemcpyBatchAsyncV2(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes,
                                 size_t numBatches, aclrtMemcpyBatchAttr *attrs,
                                 size_t *attrsIndexes, size_t numAttrs, aclrtStream stream) {
    TN_FACE_GIVEN(0, 0, 0, 0, 0, 0, 0, 0, TN_FACE_WORD(stream))
    const struct batch batch = {dsts,  destMaxs,     srcs,     sizes, numBatches,
                                attrs, attrsIndexes, numAttrs, NULL};
    return TN_ACL_CALL(copy_batch(&batch, stream, COPY_IN_STREAM));
}
