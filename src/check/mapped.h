// SPDX-License-Identifier: Apache-2.0
// The mappings of the process, from the kernel. Slow: reads a file.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Returns true if all of [lo, hi) is mapped, or if the kernel does not provide the list.
bool tn_check_is_mapped(uint64_t lo, uint64_t hi);

// Returns true if a mapping with any access contains the byte, or if the kernel does not provide the
// list. Reserved addresses are mapped without access.
bool tn_check_is_usable(uint64_t address);
