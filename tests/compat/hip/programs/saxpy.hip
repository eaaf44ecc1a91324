// SPDX-License-Identifier: Apache-2.0
// y = a * x + y for two types. The types follow from the arguments, and each thread takes several
// elements.
#include "check.h"

template <typename T> __global__ void saxpy(T a, const T *x, T *y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}

template <typename T> void check(T a) {
    const int n = 10007;
    std::vector<T> x(n), y(n);
    for (int i = 0; i < n; i++) x[i] = T(i), y[i] = T(1);
    device_array<T> dx(x), dy(y);
    saxpy<<<8, 128>>>(a, dx.get(), dy.get(), n);
    std::vector<T> got = dy.download();
    for (int i = 0; i < n; i++) EXPECT(got[i] == a * x[i] + y[i]);
}

int main() {
    check(2.0f);
    check(-3.0);
    check(7);
}
