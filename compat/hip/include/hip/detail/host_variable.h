/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/host_variable.h - the functions of <hip/detail/variable.h> for variables themselves, in
 * C++. See <hip/hip_runtime.h>.
 */
#ifndef HIP_DETAIL_HOST_VARIABLE_H
#define HIP_DETAIL_HOST_VARIABLE_H

#include <hip/detail/variable.h>

#ifdef __cplusplus

namespace hip_impl {

/* Makes a variable known, and returns its address. If that fails, the function that gets the address
 * refuses it. */
template <typename T> const void *known(const T &variable) {
    const void *address =
        &const_cast<const char &>(reinterpret_cast<const volatile char &>(variable));
    (void)hipExtRegisterHostVariable(address, sizeof variable);
    return address;
}

} // namespace hip_impl

template <typename T> hipError_t hipGetSymbolAddress(void **devPtr, const T &symbol) {
    return hipGetSymbolAddress(devPtr, hip_impl::known(symbol));
}

template <typename T> hipError_t hipGetSymbolSize(size_t *size, const T &symbol) {
    return hipGetSymbolSize(size, hip_impl::known(symbol));
}

template <typename T>
hipError_t hipMemcpyToSymbol(const T &symbol, const void *src, size_t sizeBytes, size_t offset = 0,
                             hipMemcpyKind kind = hipMemcpyHostToDevice) {
    return hipMemcpyToSymbol(hip_impl::known(symbol), src, sizeBytes, offset, kind);
}

template <typename T>
hipError_t hipMemcpyToSymbolAsync(const T &symbol, const void *src, size_t sizeBytes, size_t offset,
                                  hipMemcpyKind kind, hipStream_t stream = nullptr) {
    return hipMemcpyToSymbolAsync(hip_impl::known(symbol), src, sizeBytes, offset, kind, stream);
}

template <typename T>
hipError_t hipMemcpyFromSymbol(void *dst, const T &symbol, size_t sizeBytes, size_t offset = 0,
                               hipMemcpyKind kind = hipMemcpyDeviceToHost) {
    return hipMemcpyFromSymbol(dst, hip_impl::known(symbol), sizeBytes, offset, kind);
}

template <typename T>
hipError_t hipMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t sizeBytes, size_t offset,
                                    hipMemcpyKind kind, hipStream_t stream = nullptr) {
    return hipMemcpyFromSymbolAsync(dst, hip_impl::known(symbol), sizeBytes, offset, kind, stream);
}

#endif
#endif
