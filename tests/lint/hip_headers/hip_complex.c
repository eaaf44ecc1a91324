// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_complex.h>

int main(void) {
    const hipFloatComplex z = hipCmulf(make_hipFloatComplex(1, 2), make_hipComplex(3, 4));
    const hipDoubleComplex w = hipCdiv(hipComplexFloatToDouble(z), make_hipDoubleComplex(0, 1));
    return (int)(hipCabs(w) + hipCsqabsf(z) + hipCimag(hipConj(w)));
}
