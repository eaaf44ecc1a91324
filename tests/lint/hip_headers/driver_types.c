// SPDX-License-Identifier: Apache-2.0
#include <hip/driver_types.h>

int main(void) {
    hipMemcpy3DParms parms;
    parms.extent = make_hipExtent(1, 2, 3);
    parms.srcPos = make_hipPos(1, 2, 3);
    parms.srcPtr = make_hipPitchedPtr(NULL, 64, 64, 1);
    parms.kind = hipMemcpyDefault;
    return (int)parms.extent.depth + (int)parms.srcPos.z + (int)parms.srcPtr.pitch;
}
