// SPDX-License-Identifier: Apache-2.0
// HIP's functions for kernels that were compiled for the host. See compat/runtime/kernel/kernel.h.
#include <hip/detail/kernel.h>

#include "compat/hip/face.h"

#define KERNEL_CALL_(work) TN_HIP_CALL(work)
#include "compat/runtime/entries.h"
