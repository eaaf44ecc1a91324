// SPDX-License-Identifier: Apache-2.0
// Measures copies in every direction, from pageable and from pinned memory, and checks the bytes.
#include <cstring>

#include "support/sample.h"

namespace {

constexpr size_t bytes = 1 << 20;
constexpr int rounds = 4;

struct clock {
    hipEvent_t start, stop;
};

// Copies a few times and returns GB/s.
double copy_speed(const clock &c, void *to, const void *from, hipMemcpyKind kind) {
    float ms = -1;
    must(hipEventRecord(c.start, nullptr));
    for (int i = 0; i < rounds; i++) must(hipMemcpyAsync(to, from, bytes, kind, nullptr));
    must(hipEventRecord(c.stop, nullptr));
    must(hipEventSynchronize(c.stop));
    must(hipEventElapsedTime(&ms, c.start, c.stop));
    expect(ms >= 0);
    return ms > 0 ? static_cast<double>(bytes) * rounds / ms / 1e6 : 0;
}

void fill_pattern(unsigned char *memory, unsigned seed) {
    for (size_t i = 0; i < bytes; i++) memory[i] = static_cast<unsigned char>(i * 31 + seed);
}

// There, across and back again: the same bytes arrive.
void measure(const clock &c, const char *kind, unsigned char *from, unsigned char *to,
             unsigned seed) {
    void *one = nullptr, *two = nullptr;
    must(hipMalloc(&one, bytes));
    must(hipMalloc(&two, bytes));
    fill_pattern(from, seed);
    memset(to, 0, bytes);
    double up = copy_speed(c, one, from, hipMemcpyHostToDevice);
    double across = copy_speed(c, two, one, hipMemcpyDeviceToDevice);
    double down = copy_speed(c, to, two, hipMemcpyDeviceToHost);
    printf("%s: to the device %.1f, within it %.1f, to the host %.1f GB/s\n", kind, up, across,
           down);
    expect(memcmp(from, to, bytes) == 0);
    must(hipFree(one));
    must(hipFree(two));
}

} // namespace

int main() {
    clock c;
    void *from = malloc(bytes), *to = malloc(bytes);
    expect(from != nullptr && to != nullptr);
    must(hipEventCreate(&c.start));
    must(hipEventCreate(&c.stop));
    measure(c, "pageable", static_cast<unsigned char *>(from), static_cast<unsigned char *>(to), 1);
    free(from);
    free(to);

    must(hipHostMalloc(&from, bytes, hipHostMallocDefault));
    must(hipHostMalloc(&to, bytes, hipHostMallocDefault));
    measure(c, "pinned", static_cast<unsigned char *>(from), static_cast<unsigned char *>(to), 2);
    must(hipHostFree(from));
    must(hipHostFree(to));
    must(hipEventDestroy(c.start));
    must(hipEventDestroy(c.stop));
    return 0;
}
