// SPDX-License-Identifier: Apache-2.0
// The range of addresses that belongs to devices: where device memory was ever allocated. Tarn cuts
// it from windows that stay, so nothing else comes to lie there once it is freed. One set of the
// process, behind a lock of its own.
#ifndef TARN_COMPAT_ACL_RANGE_H
#define TARN_COMPAT_ACL_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Without host memory to remember it the range is forgotten: it will be told as nobody's.
void tn_acl_range_add(uintptr_t start, size_t bytes);

bool tn_acl_range_holds(uintptr_t address);

#endif
