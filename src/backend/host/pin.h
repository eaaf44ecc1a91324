// SPDX-License-Identifier: Apache-2.0
// Pinned host memory: anonymous memory in windows of the platform, locked if the system lets us,
// else populated, else plain; and the same for memory of the caller's. What was obtained is told.
#ifndef TARN_HOST_PIN_H
#define TARN_HOST_PIN_H

#include "backend/host/platform.h"

// Kernel mappings that one block of pinned memory is counted as. The kernel may merge neighbours,
// depending on what it did to their pages, so this is the most it can be.
#define TN_HOST_PIN_MAPPINGS 2

// The record that all pinned memory refers to: bytes of the host, in no file. Made when the
// platform opens.
#define TN_HOST_PIN_SLOT 1u

#endif
