// SPDX-License-Identifier: Apache-2.0
// A vector that grows in place: physical memory is mapped behind the old part, and kernels use all
// of it.
#include "check.h"

__global__ void iota(unsigned *p, size_t from, size_t to) {
    size_t i = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < to) p[i] = static_cast<unsigned>(i);
}

__global__ void check_all(const unsigned *p, size_t n, unsigned *wrong) {
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        if (p[i] != i) atomicAdd(wrong, 1u);
}

int main() {
    hipMemAllocationProp prop = {};
    prop.type = hipMemAllocationTypePinned;
    prop.location = {hipMemLocationTypeDevice, 0};
    hipMemAccessDesc access = {prop.location, hipMemAccessFlagsProtReadWrite};
    size_t granule, steps = 5, each;
    HIP_CHECK(hipMemGetAllocationGranularity(&granule, &prop, hipMemAllocationGranularityMinimum));
    each = granule / sizeof(unsigned);
    char *base;
    HIP_CHECK(
        hipMemAddressReserve(reinterpret_cast<void **>(&base), steps * granule, 0, nullptr, 0));
    for (size_t step = 0; step < steps; step++) {
        hipMemGenericAllocationHandle_t memory;
        HIP_CHECK(hipMemCreate(&memory, granule, &prop, 0));
        HIP_CHECK(hipMemMap(base + step * granule, granule, 0, memory, 0));
        HIP_CHECK(hipMemRelease(memory));
        HIP_CHECK(hipMemSetAccess(base + step * granule, granule, &access, 1));
        iota<<<static_cast<unsigned>((each + 255) / 256), 256>>>(reinterpret_cast<unsigned *>(base),
                                                                 step * each, (step + 1) * each);
    }
    device_array<unsigned> wrong(1);
    wrong.clear();
    check_all<<<1, 128>>>(reinterpret_cast<unsigned *>(base), steps * each, wrong.get());
    EXPECT(wrong.download()[0] == 0);
    HIP_CHECK(hipMemUnmap(base, steps * granule));
    HIP_CHECK(hipMemAddressFree(base, steps * granule));
}
