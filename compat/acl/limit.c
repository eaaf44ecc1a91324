// SPDX-License-Identifier: Apache-2.0
// Limits on the cores of devices and streams. The limits of devices are independent words, so the
// file needs no lock. Each thread remembers the stream whose limits it uses by name.
#include "compat/acl/order.h"

// The numbers of cores of the chip that aclrtGetSocName() reports.
static const uint32_t cores[TN_ACL_RESOURCES] = {
    [ACL_RT_DEV_RES_CUBE_CORE] = 24, [ACL_RT_DEV_RES_VECTOR_CORE] = 48};

static _Atomic(uint32_t) taken[TN_ACL_DEVICES][TN_ACL_RESOURCES]; // number of cores not to use

static _Thread_local aclrtStream used; // NULL: the limits of the device apply

// ---- checks

static aclError check_type(aclrtDevResLimitType type) {
    TN_ACL_INVALID((unsigned)type >= TN_ACL_RESOURCES,
                   "type %d is neither cube cores 0 nor vector cores 1", (int)type);
    return ACL_SUCCESS;
}

static aclError check_value(aclrtDevResLimitType type, uint32_t value) {
    TN_ACL_TRY(check_type(type));
    TN_ACL_INVALID(value > cores[type], "value %u exceeds the device's %u cores", value,
                   cores[type]);
    return ACL_SUCCESS;
}

static aclError check_query(aclrtDevResLimitType type, const uint32_t *value) {
    TN_ACL_TRY(tn_acl_check_pointer(value, "value"));
    return check_type(type);
}

// ---- devices

static uint32_t device_limit(int32_t ordinal, aclrtDevResLimitType type) {
    return cores[type] - taken[ordinal][type];
}

TN_ACL_FUNCTION(aclrtGetDeviceResLimit, int32_t, deviceId, aclrtDevResLimitType, type, uint32_t *,
                value) {
    TN_ACL_TRY(check_query(type, value));
    TN_ACL_TRY(tn_acl_open_device(deviceId, NULL));
    *value = device_limit(deviceId, type);
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtSetDeviceResLimit, int32_t, deviceId, aclrtDevResLimitType, type, uint32_t,
                value) {
    TN_ACL_TRY(check_value(type, value));
    TN_ACL_TRY(tn_acl_open_device(deviceId, NULL));
    taken[deviceId][type] = cores[type] - value;
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtResetDeviceResLimit, int32_t, deviceId) {
    TN_ACL_TRY(tn_acl_open_device(deviceId, NULL));
    for (int type = 0; type < TN_ACL_RESOURCES; type++) taken[deviceId][type] = 0;
    return ACL_SUCCESS;
}

// ---- streams

static aclError get_stream_limit(aclrtStream stream, aclrtDevResLimitType type, uint32_t *value) {
    TN_ACL_TRY(check_query(type, value));
    TN_ACL_ORDER(order, stream);
    uint32_t limit = order.queue->limits[type];
    *value = limit != TN_ACL_NO_LIMIT ? limit : device_limit(order.device->ordinal, type);
    return ACL_SUCCESS;
}

TN_ACL_ROW(aclrtGetStreamResLimit, get_stream_limit, aclrtStream, stream, aclrtDevResLimitType,
           type, uint32_t *, value)

TN_ACL_ROW(aclrtGetResInCurrentThread, TN_FACE_EXPRESSION(get_stream_limit(used, type, value)),
           aclrtDevResLimitType, type, uint32_t *, value)

TN_ACL_FUNCTION(aclrtSetStreamResLimit, aclrtStream, stream, aclrtDevResLimitType, type, uint32_t,
                value) {
    TN_ACL_TRY(check_value(type, value));
    TN_ACL_ORDER(order, stream);
    order.queue->limits[type] = value;
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtResetStreamResLimit, aclrtStream, stream) {
    TN_ACL_ORDER(order, stream);
    for (int type = 0; type < TN_ACL_RESOURCES; type++) order.queue->limits[type] = TN_ACL_NO_LIMIT;
    return ACL_SUCCESS;
}

// ---- the calling thread

static aclError use_stream(aclrtStream stream, aclrtStream choice) {
    TN_ACL_ORDER(order, stream);
    used = choice;
    return ACL_SUCCESS;
}

TN_ACL_ROW(aclrtUseStreamResInCurrentThread, TN_FACE_EXPRESSION(use_stream(stream, stream)),
           aclrtStream, stream)

TN_ACL_ROW(aclrtUnuseStreamResInCurrentThread, TN_FACE_EXPRESSION(use_stream(stream, NULL)),
           aclrtStream, stream)
