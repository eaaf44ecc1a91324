// SPDX-License-Identifier: Apache-2.0
// hipDeviceGetAttribute(): a table that maps attributes to members of the properties, and the few
// attributes that have no member.
#include <limits.h>
#include <string.h>

#include <hip/detail/device.h>

#include "compat/hip/attribute_list.h"
#include "compat/hip/face.h"
#include "compat/hip/properties.h"

struct row {
    int attribute;
    unsigned offset; // in the properties
    unsigned bytes;  // of the member: 4 or 8
};

#define MEMBER(member)                                                                             \
    offsetof(hipDeviceProp_tR0600, member), sizeof(((hipDeviceProp_tR0600 *)0)->member)
#define ROW(name, member)           {hipDeviceAttribute##name, MEMBER(member)},
#define ROW_OF(name, member, value) ROW(name, member)

static const struct row rows[] = {TN_HIP_ATTRIBUTE_LIST(ROW, ROW_OF, ROW_OF)};

static int clamp_to_int(uint64_t value) { return value > INT_MAX ? INT_MAX : (int)value; }

static int read_member(const hipDeviceProp_tR0600 *properties, const struct row *row) {
    const char *at = (const char *)properties + row->offset;
    uint64_t wide = 0;
    int narrow = 0;
    if (row->bytes == sizeof wide) {
        memcpy(&wide, at, sizeof wide);
        return clamp_to_int(wide);
    }
    memcpy(&narrow, at, sizeof narrow);
    return narrow;
}

// Reads attributes that have no member. Returns false for an unknown attribute, or one that is not
// an int.
static bool read_other(const struct tn_face_device *device, int attribute, int *value) {
    switch (attribute) {
    case hipDeviceAttributeVirtualMemoryManagementSupported:
        *value = (device->info.features & TARN_FEATURE_VMM) != 0;
        return true;
    case hipDeviceAttributeFineGrainSupport:
        *value = (device->info.features & TARN_FEATURE_HOST_ACCESS) != 0;
        return true;
    case hipDeviceAttributeCanUseStreamWaitValue:
        *value = (device->info.features & TARN_FEATURE_CONDITIONS) != 0;
        return true;
    case hipDeviceAttributeNumberOfXccs: *value = 1; return true;
    case hipDeviceAttributeWallClockRate: *value = TN_HIP_TIMER_KHZ; return true;
    case hipDeviceAttributeMaxAvailableVgprsPerThread: *value = 512; return true; // nominal
    case hipDeviceAttributeImageSupport:
    case hipDeviceAttributePciChipId: // the software device has no chip
    case hipDeviceAttributeGcnArch: *value = 0; return true;
    default: return false;
    }
}

static bool read_attribute(const struct tn_face_device *device, int attribute, int *value) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].attribute == attribute) {
            hipDeviceProp_tR0600 properties;
            tn_hip_properties(device, &properties);
            *value = read_member(&properties, &rows[i]);
            return true;
        }
    }
    return read_other(device, attribute, value);
}

// Two attributes are addresses of registers of the GPU. AMD's library writes a pointer, of 8 bytes.
static bool is_register(hipDeviceAttribute_t attribute) {
    return attribute == hipDeviceAttributeHdpMemFlushCntl ||
           attribute == hipDeviceAttributeHdpRegFlushCntl;
}

TN_HIP_FUNCTION(hipDeviceGetAttribute, int *, pi, hipDeviceAttribute_t, attr, int, deviceId) {
    TN_RT_TRY(tn_rt_check_pointer(pi, "pi"));
    TN_RT_TRY(tn_rt_check_device(deviceId));
    if (is_register(attr)) { // NULL, as in the properties: the software device has none
        memset(pi, 0, sizeof(uint32_t *));
        return TN_RT_OK;
    }
    return read_attribute(tn_rt_device(deviceId), (int)attr, pi)
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "%d is not an attribute with a number", (int)attr);
}
