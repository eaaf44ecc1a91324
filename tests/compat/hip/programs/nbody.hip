// SPDX-License-Identifier: Apache-2.0
// Bodies that attract each other, by tiles of positions in dynamic shared memory.
#include "check.h"

__host__ __device__ float3 pull(float4 body, float4 other, float3 sum) {
    float3 d = make_float3(other.x - body.x, other.y - body.y, other.z - body.z);
    float distance = d.x * d.x + d.y * d.y + d.z * d.z + 0.01f;
    float strength = other.w / (distance * sqrtf(distance));
    return make_float3(sum.x + d.x * strength, sum.y + d.y * strength, sum.z + d.z * strength);
}

__global__ void accelerate(const float4 *bodies, float3 *result, int n) {
    extern __shared__ float4 tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 body = bodies[i];
    float3 sum = make_float3(0, 0, 0);
    for (int first = 0; first < n; first += blockDim.x) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
        for (unsigned k = 0; k < blockDim.x; k++) sum = pull(body, tile[k], sum);
        __syncthreads();
    }
    result[i] = sum;
}

int main() {
    const int n = 192, threads = 64;
    std::vector<float4> bodies(n);
    numbers random;
    for (float4 &b : bodies)
        b = make_float4(random.unit(), random.unit(), random.unit(), random.unit());
    device_array<float4> dbodies(bodies);
    device_array<float3> dresult(n);
    accelerate<<<n / threads, threads, threads * sizeof(float4)>>>(dbodies.get(), dresult.get(), n);
    std::vector<float3> result = dresult.download();
    for (int i = 0; i < n; i++) {
        float3 sum = make_float3(0, 0, 0);
        for (int k = 0; k < n; k++) sum = pull(bodies[i], bodies[k], sum);
        EXPECT(fabsf(sum.x - result[i].x) <= 1e-3f * fabsf(sum.x) + 1e-5f);
        EXPECT(fabsf(sum.y - result[i].y) <= 1e-3f * fabsf(sum.y) + 1e-5f);
        EXPECT(fabsf(sum.z - result[i].z) <= 1e-3f * fabsf(sum.z) + 1e-5f);
    }
}
