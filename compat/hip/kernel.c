// SPDX-License-Identifier: Apache-2.0
// HIP's functions for kernels that were compiled for the host. See compat/runtime/kernel.h.
#include <stddef.h>
#include <string.h>

#include <hip/detail/kernel.h>

#include "compat/hip/face.h"
#include "compat/runtime/kernel.h"
#include "compat/runtime/races.h"

#define KERNEL_CALL_(work) TN_HIP_CALL(work)
#include "compat/runtime/entries.h"

void hipExtHostAccess(const volatile void *address, size_t bytes, unsigned kind,
                      const void *frame) {
    tn_rt_races_access((uintptr_t)address, bytes, kind, (const uintptr_t *)frame);
}

void hipExtHostFence(void) { tn_rt_races_fence(); }
