// SPDX-License-Identifier: Apache-2.0
// The harness excludes mimalloc's system calls by options that appeared in version 2.1. For older
// versions this file defines them as the nearest older option: keep what was committed. Include it
// before the harness.
#pragma once

#include <mimalloc.h>

#if MI_MALLOC_VERSION < 210
#define mi_option_set(option, value) mi_option_set(mi_option_allow_decommit, 0)
#endif
