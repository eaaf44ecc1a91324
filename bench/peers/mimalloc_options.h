// SPDX-License-Identifier: Apache-2.0
// The harness keeps the system calls of mimalloc out of the picture by options that came with
// version 2.1. Older ones get what they have for it: keep what was committed. Included before the
// harness.
#ifndef TARN_BENCH_MIMALLOC_OPTIONS_H
#define TARN_BENCH_MIMALLOC_OPTIONS_H

#include <mimalloc.h>

#if MI_MALLOC_VERSION < 210
#define mi_option_set(option, value) mi_option_set(mi_option_allow_decommit, 0)
#endif

#endif
