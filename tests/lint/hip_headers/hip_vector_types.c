// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_vector_types.h>

int main(void) {
    const uchar4 bytes = make_uchar4(1, 2, 3, 4);
    const double2 pair = make_double2(0.5, 1.5);
    const longlong3 three = make_longlong3(1, 2, 3);
    return bytes.w + (int)pair.y + (int)three.z;
}
