// SPDX-License-Identifier: Apache-2.0
// Version and device queries. The software devices have no PCI bus, so bus queries fail. Any
// thread.
#include "compat/hiai/face.h"

HIAI_API_VERSION HIAI_GetAPIVersion(void) { return HIAI_API_VERSION_V2_00; }

// Programs query devices before HIAI_Init(), to learn which ones exist.
static HIAI_StatusT check_output(const void *out, HIAI_StatusT otherwise) {
    TN_HIAI_TRY(tn_hiai_configure());
    return out != NULL ? HIAI_OK : tn_hiai_fail(otherwise, "the pointer for the result is NULL");
}

TN_HIAI_FUNCTION(HIAI_GetDeviceNum, uint32_t *, devCount) {
    TN_HIAI_TRY(check_output(devCount, HIAI_GRAPH_GET_DEVNUM_ERROR));
    *devCount = tn_hiai_face.devices;
    return HIAI_OK;
}

TN_HIAI_FUNCTION(HIAI_GetFirstDeviceId, uint32_t *, firstDevID) {
    TN_HIAI_TRY(check_output(firstDevID, HIAI_GRAPH_GET_DEVID_ERROR));
    *firstDevID = 0;
    return HIAI_OK;
}

TN_HIAI_FUNCTION(HIAI_GetNextDeviceId, const uint32_t, curDevID, uint32_t *, nextDevID) {
    TN_HIAI_TRY(check_output(nextDevID, HIAI_GRAPH_GET_DEVID_ERROR));
    TN_HIAI_REFUSE(curDevID >= tn_hiai_face.devices - 1, HIAI_GRAPH_GET_DEVID_ERROR,
                   "no device after %u: there are %u", curDevID, tn_hiai_face.devices);
    *nextDevID = curDevID + 1;
    return HIAI_OK;
}

HIAI_StatusT HIAI_GetPCIeInfo(const uint32_t devId, int32_t *bus, int32_t *dev, int32_t *func) {
    TN_FACE_GIVEN(TN_FACE_WORD(devId))
    (void)bus;
    (void)dev;
    (void)func;
    return TN_HIAI_CALL(
        tn_hiai_fail(HIAI_GRAPH_GET_PCIEINFO_ERROR, "device %u has no PCI bus", devId));
}
