// SPDX-License-Identifier: Apache-2.0
// Memory that tests of copies work on, of each place. The first three fail the test when there is
// none; what they give is freed by its own function of AscendCL.
#ifndef TARN_COMPAT_ACL_SUPPORT_BYTES_H
#define TARN_COMPAT_ACL_SUPPORT_BYTES_H

#include "support/acl.h"

// Device memory and pinned memory of the current context's device, all bytes `byte`.
unsigned char *device_bytes(size_t size, int byte);
unsigned char *pinned_bytes(size_t size, int byte);

// Ordinary memory at a multiple of 64, all bytes `byte`; for free().
unsigned char *pageable_bytes(size_t size, int byte);

// All bytes at ptr, of whatever place, are `byte`.
void assert_bytes(const void *ptr, size_t size, int byte);

#endif
