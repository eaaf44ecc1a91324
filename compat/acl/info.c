// SPDX-License-Identifier: Apache-2.0
// Facts about a device: attributes, names, its state, and time-outs of operators. There are no operators, so
// a time-out is kept and returned. The words are independent, so the file needs no lock.
#include <acl/detail/attribute.h>
#include <acl/detail/limit.h>
#include <acl/detail/stream.h>

#include <stdatomic.h>

#include "compat/acl/context.h"
#include "compat/runtime/device/identity.h"

// ---- attributes

// The parts of the chip that aclrtGetSocName() names, by product. -1: not known.
enum product { ASCEND_910B, ASCEND_310B, ASCEND_950, PRODUCTS };

static const struct {
    aclrtDevAttr attr;
    int64_t values[PRODUCTS];
} constants[] = {
    {ACL_DEV_ATTR_AICPU_CORE_NUM, {6, -1, -1}},
    {ACL_DEV_ATTR_AICORE_CORE_NUM, {24, 24, 24}},
    {ACL_DEV_ATTR_CUBE_CORE_NUM, {24, 24, 24}},
    {ACL_DEV_ATTR_VECTOR_CORE_NUM, {48, 48, 48}},
    {ACL_DEV_ATTR_L2_CACHE_SIZE, {192 << 20, -1, -1}},
    {ACL_DEV_ATTR_CUST_OP_PRIVILEGE, {0, 0, 0}},
    {ACL_DEV_ATTR_SMP_ID, {0, 0, 0}},
    {ACL_DEV_ATTR_IS_VIRTUAL, {0, 0, 0}},
    {ACL_DEV_ATTR_NPU_ARCH, {2201, 3002, 3510}},
};

static enum product product(void) {
    return tn_acl_face.rc ? ASCEND_310B : tn_acl_face.padding == 0 ? ASCEND_950 : ASCEND_910B;
}

static aclError get_attribute(uint32_t ordinal, aclrtDevAttr attr, int64_t *value) {
    TN_ACL_POINTER(value);
    TN_ACL_DEVICE(device, tn_acl_open_device((int64_t)ordinal, &device));
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        if (constants[i].attr != attr) continue;
        int64_t constant = constants[i].values[product()];
        TN_ACL_UNSUPPORTED(constant < 0, "attr %d of this chip is not known", (int)attr);
        *value = constant;
        return ACL_SUCCESS;
    }
    // Grids of threads, which only Ascend 950 has; the others answer 0.
    if (attr >= ACL_DEV_ATTR_WARP_SIZE && attr <= ACL_DEV_ATTR_MAX_BLOCK_DIM_Z) {
        TN_ACL_UNSUPPORTED(product() == ASCEND_950, "attr %d of this chip is not known", (int)attr);
        *value = 0;
        return ACL_SUCCESS;
    }
    if (attr == ACL_DEV_ATTR_PHY_CHIP_ID) {
        *value = device->number;
        return ACL_SUCCESS;
    }
    if (attr == ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE) {
        uint64_t free_bytes = 0, total = 0;
        TN_ACL_TRY(tn_acl_status(tarn_device_query_memory(device->tarn, &free_bytes, &total)));
        *value = (int64_t)total;
        return ACL_SUCCESS;
    }
    TN_ACL_UNSUPPORTED(attr >= ACL_DEV_ATTR_SUPER_POD_DEVICE_ID &&
                           attr <= ACL_DEV_ATTR_DEVICE_FORM_FACTOR,
                       "attr %d: the device is in no super pod and on no board", (int)attr);
    return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "attr %d is unknown", (int)attr);
}

TN_ACL_ROW(aclrtGetDeviceInfo, get_attribute, uint32_t, deviceId, aclrtDevAttr, attr, int64_t *,
           value)

TN_ACL_FUNCTION(aclGetDeviceCapability, uint32_t, deviceId, aclDeviceInfo, deviceInfo, int64_t *,
                value) {
    static const aclrtDevAttr attributes[] = {
        [ACL_DEVICE_INFO_AI_CORE_NUM] = ACL_DEV_ATTR_AICORE_CORE_NUM,
        [ACL_DEVICE_INFO_VECTOR_CORE_NUM] = ACL_DEV_ATTR_VECTOR_CORE_NUM,
        [ACL_DEVICE_INFO_L2_SIZE] = ACL_DEV_ATTR_L2_CACHE_SIZE};
    TN_ACL_POINTER(value);
    TN_ACL_ARGUMENT(deviceInfo < ACL_DEVICE_INFO_AI_CORE_NUM ||
                        deviceInfo > ACL_DEVICE_INFO_L2_SIZE,
                    "deviceInfo %d is not one of 0 to 2", (int)deviceInfo);
    return get_attribute(deviceId, attributes[deviceInfo], value);
}

TN_ACL_FUNCTION(aclrtGetDeviceCapability, int32_t, deviceId, aclrtDevFeatureType, devFeatureType,
                int32_t *, value) {
    TN_ACL_POINTER(value);
    TN_ACL_TRY(tn_acl_open_device(deviceId, NULL));
    TN_ACL_INVALID(devFeatureType != ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV &&
                       devFeatureType != ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV,
                   "feature %d is neither 1 nor 21", (int)devFeatureType);
    *value = ACL_DEV_FEATURE_NOT_SUPPORT;
    return ACL_SUCCESS;
}

// ---- names and state

TN_ACL_FUNCTION(aclrtDeviceGetUuid, int32_t, deviceId, aclrtUuid *, uuid) {
    TN_ACL_POINTER(uuid);
    TN_ACL_DEVICE(device, tn_acl_open_device(deviceId, &device));
    tn_rt_fill_uuid(device, uuid->bytes);
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtQueryDeviceStatus, int32_t, deviceId, aclrtDeviceStatus *, deviceStatus) {
    TN_ACL_POINTER(deviceStatus);
    TN_ACL_TRY(tn_acl_open_device(deviceId, NULL));
    *deviceStatus = ACL_RT_DEVICE_STATUS_NORMAL;
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtDeviceGetStreamPriorityRange, int32_t *, leastPriority, int32_t *,
                greatestPriority) {
    TN_ACL_TRY(tn_acl_current_device(NULL));
    if (leastPriority != NULL) *leastPriority = TN_ACL_PRIORITIES - 1;
    if (greatestPriority != NULL) *greatestPriority = 0;
    return ACL_SUCCESS;
}

// The name of a context is that of its default stream, too; see order.h.
TN_ACL_FUNCTION(aclrtCtxGetCurrentDefaultStream, aclrtStream *, stream) {
    TN_ACL_POINTER(stream);
    TN_ACL_GET(tn_acl_queue, context, tn_acl_context_get(&context));
    *stream = (aclrtStream)context->object.handle;
    return ACL_SUCCESS;
}

// ---- time-outs of operators

static _Atomic(uint64_t) execute_us; // 0: no limit

static aclError set_execute_limit(uint64_t us) {
    TN_ACL_TRY(tn_acl_current_device(NULL));
    execute_us = us;
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtSetOpWaitTimeout, uint32_t, timeout) {
    (void)timeout; // of waits between streams, which have no limit here
    return tn_acl_current_device(NULL);
}

TN_ACL_ROW(aclrtSetOpExecuteTimeOut,
           TN_FACE_EXPRESSION(set_execute_limit((uint64_t)timeout * 1000000)), uint32_t, timeout)

TN_ACL_ROW(aclrtSetOpExecuteTimeOutWithMs,
           TN_FACE_EXPRESSION(set_execute_limit((uint64_t)timeout * 1000)), uint32_t, timeout)

TN_ACL_FUNCTION(aclrtSetOpExecuteTimeOutV2, uint64_t, timeout, uint64_t *, actualTimeout) {
    TN_ACL_POINTER(actualTimeout);
    TN_ACL_TRY(set_execute_limit(timeout));
    *actualTimeout = timeout;
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtGetOpExecuteTimeout, uint32_t *, timeoutMs) {
    TN_ACL_POINTER(timeoutMs);
    TN_ACL_TRY(tn_acl_current_device(NULL));
    uint64_t ms = execute_us / 1000;
    *timeoutMs = ms > UINT32_MAX ? UINT32_MAX : (uint32_t)ms;
    return ACL_SUCCESS;
}

// Every time-out of whole microseconds is possible.
TN_ACL_FUNCTION(aclrtGetOpTimeOutInterval, uint64_t *, interval) {
    TN_ACL_POINTER(interval);
    TN_ACL_TRY(tn_acl_current_device(NULL));
    *interval = 1;
    return ACL_SUCCESS;
}
