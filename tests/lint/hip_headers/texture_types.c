// SPDX-License-Identifier: Apache-2.0
#include <hip/texture_types.h>

int main(void) {
    hipResourceDesc resource;
    hipTextureDesc texture;
    struct hipResourceViewDesc view;
    resource.resType = hipResourceTypeLinear;
    resource.res.linear.sizeInBytes = 4;
    texture.addressMode[0] = hipAddressModeClamp;
    view.format = hipResViewFormatHalf4;
    return (int)resource.resType + (int)texture.addressMode[0] + (int)view.format;
}
