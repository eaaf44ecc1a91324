// SPDX-License-Identifier: Apache-2.0
// Memory of each place, for tests of copies. The first three functions fail the test if memory is
// exhausted. Their memory is freed by the function of AscendCL for its kind.
#pragma once

#include "support/acl.h"

// Device memory and pinned memory of the current context's device, all bytes `byte`.
unsigned char *device_bytes(size_t size, int byte);
unsigned char *pinned_bytes(size_t size, int byte);

// Ordinary memory at a multiple of 64, all bytes `byte`; for free().
unsigned char *pageable_bytes(size_t size, int byte);

// Fails the test unless all bytes at ptr, which may be in any place, are `byte`.
void assert_bytes(const void *ptr, size_t size, int byte);
