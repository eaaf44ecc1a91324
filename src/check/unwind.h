// SPDX-License-Identifier: Apache-2.0
// Unwinding: the return addresses on the stack of the calling thread. Any thread may call; no lock,
// no malloc().
#ifndef TARN_CHECK_UNWIND_H
#define TARN_CHECK_UNWIND_H

#include <stddef.h>
#include <stdint.h>

// Writes at most `room` addresses, that of the caller first. Returns the number of addresses.
size_t tn_check_unwind(uintptr_t *frames, size_t room);

#endif
