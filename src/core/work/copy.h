// SPDX-License-Identifier: Apache-2.0
// Copies that the library makes for itself. Any thread.
#pragma once

#include <tarn/copy.h>

// tarn_copy() without a stream and without events: bytes that the program never wrote may be
// copied.
tarn_status tn_copy_unseen(tarn_device *device, tarn_addr dst, tarn_addr src, uint64_t bytes);
