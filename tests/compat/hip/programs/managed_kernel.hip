// SPDX-License-Identifier: Apache-2.0
// A linked list in managed memory, which the CPU builds and a kernel walks and changes.
#include "check.h"

struct node {
    int value;
    node *next;
};

__global__ void add_to_lists(node *const *lists, int count, int what) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    for (node *n = lists[i]; n != nullptr; n = n->next) n->value += what;
}

int main() {
    const int lists = 20, length = 15;
    node *nodes, **heads;
    HIP_CHECK(hipMallocManaged(&nodes, lists * length * sizeof(node)));
    HIP_CHECK(hipMallocManaged(&heads, lists * sizeof(node *)));
    for (int l = 0; l < lists; l++) {
        heads[l] = nullptr;
        for (int k = 0; k < length; k++) {
            node *n = &nodes[l * length + k];
            *n = {l * k, heads[l]};
            heads[l] = n;
        }
    }
    add_to_lists<<<1, 64>>>(heads, lists, 7);
    HIP_CHECK(hipDeviceSynchronize());
    for (int l = 0; l < lists; l++)
        for (int k = 0; k < length; k++) EXPECT(nodes[l * length + k].value == l * k + 7);
    HIP_CHECK(hipFree(nodes));
    HIP_CHECK(hipFree(heads));
}
