// SPDX-License-Identifier: Apache-2.0
// Device memory behind templates, containers and lambdas, as C++ programs have it.
// tests/cli/record_owners.sh records this program: a line with HOLDER allocates, in the function that
// the comment names.
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "support/sample.h"

namespace {

template <typename T> class device_buffer {
  public:
    explicit device_buffer(size_t count) : count_(count) {
        void *block = nullptr;
        must(hipMalloc(&block, count * sizeof(T))); // HOLDER device_buffer
        data_ = static_cast<T *>(block);
    }
    device_buffer(const device_buffer &) = delete;
    device_buffer &operator=(const device_buffer &) = delete;
    ~device_buffer() { must(hipFree(data_)); }

    void put(const std::vector<T> &values) {
        must(hipMemcpy(data_, values.data(), count_ * sizeof(T), hipMemcpyHostToDevice));
    }
    std::vector<T> get() const {
        std::vector<T> values(count_);
        must(hipMemcpy(values.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost));
        return values;
    }

  private:
    T *data_ = nullptr;
    size_t count_;
};

// An allocator for containers, of pinned memory.
template <typename T> struct pinned_allocator {
    using value_type = T;
    pinned_allocator() = default;
    template <typename U> pinned_allocator(const pinned_allocator<U> &) {}
    T *allocate(size_t count) {
        void *block = nullptr;
        must(hipHostMalloc(&block, count * sizeof(T), 0)); // HOLDER allocate
        return static_cast<T *>(block);
    }
    void deallocate(T *block, size_t) { must(hipHostFree(block)); }
    template <typename U> bool operator==(const pinned_allocator<U> &) const { return true; }
    template <typename U> bool operator!=(const pinned_allocator<U> &) const { return false; }
};

struct deleter {
    void operator()(int *block) const { must(hipFree(block)); }
};
using owned = std::unique_ptr<int, deleter>;

template <typename T, int Times> owned reserve_some(hipStream_t stream) {
    void *block = nullptr;
    must(hipMallocAsync(&block, Times * sizeof(T), stream)); // HOLDER reserve_some
    return owned(static_cast<T *>(block));
}

template <typename T> void check_round_trip(size_t count) {
    std::vector<T> values(count);
    std::iota(values.begin(), values.end(), T(1));
    auto buffer = std::make_unique<device_buffer<T>>(count);
    buffer->put(values);
    expect(buffer->get() == values);
}

} // namespace

int main() {
    check_round_trip<float>(1000);
    check_round_trip<double>(2000);

    std::vector<int, pinned_allocator<int>> pinned(3000, 7);
    expect(std::accumulate(pinned.begin(), pinned.end(), 0) == 21000);

    std::vector<owned> kept;
    kept.push_back(reserve_some<int, 100>(nullptr));
    const std::function<void(size_t)> grow = [&kept](size_t bytes) {
        void *block = nullptr;
        must(hipMalloc(&block, bytes)); // HOLDER operator()
        kept.emplace_back(static_cast<int *>(block));
    };
    const size_t sizes[] = {4096, 8192};
    std::for_each(std::begin(sizes), std::end(sizes), grow);
    expect(kept.size() == 3);
    return 0;
}
