// SPDX-License-Identifier: Apache-2.0
// Memory of Tarn that the program passes to free() or realloc(), and memory of malloc() that it frees
// while it is registered. The C library ends the process without naming the memory, or damages it. The
// checker changes the addresses by which the program and its libraries call these functions. It looks
// again for new libraries when memory begins at new addresses; a library that was opened later is not
// observed. Any thread may call, without a lock of the checker.
#pragma once

#include "annotate/mem_event.h"

// Memory that free() must not get begins, or a pool of Tarn in memory of the program. The first call
// changes the addresses.
void tn_check_foreign_begin(const struct tn_mem_event *event);
