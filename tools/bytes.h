// SPDX-License-Identifier: Apache-2.0
// Sizes and counts as text. Each text lies in static memory, and is valid until 23 more have been made.
// One thread.
#pragma once

#include <stdint.h>

// Formats like "1.24 GiB".
const char *tn_bytes(uint64_t bytes);

// Formats like "12,345,678".
const char *tn_count(uint64_t count);

// Formats like "1 block" and "12,345 blocks".
const char *tn_number(uint64_t count, const char *noun);
