// SPDX-License-Identifier: Apache-2.0
// Finds the offset at which two rows of pixels differ least, by sums of absolute differences of four
// bytes, and brightens pixels without overflow.
#include "check.h"

__global__ void match(const unsigned *row, const unsigned *other, unsigned *best, int words,
                      int offsets) {
    __shared__ unsigned sums[64];
    const int offset = threadIdx.x;
    unsigned sum = 0;
    for (int i = 0; i < words; i++) sum += __vsadu4(row[i], other[i + offset]);
    sums[offset] = sum << 8 | offset;
    __syncthreads();
    for (int n = offsets / 2; n > 0; n /= 2) {
        if (offset < n) sums[offset] = min(sums[offset], sums[offset + n]);
        __syncthreads();
    }
    if (offset == 0) *best = sums[0];
}

__global__ void brighten(unsigned *pixels, unsigned by) {
    const unsigned before = pixels[threadIdx.x];
    const unsigned dark = __vcmpltu4(before, 0x80808080);
    pixels[threadIdx.x] = (__vaddus4(before, by) & ~dark) | (__vmaxu4(before, by) & dark);
}

int main() {
    const int words = 20, offsets = 64;
    std::vector<unsigned> other(words + offsets);
    numbers random;
    for (unsigned &w : other) w = random() ^ random() >> 16;
    std::vector<unsigned> row(other.begin() + 37, other.begin() + 37 + words);
    row[3] ^= 0x01000100;
    device_array<unsigned> da(row), db(other), best(1);
    match<<<1, offsets>>>(da.get(), db.get(), best.get(), words, offsets);
    EXPECT((best.download()[0] & 0xff) == 37 && best.download()[0] >> 8 == 2);
    brighten<<<1, words>>>(da.get(), 0x20402080);
    const std::vector<unsigned> got = da.download();
    for (int i = 0; i < words; i++)
        for (int at = 0; at < 32; at += 8) {
            const unsigned x = row[i] >> at & 0xff, by = 0x20402080u >> at & 0xff;
            EXPECT((got[i] >> at & 0xff) == (x < 128 ? max(x, by) : min(x + by, 255u)));
        }
}
