// SPDX-License-Identifier: Apache-2.0
// Pinned host memory: anonymous memory in windows of the platform, locked if the system permits it,
// else populated, else plain; and registered memory of the caller, treated the same. The class
// obtained is returned.
#pragma once

#include "backend/host/platform.h"

// The number of kernel mappings that one block of pinned memory is counted as. It is an upper
// bound: the kernel merges neighbours depending on the state of their pages.
#define TN_HOST_PIN_MAPPINGS 2

// The slot of the record that all pinned memory refers to: bytes of the host, in no file. It is
// made when the platform opens.
#define TN_HOST_PIN_SLOT 1u
