// SPDX-License-Identifier: Apache-2.0
// Single facts about a device: name, number, size, place on a bus that is not there.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <hip/detail/device.h>

#include "compat/hip/properties.h"

#define PCI_TEXT 13 // dddd:bb:00.0 and the zero

// The device, or NULL with `error` set. `output` NULL is refused first.
static const struct tn_hip_device *find(const void *output, int ordinal, hipError_t *error) {
    *error = tn_hip_enter();
    if (*error != hipSuccess) {
        return NULL;
    }
    const struct tn_hip_device *device = tn_hip_device(ordinal);
    if (output == NULL) {
        *error = tn_hip_fail(hipErrorInvalidValue, "where the answer shall go is NULL");
        return NULL;
    }
    if (device == NULL) {
        *error = tn_hip_fail(hipErrorInvalidDevice, "no device %d, there are %d", ordinal,
                             tn_hip_face.count);
    }
    return device;
}

hipError_t hipDeviceGetName(char *name, int len, hipDevice_t device) {
    hipError_t error = hipSuccess;
    const struct tn_hip_device *found = find(name, device, &error);
    if (found != NULL && len <= 0) {
        error = tn_hip_fail(hipErrorInvalidValue, "room for %d characters", len);
    } else if (found != NULL) {
        (void)snprintf(name, (size_t)len, "%s", found->info.name);
    }
    return tn_hip_leave(error, __func__);
}

hipError_t hipDeviceGetUuid(hipUUID *uuid, hipDevice_t device) {
    hipError_t error = hipSuccess;
    const struct tn_hip_device *found = find(uuid, device, &error);
    if (found != NULL) {
        hipDeviceProp_tR0600 properties;
        tn_hip_properties(found, &properties);
        *uuid = properties.uuid;
    }
    return tn_hip_leave(error, __func__);
}

hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device) {
    hipError_t error = hipSuccess;
    const struct tn_hip_device *found = find(bytes, device, &error);
    if (found != NULL) {
        *bytes = found->info.memory_bytes;
    }
    return tn_hip_leave(error, __func__);
}

hipError_t hipDeviceComputeCapability(int *major, int *minor, hipDevice_t device) {
    hipError_t error = hipSuccess;
    const struct tn_hip_device *found = find(major != NULL ? minor : NULL, device, &error);
    if (found != NULL) {
        hipDeviceProp_tR0600 properties;
        tn_hip_properties(found, &properties);
        *major = properties.major;
        *minor = properties.minor;
    }
    return tn_hip_leave(error, __func__);
}

static void pci_text(const struct tn_hip_device *device, char text[PCI_TEXT]) {
    (void)snprintf(text, PCI_TEXT, "%04x:%02x:00.0", (unsigned)TN_HIP_PCI_DOMAIN,
                   (unsigned)tn_hip_pci_bus(device) & 0xffu);
}

hipError_t hipDeviceGetPCIBusId(char *pciBusId, int len, int deviceId) {
    hipError_t error = hipSuccess;
    const struct tn_hip_device *found = find(pciBusId, deviceId, &error);
    if (found != NULL && len < PCI_TEXT) {
        error = tn_hip_fail(hipErrorInvalidValue, "room for %d characters, %d are needed", len,
                            PCI_TEXT);
    } else if (found != NULL) {
        pci_text(found, pciBusId);
    }
    return tn_hip_leave(error, __func__);
}

static hipError_t by_pci_text(int *device, const char *text) {
    unsigned domain = 0;
    unsigned bus = 0;
    char own[PCI_TEXT];
    if (sscanf(text, "%x:%x:", &domain, &bus) != 2) {
        return tn_hip_fail(hipErrorInvalidValue, "\"%.20s\" is no address on a PCI bus", text);
    }
    for (int i = 0; i < tn_hip_face.count; i++) {
        pci_text(&tn_hip_face.devices[i], own);
        if (strcasecmp(own, text) == 0) {
            *device = i;
            return hipSuccess;
        }
    }
    return tn_hip_fail(hipErrorInvalidDevice, "no device at %.20s", text);
}

hipError_t hipDeviceGetByPCIBusId(int *device, const char *pciBusId) {
    return TN_HIP_CALL(device != NULL && pciBusId != NULL
                           ? by_pci_text(device, pciBusId)
                           : tn_hip_fail(hipErrorInvalidValue, "%s is NULL",
                                         device == NULL ? "device" : "pciBusId"));
}
