// SPDX-License-Identifier: Apache-2.0
// How much memory there is, who uses it, and whether it is sound.
#include <acl/detail/query.h>

#include "compat/acl/context.h"
#include "compat/acl/usage.h"

// ---- capacity

#define LAST_ATTR_1 ACL_HBM_MEM_P2P_HUGE1G // of generation 1
#define LAST_ATTR_2 ACL_MEM_P2P_HUGE1G

// The pages that an attribute is about; DEFAULT: all of the memory.
static tarn_page_class pages_of(aclrtMemAttr attr) {
    switch (attr) {
    case ACL_DDR_MEM_HUGE:
    case ACL_HBM_MEM_HUGE:
    case ACL_DDR_MEM_P2P_HUGE:
    case ACL_HBM_MEM_P2P_HUGE:
    case ACL_MEM_HUGE:
    case ACL_MEM_P2P_HUGE:
        return TARN_PAGE_HUGE;
    case ACL_HBM_MEM_HUGE1G:
    case ACL_HBM_MEM_P2P_HUGE1G:
    case ACL_MEM_HUGE1G:
    case ACL_MEM_P2P_HUGE1G:
        return TARN_PAGE_GIANT;
    default:
        return TARN_PAGE_DEFAULT;
    }
}

static aclError measure(aclrtMemAttr attr, const struct tn_acl_device *device, size_t *left,
                        size_t *all) {
    uint64_t free_bytes = 0;
    uint64_t total_bytes = 0;
    tarn_page_class pages = pages_of(attr);
    tarn_status status = tarn_device_query_memory(device->tarn, &free_bytes, &total_bytes);
    if (status != TARN_OK) {
        return tn_acl_from(status, ACL_ERROR_RT_PARAM_INVALID);
    }
    if (pages == TARN_PAGE_GIANT && (device->info.features & TARN_FEATURE_GIANT_PAGES) == 0) {
        free_bytes = total_bytes = 0;
    }
    uint64_t unit = pages == TARN_PAGE_DEFAULT ? 1 : TARN_PAGE_BYTES(pages);
    *left = (size_t)(free_bytes / unit * unit);
    *all = (size_t)(total_bytes / unit * unit);
    return ACL_SUCCESS;
}

static aclError tell_memory(aclrtMemAttr attr, size_t *left, size_t *all) {
    struct tn_acl_context *context = NULL;
    if (left == NULL || all == NULL) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "%s is NULL", left == NULL ? "free" : "total");
    }
    aclError error = tn_acl_open(); // knows the generation
    uint32_t last = tn_acl_face.generation == 1 ? LAST_ATTR_1 : LAST_ATTR_2;
    if ((uint32_t)attr > last) {
        return tn_acl_fail(ACL_ERROR_RT_INVALID_MEMORY_TYPE, "attr is %d", (int)attr);
    }
    if (error == ACL_SUCCESS) {
        error = tn_acl_context_get(&context);
    }
    if (error == ACL_SUCCESS) {
        error = measure(attr, context->device, left, all);
        tn_acl_context_put(context);
    }
    return error;
}

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total) {
    return tn_acl_leave(tell_memory(attr, free, total), __func__);
}

// ---- who uses it

static aclError find_device(int32_t ordinal, struct tn_acl_device **device) {
    *device = tn_acl_device(ordinal);
    return *device != NULL ? ACL_SUCCESS
                           : tn_acl_fail(ACL_ERROR_RT_INVALID_DEVICEID, "device %d, there are %d",
                                         ordinal, tn_acl_face.count);
}

static aclError tell_usage(int32_t ordinal, aclrtMemUsageInfo *records, size_t room,
                           size_t *count) {
    struct tn_acl_context *context = NULL;
    struct tn_acl_device *device = NULL;
    if (records == NULL || room == 0 || count == NULL) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "memUsageInfo %p, inputNum %zu, outputNum %p",
                           (void *)records, room, (void *)count);
    }
    aclError error = tn_acl_context_get(&context);
    if (error == ACL_SUCCESS) {
        tn_acl_context_put(context);
        error = find_device(ordinal, &device);
    }
    if (error == ACL_SUCCESS) {
        *count = tn_acl_usage_tell(device, records, room);
    }
    return error;
}

aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo *memUsageInfo, size_t inputNum,
                              size_t *outputNum) {
    return tn_acl_leave(tell_usage(deviceId, memUsageInfo, inputNum, outputNum), __func__);
}

// ---- whether it is sound: always

static aclError tell_faults(int32_t ordinal, const aclrtMemUceInfo *faults, size_t room,
                            size_t *count) {
    struct tn_acl_device *device = NULL;
    if (faults == NULL || room == 0 || count == NULL) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "memUceInfoArray %p, arraySize %zu, retSize %p",
                           (const void *)faults, room, (void *)count);
    }
    aclError error = tn_acl_open();
    if (error == ACL_SUCCESS) {
        error = find_device(ordinal, &device);
    }
    if (error == ACL_SUCCESS) {
        *count = 0;
    }
    return error;
}

aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo *memUceInfoArray, size_t arraySize,
                            size_t *retSize) {
    return tn_acl_leave(tell_faults(deviceId, memUceInfoArray, arraySize, retSize), __func__);
}
