// SPDX-License-Identifier: Apache-2.0
// Races and misaligned accesses within a kernel, which the library that runs kernels has found. Any
// thread may call, without a lock of the checker.
#pragma once

#include "annotate/mem_event.h"

// Report TN_MEM_RACE, and TN_MEM_MISALIGNED if the option asks for it.
void tn_check_race_event(const struct tn_mem_event *event);
void tn_check_misaligned_event(const struct tn_mem_event *event);
