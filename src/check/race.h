// SPDX-License-Identifier: Apache-2.0
// Races within a kernel, which the library that runs kernels has found. Any thread may call, without
// a lock of the checker.
#pragma once

#include "annotate/mem_event.h"

// Reports TN_MEM_RACE.
void tn_check_race_event(const struct tn_mem_event *event);
