// SPDX-License-Identifier: Apache-2.0
// A mapped range as a descriptor, in the style of a client of a network card: the program asks for
// the range that it wants to register, passes the descriptor on, and maps the same bytes elsewhere.
#include <cstring>
#include <sys/mman.h>

#include "support/sample.h"

namespace {

class mapped_range {
  public:
    explicit mapped_range(size_t wanted) {
        hipMemAllocationProp prop{};
        hipMemGenericAllocationHandle_t handle = nullptr;
        size_t granule = 0;
        prop.type = hipMemAllocationTypePinned;
        prop.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
        prop.location.type = hipMemLocationTypeDevice;
        must(hipMemGetAllocationGranularity(&granule, &prop, hipMemAllocationGranularityMinimum));
        bytes_ = (wanted + granule - 1) / granule * granule;
        must(hipMemAddressReserve(&base_, bytes_, 0, nullptr, 0));
        must(hipMemCreate(&handle, bytes_, &prop, 0));
        must(hipMemMap(base_, bytes_, 0, handle, 0));
        must(hipMemRelease(handle)); // the mapping keeps the memory
        const hipMemAccessDesc desc{prop.location, hipMemAccessFlagsProtReadWrite};
        must(hipMemSetAccess(base_, bytes_, &desc, 1));
    }
    mapped_range(const mapped_range &) = delete;
    mapped_range &operator=(const mapped_range &) = delete;
    ~mapped_range() {
        must(hipMemUnmap(base_, bytes_));
        must(hipMemAddressFree(base_, bytes_));
    }

    void *base() const { return base_; }
    size_t bytes() const { return bytes_; }

    int descriptor() const {
        int fd = -1;
        must(hipMemGetHandleForAddressRange(&fd, base_, bytes_, hipMemRangeHandleTypeDmaBufFd, 0));
        expect(fd >= 0);
        return fd;
    }

  private:
    void *base_ = nullptr;
    size_t bytes_ = 0;
};

} // namespace

int main() {
    constexpr unsigned char mark = 0x5a;
    mapped_range range(3 << 20);
    int fd = range.descriptor();
    void *window = mmap(nullptr, range.bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    expect(window != MAP_FAILED);
    close(fd);

    must(hipMemset(range.base(), mark, range.bytes()));
    must(hipDeviceSynchronize());
    auto *bytes = static_cast<unsigned char *>(window);
    expect(bytes[0] == mark && bytes[range.bytes() - 1] == mark);

    bytes[range.bytes() / 2] = 1; // as the card writes into the device's memory
    unsigned char seen = 0;
    must(hipMemcpy(&seen, static_cast<char *>(range.base()) + range.bytes() / 2, 1,
                   hipMemcpyDeviceToHost));
    expect(seen == 1);
    expect(munmap(window, range.bytes()) == 0);
    puts("the range and its descriptor are the same memory");
    return 0;
}
