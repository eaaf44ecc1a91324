// SPDX-License-Identifier: Apache-2.0
// Turns: the program's threads call Tarn one after another, as the seed of the process decides
// (TARN_SEED=N:threads). A thread has its turn from one call to its next one, so that between two
// calls only one of them runs. Any thread may call.
#pragma once

#include <stdbool.h>

// Waits for the turn of the calling thread, which calls `name`. `caller` is where the public function returns to, or NULL
// for a function that only the program calls. A call from within Tarn, which may hold locks, waits
// for nothing, and neither does one from a host function.
void tn_turns_take(const char *name, const void *caller);
