// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyBatch() and its asynchronous sibling: many copies between host and device, of which
// the caller says where both ends are. No state.
#include <acl/detail/copy.h>

#include "compat/acl/copy.h"

#define MOST_NOW 4096 // items of a synchronous call

// What a call says. The outcome for failIndex: the item to blame, or NONE.
struct batch {
    void **dsts;
    const size_t *rooms;
    void **srcs;
    const size_t *sizes;
    size_t count;
    const aclrtMemcpyBatchAttr *attrs;
    const size_t *firsts; // the first item of each of attrs
    size_t attr_count;
    size_t *fail;
};
#define NONE SIZE_MAX

static void blame(const struct batch *batch, size_t item) {
    if (batch->fail != NULL) {
        *batch->fail = item;
    }
}

// ---- what the acl layer sees

static bool is_nothing(const struct batch *batch) {
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->sizes[i] != 0) {
            return false;
        }
    }
    return true;
}

static bool is_reserved_clear(const aclrtMemcpyBatchAttr *attr) {
    for (size_t i = 0; i < sizeof attr->rsv; i++) {
        if (attr->rsv[i] != 0) {
            return false;
        }
    }
    return true;
}

static aclError check_lists(const struct batch *batch) {
    if (batch->dsts == NULL || batch->rooms == NULL || batch->srcs == NULL ||
        batch->attrs == NULL || batch->firsts == NULL) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "%s is NULL",
                           batch->dsts == NULL    ? "dsts"
                           : batch->rooms == NULL ? "destMaxs"
                           : batch->srcs == NULL  ? "srcs"
                           : batch->attrs == NULL ? "attrs"
                                                  : "attrsIndexes");
    }
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->rooms[i] < batch->sizes[i]) {
            return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "destMaxs[%zu] is %zu, sizes[%zu] %zu", i,
                               batch->rooms[i], i, batch->sizes[i]);
        }
    }
    // More than there are items are refused later; how many there really are nobody knows.
    for (size_t i = 0; i < batch->attr_count && i < batch->count; i++) {
        if (!is_reserved_clear(&batch->attrs[i])) {
            return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "attrs[%zu].rsv is not 0", i);
        }
    }
    return ACL_SUCCESS;
}

// ---- what the runtime sees

static aclError check_indexes(const struct batch *batch) {
    if (batch->attr_count == 0 || batch->attr_count > batch->count) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "numAttrs %zu for %zu copies",
                           batch->attr_count, batch->count);
    }
    for (size_t i = 0; i < batch->attr_count; i++) {
        bool follows = i == 0 ? batch->firsts[0] == 0 : batch->firsts[i] > batch->firsts[i - 1];
        if (!follows || batch->firsts[i] >= batch->count) {
            return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "attrsIndexes[%zu] is %zu", i,
                               batch->firsts[i]);
        }
    }
    return ACL_SUCCESS;
}

static bool is_at(const struct tn_acl_place *place, const aclrtMemLocation *location) {
    switch (place->kind) {
    case TN_ACL_PLACE_DEVICE:
        return location->type == ACL_MEM_LOCATION_TYPE_DEVICE && place->device != NULL &&
               location->id == (uint32_t)place->device->ordinal;
    case TN_ACL_PLACE_HOST:
    case TN_ACL_PLACE_PAGEABLE:
        return location->type == ACL_MEM_LOCATION_TYPE_HOST;
    default:
        return false;
    }
}

// The copy of an item whose ends are where `attr` says.
static aclError describe(const struct batch *batch, size_t item, const aclrtMemcpyBatchAttr *attr,
                         struct tn_acl_copy *copy) {
    *copy = (struct tn_acl_copy){.desc = TARN_INIT(tarn_copy_desc)};
    copy->desc.dst = TARN_ADDR(batch->dsts[item]);
    copy->desc.src = TARN_ADDR(batch->srcs[item]);
    copy->desc.width = batch->sizes[item];
    aclError error = tn_acl_copy_look(copy);
    if (error != ACL_SUCCESS) {
        return error;
    }
    bool to_device = copy->dst.kind == TN_ACL_PLACE_DEVICE;
    bool from_device = copy->src.kind == TN_ACL_PLACE_DEVICE;
    copy->kind = to_device ? ACL_MEMCPY_HOST_TO_DEVICE : ACL_MEMCPY_DEVICE_TO_HOST;
    if (is_at(&copy->dst, &attr->dstLoc) && is_at(&copy->src, &attr->srcLoc) &&
        to_device != from_device) {
        return ACL_SUCCESS;
    }
    return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID,
                       "copy %zu is from %s to %s; its attributes say type %d id %u to type %d id "
                       "%u; one end is the host's",
                       item, tn_acl_place_name(&copy->src), tn_acl_place_name(&copy->dst),
                       (int)attr->srcLoc.type, attr->srcLoc.id, (int)attr->dstLoc.type,
                       attr->dstLoc.id);
}

typedef aclError give(const struct tn_acl_order *order, const struct tn_acl_copy *copy);

// Describes each item and hands it to `take`, which may be NULL.
static aclError each(const struct batch *batch, const struct tn_acl_order *order, give *take) {
    size_t k = 0;
    for (size_t i = 0; i < batch->count; i++) {
        struct tn_acl_copy copy;
        if (k + 1 < batch->attr_count && batch->firsts[k + 1] == i) {
            k++;
        }
        if (batch->sizes[i] == 0) {
            continue;
        }
        aclError error = describe(batch, i, &batch->attrs[k], &copy);
        if (error == ACL_SUCCESS && take != NULL) {
            error = take(order, &copy);
        }
        if (error != ACL_SUCCESS) {
            blame(batch, i);
            return error;
        }
    }
    return ACL_SUCCESS;
}

static aclError give_now(const struct tn_acl_order *order, const struct tn_acl_copy *copy) {
    return tn_acl_copy_now(order->device, copy);
}

// All are looked at before one is copied.
static aclError run(const struct batch *batch, aclrtStream stream, give *take) {
    struct tn_acl_order order;
    aclError error = tn_acl_order_get(stream, &order);
    if (error != ACL_SUCCESS) {
        return error;
    }
    error = each(batch, &order, NULL);
    if (error == ACL_SUCCESS) {
        error = each(batch, &order, take);
    }
    tn_acl_order_put(&order);
    return error;
}

static aclError copy_all(const struct batch *batch, aclrtStream stream, size_t most, give *take) {
    if (batch->sizes == NULL || batch->count == 0) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM,
                           batch->sizes == NULL ? "sizes is NULL" : "numBatches is 0");
    }
    aclError error = ACL_SUCCESS;
    bool nothing = is_nothing(batch);
    if (!nothing) {
        error = check_lists(batch);
        if (error != ACL_SUCCESS) {
            return error;
        }
        error = check_indexes(batch);
        if (error == ACL_SUCCESS && batch->count > most) {
            error = tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "%zu copies, at once %zu at most",
                                batch->count, most);
        }
    }
    if (error != ACL_SUCCESS || nothing) {
        blame(batch, NONE);
        return error;
    }
    error = run(batch, stream, take);
    if (error == ACL_SUCCESS) {
        blame(batch, NONE);
    }
    return error;
}

aclError aclrtMemcpyBatch(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes,
                          size_t numBatches, aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes,
                          size_t numAttrs, size_t *failIndex) {
    struct batch batch = {dsts,  destMaxs,     srcs,     sizes,    numBatches,
                          attrs, attrsIndexes, numAttrs, failIndex};
    return tn_acl_leave(copy_all(&batch, NULL, MOST_NOW, give_now), __func__);
}

aclError aclrtMemcpyBatchAsync(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes,
                               size_t numBatches, aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes,
                               size_t numAttrs, size_t *failIndex, aclrtStream stream) {
    struct batch batch = {dsts,  destMaxs,     srcs,     sizes,    numBatches,
                          attrs, attrsIndexes, numAttrs, failIndex};
    return tn_acl_leave(copy_all(&batch, stream, NONE, tn_acl_copy_give), __func__);
}
