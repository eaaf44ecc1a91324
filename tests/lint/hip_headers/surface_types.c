// SPDX-License-Identifier: Apache-2.0
#include <hip/surface_types.h>

int main(void) {
    hipSurfaceObject_t surface = 0;
    return surface == 0 ? (int)hipBoundaryModeZero : 1;
}
