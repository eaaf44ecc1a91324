// SPDX-License-Identifier: Apache-2.0
// A kernel that is a static member of a class template, which HIP allows and CUDA does not.
#include "check.h"

template <int Factor> class scaled {
  public:
    static __global__ void run(int *p, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) p[i] *= Factor;
    }
    static void launch(int *p, int n) { scaled<Factor>::run<<<dim3((n + 63) / 64), 64>>>(p, n); }
};

int main() {
    const int n = 500;
    std::vector<int> host(n);
    for (int i = 0; i < n; i++) host[i] = i;
    device_array<int> data(host);
    scaled<2>::launch(data.get(), n);
    std::vector<int> got = data.download();
    for (int i = 0; i < n; i++) EXPECT(got[i] == i * 2);
}
