/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/acl_tdt.h - items, which describe tensors, and data sets, which are lists of items. They are
 * objects of the host. The channels that carry data sets return 207000; queues are in
 * acl_tdt_queue.h.
 *
 * A getter for something that does not exist returns the value stated below. aclrtGetLastError()
 * then returns 100000. Any thread may call the getters; one thread at a time changes a data set.
 */
#ifndef ACL_ACL_TDT_H
#define ACL_ACL_TDT_H

#include <acl/acl_base.h>

ACL_EXTERN_C_BEGIN

typedef enum acltdtTensorType {
    ACL_TENSOR_DATA_UNDEFINED = -1,
    ACL_TENSOR_DATA_TENSOR = 0,
    ACL_TENSOR_DATA_END_OF_SEQUENCE = 1,
    ACL_TENSOR_DATA_ABNORMAL = 2,
    ACL_TENSOR_DATA_SLICE_TENSOR = 3,
    ACL_TENSOR_DATA_END_TENSOR = 4
} acltdtTensorType;

typedef struct acltdtDataItem acltdtDataItem;
typedef struct acltdtDataset acltdtDataset;

/*
 * Creates an item. It keeps a copy of dims, up to 128 numbers, and the address `data` of `size`
 * bytes, which it neither reads nor frees. Returns NULL for an unknown type, for dims without
 * dimNum or dimNum without dims, for more dimensions, and without host memory. Destroying an item
 * leaves it in its data sets, as an item that does not exist. 100000 if it does not exist.
 */
acltdtDataItem *acltdtCreateDataItem(acltdtTensorType tdtType, const int64_t *dims, size_t dimNum,
                                     aclDataType dataType, void *data, size_t size);
aclError acltdtDestroyDataItem(acltdtDataItem *dataItem);

/* Return what the item was created with, otherwise -1, ACL_DT_UNDEFINED, NULL, 0 and 0. */
acltdtTensorType acltdtGetTensorTypeFromItem(const acltdtDataItem *dataItem);
aclDataType acltdtGetDataTypeFromItem(const acltdtDataItem *dataItem);
void *acltdtGetDataAddrFromItem(const acltdtDataItem *dataItem);
size_t acltdtGetDataSizeFromItem(const acltdtDataItem *dataItem);
size_t acltdtGetDimNumFromItem(const acltdtDataItem *dataItem);

/* Copies the dimensions to dims, which has room for dimNum. 100000 if that is too little. */
aclError acltdtGetDimsFromItem(const acltdtDataItem *dataItem, int64_t *dims, size_t dimNum);

/*
 * Creates an empty data set, or returns NULL without host memory. Destroys it; its items stay.
 * Appends an item. 100000 for a data set or an item that does not exist, 200000 without host
 * memory.
 */
acltdtDataset *acltdtCreateDataset(void);
aclError acltdtDestroyDataset(acltdtDataset *dataset);
aclError acltdtAddDataItem(acltdtDataset *dataset, acltdtDataItem *dataItem);

/*
 * Return an item by its index, or NULL; the number of items, or 0; the name of the tensor for which
 * a channel received the data set, or NULL. Data sets of programs have the empty name.
 */
acltdtDataItem *acltdtGetDataItem(const acltdtDataset *dataset, size_t index);
size_t acltdtGetDatasetSize(const acltdtDataset *dataset);
const char *acltdtGetDatasetName(const acltdtDataset *dataset);

/*
 * Channels: not supported. These functions return 207000, or NULL where they return a channel, and
 * aclGetRecentErrMsg() then names them. The last one reads a slice of a received tensor.
 */
typedef struct acltdtChannelHandle acltdtChannelHandle;
acltdtChannelHandle *acltdtCreateChannel(uint32_t deviceId, const char *name);
acltdtChannelHandle *acltdtCreateChannelWithCapacity(uint32_t deviceId, const char *name,
                                                     size_t capacity);
aclError acltdtDestroyChannel(acltdtChannelHandle *handle);
aclError acltdtStopChannel(acltdtChannelHandle *handle);
aclError acltdtCleanChannel(acltdtChannelHandle *handle);
aclError acltdtSendTensor(const acltdtChannelHandle *handle, const acltdtDataset *dataset,
                          int32_t timeout);
aclError acltdtReceiveTensor(const acltdtChannelHandle *handle, acltdtDataset *dataset,
                             int32_t timeout);
aclError acltdtQueryChannelSize(const acltdtChannelHandle *handle, size_t *size);
aclError acltdtGetSliceInfoFromItem(const acltdtDataItem *dataItem, size_t *sliceNum,
                                    size_t *sliceId);

ACL_EXTERN_C_END

#endif
