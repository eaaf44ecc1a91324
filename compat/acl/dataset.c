// SPDX-License-Identifier: Apache-2.0
// Items, which describe tensors, and data sets, which are lists of the names of items. Both are
// objects with handles. An item never changes. Changes of a data set are not synchronised with its
// other uses, as in AscendCL.
#include <acl/acl_tdt.h>

#include <stdlib.h>
#include <string.h>

#include "compat/acl/face.h"
#include "compat/face/scope.h"

#define DIMS_MAX 128

// The members of an item that have a constant size.
struct facts {
    acltdtTensorType kind;
    aclDataType type;
    void *data;
    size_t size;
    size_t dim_count;
};

struct item {
    struct tn_face_object object; // first
    struct facts facts;
    int64_t dims[];
};

struct dataset {
    struct tn_face_object object; // first
    size_t count;
    uintptr_t *items; // by name
};

// ---- items

static void item_destroy(struct tn_face_object *object) { free(object); }

static aclError create_item(const struct facts *facts, const int64_t *dims,
                            acltdtDataItem **handle) {
    TN_ACL_ARGUMENT(facts->kind < ACL_TENSOR_DATA_TENSOR ||
                        facts->kind > ACL_TENSOR_DATA_END_TENSOR,
                    "tdtType %d is not one of 0 to 4", (int)facts->kind);
    TN_ACL_ARGUMENT((dims == NULL) != (facts->dim_count == 0) || facts->dim_count > DIMS_MAX,
                    "dims %p, dimNum %zu; the limit is %d", (const void *)dims, facts->dim_count,
                    DIMS_MAX);
    size_t bytes = facts->dim_count * sizeof *dims;
    struct item *item = (struct item *)calloc(1, sizeof *item + bytes);
    if (item == NULL || !tn_face_handle_new(&item->object, TN_ACL_ITEM, item_destroy)) {
        free(item);
        return tn_acl_fail(ACL_ERROR_BAD_ALLOC, "out of host memory for an item");
    }
    item->facts = *facts;
    if (bytes != 0) memcpy(item->dims, dims, bytes);
    *handle = (acltdtDataItem *)item->object.handle;
    return ACL_SUCCESS;
}

acltdtDataItem *acltdtCreateDataItem(acltdtTensorType tdtType, const int64_t *dims, size_t dimNum,
                                     aclDataType dataType, void *data, size_t size) {
    const struct facts facts = {tdtType, dataType, data, size, dimNum};
    acltdtDataItem *item = NULL;
    (void)TN_ACL_CALL(create_item(&facts, dims, &item));
    return item;
}

static aclError destroy_named(const void *handle, int kind, const char *noun) {
    TN_ACL_ARGUMENT(!tn_face_handle_end((uintptr_t)handle, kind), "%p is not %s", handle, noun);
    return ACL_SUCCESS;
}

TN_ACL_ROW(acltdtDestroyDataItem,
           TN_FACE_EXPRESSION(destroy_named(dataItem, TN_ACL_ITEM, "an item")), acltdtDataItem *,
           dataItem)

static aclError get_item(const acltdtDataItem *handle, struct item **item) {
    *item = (struct item *)tn_face_handle_get((uintptr_t)handle, TN_ACL_ITEM);
    TN_ACL_ARGUMENT(*item == NULL, "%p is not an item", (const void *)handle);
    return ACL_SUCCESS;
}

// Leaves *facts as it is if there is no such item.
static aclError read_facts(const acltdtDataItem *handle, struct facts *facts) {
    TN_ACL_GET(item, item, get_item(handle, &item));
    *facts = item->facts;
    return ACL_SUCCESS;
}

#define GETTER(name, type_of_fact, fact)                                                           \
    type_of_fact name(const acltdtDataItem *dataItem) {                                            \
        struct facts facts = {ACL_TENSOR_DATA_UNDEFINED, ACL_DT_UNDEFINED, NULL, 0, 0};            \
        (void)TN_ACL_CALL(read_facts(dataItem, &facts));                                           \
        return facts.fact;                                                                         \
    }

GETTER(acltdtGetTensorTypeFromItem, acltdtTensorType, kind)
GETTER(acltdtGetDataTypeFromItem, aclDataType, type)
GETTER(acltdtGetDataAddrFromItem, void *, data)
GETTER(acltdtGetDataSizeFromItem, size_t, size)
GETTER(acltdtGetDimNumFromItem, size_t, dim_count)

TN_ACL_FUNCTION(acltdtGetDimsFromItem, const acltdtDataItem *, dataItem, int64_t *, dims, size_t,
                dimNum) {
    TN_ACL_ARGUMENT((dims == NULL) != (dimNum == 0), "dims %p, dimNum %zu", (void *)dims, dimNum);
    TN_ACL_GET(item, item, get_item(dataItem, &item));
    TN_ACL_ARGUMENT(item->facts.dim_count > dimNum, "dimNum %zu is less than %zu", dimNum,
                    item->facts.dim_count);
    if (dimNum != 0) memcpy(dims, item->dims, item->facts.dim_count * sizeof *dims);
    return ACL_SUCCESS;
}

// ---- data sets

static void dataset_destroy(struct tn_face_object *object) {
    free(((struct dataset *)object)->items);
    free(object);
}

static aclError create_dataset(acltdtDataset **handle) {
    struct dataset *dataset = (struct dataset *)calloc(1, sizeof *dataset);
    if (dataset == NULL || !tn_face_handle_new(&dataset->object, TN_ACL_DATASET, dataset_destroy)) {
        free(dataset);
        return tn_acl_fail(ACL_ERROR_BAD_ALLOC, "out of host memory for a data set");
    }
    *handle = (acltdtDataset *)dataset->object.handle;
    return ACL_SUCCESS;
}

acltdtDataset *acltdtCreateDataset(void) {
    acltdtDataset *dataset = NULL;
    (void)TN_ACL_CALL(create_dataset(&dataset));
    return dataset;
}

TN_ACL_ROW(acltdtDestroyDataset,
           TN_FACE_EXPRESSION(destroy_named(dataset, TN_ACL_DATASET, "dataset data set")),
           acltdtDataset *, dataset)

static aclError get_dataset(const acltdtDataset *handle, struct dataset **dataset) {
    *dataset = (struct dataset *)tn_face_handle_get((uintptr_t)handle, TN_ACL_DATASET);
    TN_ACL_ARGUMENT(*dataset == NULL, "%p is not a data set", (const void *)handle);
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(acltdtAddDataItem, acltdtDataset *, dataset, acltdtDataItem *, dataItem) {
    TN_ACL_GET(dataset, found, get_dataset(dataset, &found));
    TN_ACL_ARGUMENT(!tn_face_handle_live((uintptr_t)dataItem, TN_ACL_ITEM), "%p is not an item",
                    (const void *)dataItem);
    size_t bytes = (found->count + 1) * sizeof *found->items;
    uintptr_t *items = (uintptr_t *)realloc(found->items, bytes);
    TN_ACL_REFUSE(items == NULL, ACL_ERROR_BAD_ALLOC, "out of host memory for another item");
    found->items = items;
    found->items[found->count++] = (uintptr_t)dataItem;
    return ACL_SUCCESS;
}

// Finds the number of items and, unless `item` is NULL, the name of one of them, or NULL behind the
// last one.
static aclError read_dataset(const acltdtDataset *handle, size_t index, size_t *count,
                             acltdtDataItem **item) {
    TN_ACL_GET(dataset, dataset, get_dataset(handle, &dataset));
    *count = dataset->count;
    if (item != NULL)
        *item = index < dataset->count ? (acltdtDataItem *)dataset->items[index] : NULL;
    return ACL_SUCCESS;
}

static aclError find_item(const acltdtDataset *handle, size_t index, acltdtDataItem **item) {
    size_t count = 0;
    TN_ACL_TRY(read_dataset(handle, index, &count, item));
    TN_ACL_ARGUMENT(*item == NULL, "index %zu: the data set has %zu items", index, count);
    return ACL_SUCCESS;
}

acltdtDataItem *acltdtGetDataItem(const acltdtDataset *dataset, size_t index) {
    acltdtDataItem *item = NULL;
    (void)TN_ACL_CALL(find_item(dataset, index, &item));
    return item;
}

size_t acltdtGetDatasetSize(const acltdtDataset *dataset) {
    size_t count = 0;
    (void)TN_ACL_CALL(read_dataset(dataset, 0, &count, NULL));
    return count;
}

const char *acltdtGetDatasetName(const acltdtDataset *dataset) {
    size_t count = 0;
    return TN_ACL_CALL(read_dataset(dataset, 0, &count, NULL)) == ACL_SUCCESS ? "" : NULL;
}
