/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/host_kernel.h - kernels compiled for the host, in C++: the position of a thread, and
 * launches. See <hip/hip_runtime.h>.
 */
#ifndef HIP_DETAIL_HOST_KERNEL_H
#define HIP_DETAIL_HOST_KERNEL_H

#include <hip/detail/kernel.h>
#include <hip/hip_vector_types.h>

#ifdef __cplusplus

#include <cstddef>
#include <type_traits>

/* One variable for the whole program. C++ has inline variables from C++17 on. */
#if __cplusplus >= 201703L
#define HIP_ONE_ inline
#else
#define HIP_ONE_ __attribute__((weak))
#endif

/* Set for each thread of a kernel, on the CPU thread that runs it. Kernels must not write them. */
HIP_ONE_ thread_local uint3 threadIdx{};
HIP_ONE_ thread_local uint3 blockIdx{};
HIP_ONE_ thread_local dim3 blockDim{};
HIP_ONE_ thread_local dim3 gridDim{};
constexpr int warpSize = 1;

namespace hip_impl {

HIP_ONE_ thread_local void *dynamic_shared = nullptr;

#undef HIP_ONE_

/* Ends the kernel: thrown by unsupported functions, caught by the function that runs the block. */
struct stop {
    hipError_t error;
    const char *why;
};

/* The arguments of a kernel as a plain struct, which std::tuple is not. */
template <typename... T> struct pack {};
template <typename Head, typename... Tail> struct pack<Head, Tail...> {
    Head head;
    pack<Tail...> tail;
};

inline pack<> pack_of() { return {}; }

template <typename Head, typename... Tail>
pack<Head, Tail...> pack_of(const Head &head, const Tail &...tail) {
    return {head, pack_of(tail...)};
}

template <typename... T> struct all_plain : std::true_type {};
template <typename Head, typename... Tail>
struct all_plain<Head, Tail...>
    : std::integral_constant<bool, std::is_trivially_copyable<Head>::value &&
                                       all_plain<Tail...>::value> {};

template <typename... Formal> struct closure {
    static_assert(all_plain<Formal...>::value, "a kernel's arguments are copied as bytes");
    void (*kernel)(Formal...);
    pack<Formal...> arguments;
};

/* Calls the kernel with `done` and the arguments that are left. */
template <typename... Formal, typename... Done>
void call(void (*kernel)(Formal...), const pack<> &, const Done &...done) {
    kernel(done...);
}

template <typename... Formal, typename Head, typename... Tail, typename... Done>
void call(void (*kernel)(Formal...), const pack<Head, Tail...> &left, const Done &...done) {
    call(kernel, left.tail, done..., left.head);
}

template <typename... Formal> void run_threads(const closure<Formal...> &c) {
    for (threadIdx.z = 0; threadIdx.z < blockDim.z; threadIdx.z++) {
        for (threadIdx.y = 0; threadIdx.y < blockDim.y; threadIdx.y++)
            for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
                call(c.kernel, c.arguments);
    }
}

template <typename... Formal>
hipError_t run_block(const void *data, const hipExtHostBlock *block, const char **why) {
    gridDim = block->gridDim;
    blockDim = block->blockDim;
    blockIdx = uint3{block->blockIdx.x, block->blockIdx.y, block->blockIdx.z};
    dynamic_shared = block->shared;
#if defined(__cpp_exceptions)
    try {
        run_threads(*static_cast<const closure<Formal...> *>(data));
    } catch (const stop &reason) {
        *why = reason.why;
        return reason.error;
    } catch (...) {
        *why = "an exception left the kernel";
        return hipErrorLaunchFailure;
    }
#else
    (void)why;
    run_threads(*static_cast<const closure<Formal...> *>(data));
#endif
    return hipSuccess;
}

template <typename... Formal>
hipError_t submit(const closure<Formal...> &c, dim3 grid, dim3 block, std::size_t shared,
                  hipStream_t stream) {
    static_assert(alignof(closure<Formal...>) <= 64, "a kernel's arguments are aligned to 64");
    static_assert(sizeof c <= 4096, "a kernel's arguments are 4096 bytes at most");
    return hipExtLaunchHostKernel(c.kernel != nullptr ? &run_block<Formal...> : nullptr, grid,
                                  block, shared, stream, &c, sizeof c);
}

/* A type that other arguments do not determine, so that a literal 0 can be a pointer. */
template <typename T> struct as_is { using type = T; };

template <typename... Formal>
void launch(void (*kernel)(Formal...), dim3 grid, dim3 block, std::size_t shared,
            hipStream_t stream, typename as_is<Formal>::type... arguments) {
    const closure<Formal...> c{kernel, pack_of(arguments...)};
    (void)submit(c, grid, block, shared, stream);
}

/* Reads arguments from a list of pointers to them. */
template <typename... T> struct reader {
    static pack<> read(void **) { return {}; }
};
template <typename Head, typename... Tail> struct reader<Head, Tail...> {
    static pack<Head, Tail...> read(void **arguments) {
        return {*static_cast<const Head *>(*arguments), reader<Tail...>::read(arguments + 1)};
    }
};

} // namespace hip_impl

/*
 * Launches a kernel with its arguments. As in HIP it returns void; hipGetLastError() returns the
 * error. HIP_KERNEL_NAME() is for kernels whose names have commas.
 */
#define hipLaunchKernelGGL(kernelName, ...) ::hip_impl::launch(kernelName, __VA_ARGS__)
#define HIP_KERNEL_NAME(...)                __VA_ARGS__

/* Launches a kernel with a pointer to each argument. hipErrorInvalidValue: args NULL with
 * parameters; else as hipExtLaunchHostKernel(). */
template <typename... Formal>
hipError_t hipLaunchKernel(void (*kernel)(Formal...), dim3 numBlocks, dim3 dimBlocks, void **args,
                           std::size_t sharedMemBytes = 0, hipStream_t stream = nullptr) {
    if (args == nullptr && sizeof...(Formal) > 0) {
        return hipExtLaunchHostKernel(&hip_impl::run_block<Formal...>, numBlocks, dimBlocks,
                                      sharedMemBytes, stream, nullptr, 1);
    }
    const hip_impl::closure<Formal...> c{kernel, hip_impl::reader<Formal...>::read(args)};
    return hip_impl::submit(c, numBlocks, dimBlocks, sharedMemBytes, stream);
}

/* ---- occupancy: each compute unit runs one block of a kernel at once */

template <typename... Formal>
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, void (*kernel)(Formal...),
                                                        int blockSize,
                                                        std::size_t dynSharedMemPerBlk = 0) {
    return hipExtOccupancyHostKernel(numBlocks, kernel != nullptr, blockSize, dynSharedMemPerBlk);
}

/* The flags have no effect. */
template <typename... Formal>
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks,
                                                                 void (*kernel)(Formal...),
                                                                 int blockSize,
                                                                 std::size_t dynSharedMemPerBlk = 0,
                                                                 unsigned int flags = 0) {
    (void)flags;
    return hipExtOccupancyHostKernel(numBlocks, kernel != nullptr, blockSize, dynSharedMemPerBlk);
}

/* The largest block, which has the device's limit of threads or `blockSizeLimit`, and the smallest
 * grid of such blocks that occupies the device. */
template <typename... Formal>
hipError_t
hipOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, void (*kernel)(Formal...),
                                  std::size_t dynSharedMemPerBlk = 0, int blockSizeLimit = 0) {
    return hipExtOccupancyHostGrid(gridSize, blockSize, kernel != nullptr, dynSharedMemPerBlk,
                                   blockSizeLimit);
}

#endif
#endif
