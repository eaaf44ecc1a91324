// SPDX-License-Identifier: Apache-2.0
#include <hip/library_types.h>

int main(void) {
    const hipDataType type = HIP_R_16BF;
    return (int)type - (int)HIP_LIBRARY_PATCH_LEVEL;
}
