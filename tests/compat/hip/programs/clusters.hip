// SPDX-License-Identifier: Apache-2.0
// Two rounds of k-means: threads find the nearest centre, and add to it by atomics of double.
#include "check.h"

enum { CENTRES = 3 };

__device__ double2 centres[CENTRES];
__device__ double sums[CENTRES][3];

__global__ void assign(const double2 *points, int *nearest, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double least = HUGE_VAL;
    int best = 0;
    for (int k = 0; k < CENTRES; k++) {
        const double distance = hypot(points[i].x - centres[k].x, points[i].y - centres[k].y);
        if (distance < least) least = distance, best = k;
    }
    nearest[i] = best;
    atomicAdd(&sums[best][0], points[i].x);
    atomicAdd(&sums[best][1], points[i].y);
    atomicAdd(&sums[best][2], 1.0);
}

__global__ void move() {
    double *const own = sums[threadIdx.x];
    centres[threadIdx.x] = make_double2(own[0] / own[2], own[1] / own[2]);
    own[0] = own[1] = own[2] = 0;
}

int main() {
    const int n = 90;
    std::vector<double2> points(n);
    for (int i = 0; i < n; i++)
        points[i] = make_double2(i % 3 * 10 + i / 3 % 5, i % 3 * i % 3 * 7 + i / 15 * 0.5);
    const double2 first[CENTRES] = {points[0], points[1], points[2]};
    HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(centres), first, sizeof first));
    device_array<double2> device_points(points);
    device_array<int> nearest(n);
    for (int round = 0; round < 2; round++) {
        assign<<<2, 64>>>(device_points.get(), nearest.get(), n);
        move<<<1, CENTRES>>>();
    }
    double2 got[CENTRES];
    HIP_CHECK(hipMemcpyFromSymbol(got, HIP_SYMBOL(centres), sizeof got));
    const std::vector<int> owner = nearest.download();
    for (int i = 0; i < n; i++) EXPECT(owner[i] == i % 3);
    for (int k = 0; k < CENTRES; k++) {
        double x = 0;
        for (int i = k; i < n; i += 3) x += points[i].x / (n / 3);
        EXPECT(std::fabs(got[k].x - x) < 1e-9);
    }
}
