// SPDX-License-Identifier: Apache-2.0
// Helpers of the programs: checks that end the program, and arrays in device memory.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define HIP_CHECK(call)                                                                            \
    do {                                                                                           \
        hipError_t error_ = (call);                                                                \
        if (error_ != hipSuccess) {                                                                \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                     \
                         hipGetErrorString(error_));                                               \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);         \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

template <typename T> class device_array {
  public:
    explicit device_array(size_t count) : count_(count) {
        HIP_CHECK(hipMalloc(&data_, count * sizeof(T)));
    }
    explicit device_array(const std::vector<T> &host) : device_array(host.size()) {
        HIP_CHECK(hipMemcpy(data_, host.data(), bytes(), hipMemcpyHostToDevice));
    }
    ~device_array() { (void)hipFree(data_); }
    device_array(const device_array &) = delete;
    device_array &operator=(const device_array &) = delete;

    T *get() { return data_; }
    size_t bytes() const { return count_ * sizeof(T); }
    void clear() { HIP_CHECK(hipMemset(data_, 0, bytes())); }
    std::vector<T> download() const {
        std::vector<T> host(count_);
        HIP_CHECK(hipMemcpy(host.data(), data_, bytes(), hipMemcpyDeviceToHost));
        return host;
    }

  private:
    T *data_ = nullptr;
    size_t count_;
};

// Pseudo-random numbers that are the same everywhere.
struct numbers {
    unsigned state = 12345;
    unsigned operator()() { return state = state * 1664525u + 1013904223u; }
    float unit() { return static_cast<float>((*this)() >> 8) / 16777216.0f; }
};
