// SPDX-License-Identifier: Apache-2.0
// Text that Tarn adds to a report of AddressSanitizer: the block that was missed, the calls that allocated and
// freed it, and what the thread runs. ASan prints its report first, then calls this file.
#pragma once

#include "annotate/block_log.h"

// From now on the blocks of this log are described. Only the first call of an image has an effect.
void tn_asan_report_install(struct tn_block_log *log);

// Describes what the calling thread runs in at most `size` bytes, or writes an empty text.
typedef void (*tn_asan_describe)(char *text, size_t size);
void tn_asan_report_describe_by(tn_asan_describe describe);
