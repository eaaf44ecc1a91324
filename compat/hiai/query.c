// SPDX-License-Identifier: Apache-2.0
// What there is: the version, devices, and the bus on which they are not.
#include "compat/hiai/face.h"

HIAI_API_VERSION HIAI_GetAPIVersion(void) {
    return HIAI_API_VERSION_V2_00;
}

// Programs ask before HIAI_Init(), to know for which devices to call it.
static HIAI_StatusT check(const void *out, HIAI_StatusT otherwise) {
    HIAI_StatusT status = tn_hiai_configure();
    if (status == HIAI_OK && out == NULL) {
        status = tn_hiai_fail(otherwise, "the place for the answer is NULL");
    }
    return status;
}

HIAI_StatusT HIAI_GetDeviceNum(uint32_t *devCount) {
    HIAI_StatusT status = check(devCount, HIAI_GRAPH_GET_DEVNUM_ERROR);
    if (status == HIAI_OK) {
        *devCount = tn_hiai_face.devices;
    }
    return tn_hiai_leave(status, __func__);
}

HIAI_StatusT HIAI_GetFirstDeviceId(uint32_t *firstDevID) {
    HIAI_StatusT status = check(firstDevID, HIAI_GRAPH_GET_DEVID_ERROR);
    if (status == HIAI_OK) {
        *firstDevID = 0;
    }
    return tn_hiai_leave(status, __func__);
}

HIAI_StatusT HIAI_GetNextDeviceId(const uint32_t curDevID, uint32_t *nextDevID) {
    HIAI_StatusT status = check(nextDevID, HIAI_GRAPH_GET_DEVID_ERROR);
    if (status == HIAI_OK && curDevID >= tn_hiai_face.devices - 1) {
        status = tn_hiai_fail(HIAI_GRAPH_GET_DEVID_ERROR, "no device after %u: there are %u",
                              curDevID, tn_hiai_face.devices);
    }
    if (status == HIAI_OK) {
        *nextDevID = curDevID + 1;
    }
    return tn_hiai_leave(status, __func__);
}

HIAI_StatusT HIAI_GetPCIeInfo(const uint32_t devId, int32_t *bus, int32_t *dev, int32_t *func) {
    (void)bus;
    (void)dev;
    (void)func;
    return tn_hiai_leave(
        tn_hiai_fail(HIAI_GRAPH_GET_PCIEINFO_ERROR, "device %u is on no bus", devId), __func__);
}
