// SPDX-License-Identifier: Apache-2.0
// Names of regions and phases, each kept once. A text is complete before its number is returned and
// never changes, so the writer reads it without the lock. Any thread.
#pragma once

#include <stdint.h>

enum { TN_RECORD_TEXTS = 1 << 14, TN_RECORD_TEXT_BYTES = 256 };

// Returns the number of a text, of which the first 255 bytes count. Returns 0, the empty text, for
// NULL, and if there are too many texts.
uint32_t tn_record_text(const char *text);

// Returns the text of a number that tn_record_text() returned.
const char *tn_record_text_at(uint32_t number);
