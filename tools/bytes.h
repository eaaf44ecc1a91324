// SPDX-License-Identifier: Apache-2.0
// Sizes and counts as text. No state; any thread may call.
#pragma once

#include <stdint.h>

enum { TN_TEXT = 32 };

// Formats like "1.24 GiB". Returns `text`.
const char *tn_bytes_format(uint64_t bytes, char text[TN_TEXT]);

// Formats like "12,345,678". Returns `text`.
const char *tn_count_format(uint64_t count, char text[TN_TEXT]);
