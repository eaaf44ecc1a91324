// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_texture_types.h>

int main(void) {
    hipTextureObject_t texture = 0;
    return texture == 0 ? hipTextureType1D : 0;
}
