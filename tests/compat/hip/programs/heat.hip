// SPDX-License-Identifier: Apache-2.0
// Heat in a plate, until it changes little: the largest change is an atomic maximum of the bits of a
// float.
#include "check.h"

enum { SIDE = 24 };

__global__ void relax(const float *in, float *out, int *change) {
    const int x = threadIdx.x, y = blockIdx.x, i = y * SIDE + x;
    float value = in[i];
    if (x > 0 && y > 0 && x < SIDE - 1 && y < SIDE - 1)
        value = 0.25f * (in[i - 1] + in[i + 1] + in[i - SIDE] + in[i + SIDE]);
    out[i] = value;
    atomicMax(change, __float_as_int(fabsf(value - in[i])));
}

int main() {
    std::vector<float> plate(SIDE * SIDE);
    for (int i = 0; i < SIDE; i++) plate[i] = 100;
    device_array<float> a(plate), b(plate);
    device_array<int> change(1);
    float *from = a.get(), *to = b.get(), most = 1;
    int steps = 0;
    for (; most > 0.05f; steps++) {
        change.clear();
        relax<<<SIDE, SIDE>>>(from, to, change.get());
        most = __int_as_float(change.download()[0]);
        float *const other = from;
        from = to, to = other;
        EXPECT(steps < 1000);
    }
    HIP_CHECK(hipMemcpy(plate.data(), from, plate.size() * sizeof(float), hipMemcpyDeviceToHost));
    EXPECT(steps > 20 && plate[SIDE + 5] > plate[2 * SIDE + 5] && plate[SIDE * SIDE - 2] == 0);
    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE / 2; x++)
            EXPECT(std::fabs(plate[y * SIDE + x] - plate[y * SIDE + SIDE - 1 - x]) < 1e-3f);
}
