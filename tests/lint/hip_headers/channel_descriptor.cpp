// SPDX-License-Identifier: Apache-2.0
#include <hip/channel_descriptor.h>

int main() {
    const hipChannelFormatDesc format = hipCreateChannelDesc<uint2>();
    return format.y == 32 && format.f == hipChannelFormatKindUnsigned ? 0 : 1;
}
