// SPDX-License-Identifier: Apache-2.0
// The least program that proves headers and library fit together: their versions agree.
#include <stdio.h>
#include <tarn/tarn.h>

int main(void) {
    uint32_t header =
        TARN_VERSION_MAJOR * 1000000u + TARN_VERSION_MINOR * 1000u + TARN_VERSION_PATCH;
    printf("header %u, library %u\n", header, tarn_version());
    return header == tarn_version() ? 0 : 1;
}
