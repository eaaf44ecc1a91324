// SPDX-License-Identifier: Apache-2.0
// Shortest paths between all pairs of nodes: a launch for each node on the way.
#include "check.h"

#include <algorithm>

__global__ void relax(int *distance, int nodes, int k) {
    int to = blockIdx.x * blockDim.x + threadIdx.x, from = blockIdx.y;
    if (to >= nodes) return;
    int way = distance[from * nodes + k] + distance[k * nodes + to];
    if (way < distance[from * nodes + to]) distance[from * nodes + to] = way;
}

int main() {
    const int nodes = 50;
    std::vector<int> d(nodes * nodes);
    numbers random;
    for (int i = 0; i < nodes * nodes; i++)
        d[i] = i / nodes == i % nodes      ? 0
               : (random() >> 16) % 4 == 0 ? 1 + (random() >> 16) % 50
                                           : 100000;
    device_array<int> dd(d);
    for (int k = 0; k < nodes; k++) relax<<<dim3(2, nodes), 32>>>(dd.get(), nodes, k);
    for (int k = 0; k < nodes; k++)
        for (int i = 0; i < nodes; i++)
            for (int j = 0; j < nodes; j++)
                d[i * nodes + j] = std::min(d[i * nodes + j], d[i * nodes + k] + d[k * nodes + j]);
    EXPECT(dd.download() == d);
}
