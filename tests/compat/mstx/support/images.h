// SPDX-License-Identifier: Apache-2.0
// What the two C files with MSTX in them say: which tool they see, and through which slots.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

uint64_t tool_id_in_first(void);
uint64_t tool_id_in_second(void);
const void *slots_of_first(void);
const void *slots_of_second(void);

#ifdef __cplusplus
}
#endif
