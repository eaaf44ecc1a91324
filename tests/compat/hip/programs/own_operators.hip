// SPDX-License-Identifier: Apache-2.0
// A program that brings its own operators for vectors, as ray tracers do.
#include "check.h"

__host__ __device__ inline float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__host__ __device__ inline float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
__host__ __device__ inline float3 operator*(float a, float3 b) {
    return make_float3(a * b.x, a * b.y, a * b.z);
}
__host__ __device__ inline float dot(float3 a, float3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

struct ray {
    float3 from, along;
};

// The distance to a sphere, or -1.
__host__ __device__ inline float hit(const ray &r, float3 centre, float radius) {
    const float3 offset = r.from - centre;
    const float b = dot(offset, r.along), c = dot(offset, offset) - radius * radius;
    const float root = b * b - c * dot(r.along, r.along);
    return root < 0 ? -1.0f : (-b - sqrtf(root)) / dot(r.along, r.along);
}

__host__ __device__ inline ray ray_of(int x, int y) {
    return {make_float3(0, 0, -3), make_float3(x / 16.0f - 1, y / 16.0f - 1, 2)};
}

__global__ void trace(float3 *normals) {
    const int x = threadIdx.x, y = blockIdx.x;
    const ray r = ray_of(x, y);
    const float t = hit(r, make_float3(0, 0, 0), 1);
    normals[y * 32 + x] = t < 0 ? make_float3(0, 0, 0) : r.from + t * r.along;
}

int main() {
    device_array<float3> normals(32 * 32);
    trace<<<32, 32>>>(normals.get());
    const std::vector<float3> got = normals.download();
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 32; x++) {
            const float3 n = got[y * 32 + x];
            const bool is_hit = hit(ray_of(x, y), make_float3(0, 0, 0), 1) >= 0;
            EXPECT(std::fabs(dot(n, n) - (is_hit ? 1 : 0)) < 1e-4f);
        }
}
