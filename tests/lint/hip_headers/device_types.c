// SPDX-License-Identifier: Apache-2.0
#include <hip/device_types.h>

int main(void) {
    const enum hipRoundMode mode = hipRoundPosInf;
    return mode == hipRoundMinInf;
}
