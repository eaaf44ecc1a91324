/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/host_variable.h - variables of kernels by themselves, in C++, for functions of vendors
 * that know them by their address.
 */
#ifndef KERNEL_HOST_VARIABLE_H
#define KERNEL_HOST_VARIABLE_H

#if defined(__cplusplus) && defined(KERNEL_API_)

#include <cstddef>

namespace kernel_impl {

/* Makes a variable known, and returns its address. If that fails, the function that gets the
 * address refuses it. */
template <typename T> const void *known(const T &variable) {
    const void *address =
        &const_cast<const char &>(reinterpret_cast<const volatile char &>(variable));
    (void)KERNEL_API_(ExtRegisterHostVariable)(address, sizeof variable);
    return address;
}

/* A literal NULL is no variable. */
inline const void *known(std::nullptr_t) { return nullptr; }

} // namespace kernel_impl

#endif
#endif
