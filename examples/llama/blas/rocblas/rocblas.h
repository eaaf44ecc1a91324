// SPDX-License-Identifier: Apache-2.0
// The one function of rocBLAS that ggml calls. There is nothing to load.
#pragma once

static inline void rocblas_initialize(void) {}
