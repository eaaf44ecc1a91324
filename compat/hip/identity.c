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

TN_HIP_FUNCTION(hipDeviceGetName, char *, name, int, len, hipDevice_t, device) {
    TN_RT_TRY(check_query(name, "name", device));
    TN_RT_REFUSE(len <= 0, TN_RT_INVALID_VALUE, "room for %d characters", len);
    (void)snprintf(name, (size_t)len, "%s", tn_rt_device(device)->info.name);
    return TN_RT_OK;
}

TN_HIP_FUNCTION(hipDeviceGetUuid, hipUUID *, uuid, hipDevice_t, device) {
    hipDeviceProp_tR0600 properties;
    TN_RT_TRY(check_query(uuid, "uuid", device));
    tn_hip_properties(tn_rt_device(device), &properties);
    *uuid = properties.uuid;
    return TN_RT_OK;
}

TN_HIP_FUNCTION(hipDeviceTotalMem, size_t *, bytes, hipDevice_t, device) {
    TN_RT_TRY(check_query(bytes, "bytes", device));
    *bytes = tn_rt_device(device)->info.memory_bytes;
    return TN_RT_OK;
}

TN_HIP_FUNCTION(hipDeviceComputeCapability, int *, major, int *, minor, hipDevice_t, device) {
    hipDeviceProp_tR0600 properties;
    TN_RT_TRY(tn_rt_check_pointer(major, "major"));
    TN_RT_TRY(check_query(minor, "minor", device));
    tn_hip_properties(tn_rt_device(device), &properties);
    *major = properties.major;
    *minor = properties.minor;
    return TN_RT_OK;
}

static void pci_text(const struct tn_face_device *device, char text[PCI_TEXT]) {
    (void)snprintf(text, PCI_TEXT, "%04x:%02x:00.0", (unsigned)TN_HIP_PCI_DOMAIN,
                   (unsigned)tn_hip_pci_bus(device) & 0xffu);
}

TN_HIP_FUNCTION(hipDeviceGetPCIBusId, char *, pciBusId, int, len, int, deviceId) {
    TN_RT_TRY(check_query(pciBusId, "pciBusId", deviceId));
    TN_RT_REFUSE(len < PCI_TEXT, TN_RT_INVALID_VALUE, "room for %d characters, %d are needed", len,
                 PCI_TEXT);
    pci_text(tn_rt_device(deviceId), pciBusId);
    return TN_RT_OK;
}

TN_HIP_FUNCTION(hipDeviceGetByPCIBusId, int *, device, const char *, pciBusId) {
    unsigned domain = 0;
    unsigned bus = 0;
    char own[PCI_TEXT];
    TN_RT_TRY(tn_rt_check_pointer(device, "device"));
    TN_RT_TRY(tn_rt_check_pointer(pciBusId, "pciBusId"));
    TN_RT_REFUSE(sscanf(pciBusId, "%x:%x:", &domain, &bus) != 2, TN_RT_INVALID_VALUE,
                 "\"%.20s\" is not an address on a PCI bus", pciBusId);
    for (int i = 0; i < tn_rt_devices.count; i++) {
        pci_text(&tn_rt_devices.of[i], own);
        if (strcasecmp(own, pciBusId) == 0) {
            *device = i;
            return TN_RT_OK;
        }
    }
    return tn_rt_fail(TN_RT_INVALID_DEVICE, "no device at %.20s", pciBusId);
}
