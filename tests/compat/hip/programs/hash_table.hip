// SPDX-License-Identifier: Apache-2.0
// A table with open addressing: keys and values in 64 bits, which threads insert by atomicCAS.
#include "check.h"

using entry = unsigned long long;

__host__ __device__ inline unsigned slot_of(unsigned key) { return key * 2654435761u >> 23; }

__global__ void insert(const unsigned *keys, entry *table, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const entry own = static_cast<entry>(keys[i]) << 32 | (i + 1);
    for (unsigned slot = slot_of(keys[i]);; slot = (slot + 1) % 512) {
        const entry before = atomicCAS(&table[slot], 0ull, own);
        if (before == 0) return;
        if (before >> 32 != keys[i]) continue;
        atomicMax(&table[slot], own); // the highest index of a key stays
        return;
    }
}

__global__ void find(const unsigned *keys, const entry *table, int *found, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int index = -1;
    for (unsigned slot = slot_of(keys[i]); table[slot] != 0 && index < 0; slot = (slot + 1) % 512)
        if (table[slot] >> 32 == keys[i]) index = static_cast<int>(table[slot] & 0xffffffff) - 1;
    found[i] = index;
}

int main() {
    const int n = 300;
    std::vector<unsigned> keys(n);
    numbers random;
    for (int i = 0; i < n; i++) keys[i] = i % 5 == 0 && i > 0 ? keys[i - 3] : random() | 1;
    device_array<unsigned> device_keys(keys);
    device_array<entry> table(512);
    device_array<int> found(n);
    table.clear();
    insert<<<5, 64>>>(device_keys.get(), table.get(), n);
    find<<<5, 64>>>(device_keys.get(), table.get(), found.get(), n);
    const std::vector<int> got = found.download();
    for (int i = 0; i < n; i++) {
        int wanted = i;
        for (int k = i + 1; k < n; k++)
            if (keys[k] == keys[i]) wanted = k;
        EXPECT(got[i] == wanted);
    }
}
