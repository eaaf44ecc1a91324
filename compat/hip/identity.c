// SPDX-License-Identifier: Apache-2.0
// Single properties of a device: name, number, size, and an address on a PCI bus that does not
// exist.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <hip/detail/device.h>

#include "compat/hip/face.h"
#include "compat/hip/properties.h"

#define PCI_TEXT 13 // dddd:bb:00.0 and the zero

static tn_rt_error check_query(const void *output, const char *name, int ordinal) {
    TN_RT_TRY(tn_rt_check_pointer(output, name));
    return tn_rt_check_device(ordinal);
}

static tn_rt_error get_name(char *name, int capacity, int ordinal) {
    TN_RT_TRY(check_query(name, "name", ordinal));
    TN_RT_REFUSE(capacity <= 0, TN_RT_INVALID_VALUE, "room for %d characters", capacity);
    (void)snprintf(name, (size_t)capacity, "%s", tn_rt_device(ordinal)->info.name);
    return TN_RT_OK;
}

hipError_t hipDeviceGetName(char *name, int len, hipDevice_t device) {
    return TN_HIP_CALL(get_name(name, len, device));
}

static tn_rt_error get_uuid(hipUUID *uuid, int ordinal) {
    hipDeviceProp_tR0600 properties;
    TN_RT_TRY(check_query(uuid, "uuid", ordinal));
    tn_hip_properties(tn_rt_device(ordinal), &properties);
    *uuid = properties.uuid;
    return TN_RT_OK;
}

hipError_t hipDeviceGetUuid(hipUUID *uuid, hipDevice_t device) {
    return TN_HIP_CALL(get_uuid(uuid, device));
}

static tn_rt_error get_total_memory(size_t *bytes, int ordinal) {
    TN_RT_TRY(check_query(bytes, "bytes", ordinal));
    *bytes = tn_rt_device(ordinal)->info.memory_bytes;
    return TN_RT_OK;
}

hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device) {
    return TN_HIP_CALL(get_total_memory(bytes, device));
}

static tn_rt_error get_capability(int *major, int *minor, int ordinal) {
    hipDeviceProp_tR0600 properties;
    TN_RT_TRY(tn_rt_check_pointer(major, "major"));
    TN_RT_TRY(check_query(minor, "minor", ordinal));
    tn_hip_properties(tn_rt_device(ordinal), &properties);
    *major = properties.major;
    *minor = properties.minor;
    return TN_RT_OK;
}

hipError_t hipDeviceComputeCapability(int *major, int *minor, hipDevice_t device) {
    return TN_HIP_CALL(get_capability(major, minor, device));
}

static void pci_text(const struct tn_face_device *device, char text[PCI_TEXT]) {
    (void)snprintf(text, PCI_TEXT, "%04x:%02x:00.0", (unsigned)TN_HIP_PCI_DOMAIN,
                   (unsigned)tn_hip_pci_bus(device) & 0xffu);
}

static tn_rt_error get_pci_text(char *text, int capacity, int ordinal) {
    TN_RT_TRY(check_query(text, "pciBusId", ordinal));
    TN_RT_REFUSE(capacity < PCI_TEXT, TN_RT_INVALID_VALUE, "room for %d characters, %d are needed",
                 capacity, PCI_TEXT);
    pci_text(tn_rt_device(ordinal), text);
    return TN_RT_OK;
}

hipError_t hipDeviceGetPCIBusId(char *pciBusId, int len, int deviceId) {
    return TN_HIP_CALL(get_pci_text(pciBusId, len, deviceId));
}

static tn_rt_error find_by_pci_text(int *device, const char *text) {
    unsigned domain = 0;
    unsigned bus = 0;
    char own[PCI_TEXT];
    TN_RT_TRY(tn_rt_check_pointer(device, "device"));
    TN_RT_TRY(tn_rt_check_pointer(text, "pciBusId"));
    TN_RT_REFUSE(sscanf(text, "%x:%x:", &domain, &bus) != 2, TN_RT_INVALID_VALUE,
                 "\"%.20s\" is not an address on a PCI bus", text);
    for (int i = 0; i < tn_rt_devices.count; i++) {
        pci_text(&tn_rt_devices.of[i], own);
        if (strcasecmp(own, text) == 0) {
            *device = i;
            return TN_RT_OK;
        }
    }
    return tn_rt_fail(TN_RT_INVALID_DEVICE, "no device at %.20s", text);
}

hipError_t hipDeviceGetByPCIBusId(int *device, const char *pciBusId) {
    return TN_HIP_CALL(find_by_pci_text(device, pciBusId));
}
