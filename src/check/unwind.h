// SPDX-License-Identifier: Apache-2.0
// Unwinding: the return addresses on the calling thread's stack. Any thread; no lock, no malloc.
#ifndef TARN_CHECK_UNWIND_H
#define TARN_CHECK_UNWIND_H

#include <stddef.h>
#include <stdint.h>

// Writes at most `room` addresses, that of the caller first, and tells how many there are.
size_t tn_check_unwind(uintptr_t *frames, size_t room);

#endif
