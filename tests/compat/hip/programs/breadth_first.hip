// SPDX-License-Identifier: Apache-2.0
// Distances in a graph: a frontier of vertices for each level, which threads extend by atomics.
#include <utility>

#include "check.h"

struct graph {
    const int *starts, *edges;
};

__global__ void expand(graph g, const int *frontier, int size, int *next, int *next_size,
                       int *distance, int level) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) return;
    const int from = frontier[i];
    for (int e = g.starts[from]; e < g.starts[from + 1]; e++)
        if (atomicCAS(&distance[g.edges[e]], -1, level) == -1)
            next[atomicAdd(next_size, 1)] = g.edges[e];
}

int main() {
    const int n = 400, degree = 3;
    std::vector<int> starts(n + 1), edges(n * degree), wanted(n, -1), queue{0};
    numbers random;
    for (int i = 0; i <= n; i++) starts[i] = i * degree;
    for (int &e : edges) e = static_cast<int>(random() >> 8) % n;
    wanted[0] = 0;
    for (size_t at = 0; at < queue.size(); at++)
        for (int e = starts[queue[at]]; e < starts[queue[at] + 1]; e++)
            if (wanted[edges[e]] == -1) {
                wanted[edges[e]] = wanted[queue[at]] + 1;
                queue.push_back(edges[e]);
            }
    std::vector<int> first(n, -1);
    first[0] = 0;
    device_array<int> device_starts(starts), device_edges(edges), distance(first);
    device_array<int> frontier(std::vector<int>(n, 0)), next(n), size(1);
    int *from = frontier.get(), *to = next.get(), count = 1;
    const graph g{device_starts.get(), device_edges.get()};
    for (int level = 1; count > 0; level++) {
        size.clear();
        expand<<<(count + 63) / 64, 64>>>(g, from, count, to, size.get(), distance.get(), level);
        count = size.download()[0];
        std::swap(from, to);
    }
    EXPECT(distance.download() == wanted);
}
