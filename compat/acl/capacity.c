// SPDX-License-Identifier: Apache-2.0
// Queries about the memory of a device: its size, its use by modules, and its errors. The file has
// no state.
#include <acl/detail/query.h>

#include "compat/acl/context.h"
#include "compat/acl/usage.h"

// The last attribute of each generation.
#define LAST_ATTR_1 ACL_HBM_MEM_P2P_HUGE1G
#define LAST_ATTR_2 ACL_MEM_P2P_HUGE1G

// Returns the pages that an attribute is about. DEFAULT means all of the memory.
// The class of each attribute; others count bytes of every class.
static const tarn_page_class page_classes[LAST_ATTR_2 + 1] = {
    [ACL_DDR_MEM_HUGE] = TARN_PAGE_HUGE,     [ACL_HBM_MEM_HUGE] = TARN_PAGE_HUGE,
    [ACL_DDR_MEM_P2P_HUGE] = TARN_PAGE_HUGE, [ACL_HBM_MEM_P2P_HUGE] = TARN_PAGE_HUGE,
    [ACL_MEM_HUGE] = TARN_PAGE_HUGE,         [ACL_MEM_P2P_HUGE] = TARN_PAGE_HUGE,
    [ACL_HBM_MEM_HUGE1G] = TARN_PAGE_GIANT,  [ACL_HBM_MEM_P2P_HUGE1G] = TARN_PAGE_GIANT,
    [ACL_MEM_HUGE1G] = TARN_PAGE_GIANT,      [ACL_MEM_P2P_HUGE1G] = TARN_PAGE_GIANT};

TN_ACL_FUNCTION(aclrtGetMemInfo, aclrtMemAttr, attr, size_t *, free, size_t *, total) {
    uint64_t free_bytes = 0;
    uint64_t total_bytes = 0;
    TN_ACL_POINTERS(free, total);
    aclError opened = tn_acl_open(); // reads the generation
    if ((uint32_t)attr > (tn_acl_face.generation == 1 ? LAST_ATTR_1 : LAST_ATTR_2))
        TN_ACL_TRY(tn_acl_fail(ACL_ERROR_RT_INVALID_MEMORY_TYPE, "attr %d is unknown", (int)attr));
    TN_ACL_TRY(opened);
    TN_ACL_DEVICE(device, tn_acl_current_device(&device));
    TN_ACL_TRY(tn_acl_status(tarn_device_query_memory(device->tarn, &free_bytes, &total_bytes)));
    tarn_page_class pages = page_classes[attr];
    if (pages == TARN_PAGE_GIANT && (device->info.features & TARN_FEATURE_GIANT_PAGES) == 0)
        free_bytes = total_bytes = 0;
    uint64_t unit = pages == TARN_PAGE_DEFAULT ? 1 : TARN_PAGE_BYTES(pages);
    *free = (size_t)(free_bytes / unit * unit);
    *total = (size_t)(total_bytes / unit * unit);
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtGetMemUsageInfo, int32_t, deviceId, aclrtMemUsageInfo *, memUsageInfo, size_t,
                inputNum, size_t *, outputNum) {
    TN_ACL_POINTERS(memUsageInfo, outputNum);
    TN_ACL_ARGUMENT(inputNum == 0, "inputNum is 0");
    TN_ACL_TRY(tn_acl_current_device(NULL));
    TN_ACL_DEVICE(device, tn_acl_find_device(deviceId, &device));
    *outputNum = tn_acl_usage_fill(device, memUsageInfo, inputNum);
    return ACL_SUCCESS;
}

// The memory never has errors.
TN_ACL_FUNCTION(aclrtGetMemUceInfo, int32_t, deviceId, aclrtMemUceInfo *, memUceInfoArray, size_t,
                arraySize, size_t *, retSize) {
    TN_ACL_POINTERS(memUceInfoArray, retSize);
    TN_ACL_ARGUMENT(arraySize == 0, "arraySize is 0");
    TN_ACL_TRY(tn_acl_open_device(deviceId, NULL));
    *retSize = 0;
    return ACL_SUCCESS;
}
