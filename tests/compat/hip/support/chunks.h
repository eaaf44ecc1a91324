// SPDX-License-Identifier: Apache-2.0
// A reservation with chunks of physical memory side by side, of any devices and with any rights:
// what copies and fills of mapped memory are tried on.
#pragma once

#include "support/hip.h"

#define CHUNK_BYTES ((size_t)64 << 10)
#define CHUNKS_MAX  4

// What lies in one place of the reservation.
struct chunk {
    int owner;   // device; -1: nothing is mapped here
    int grantee; // device that is granted `flags`; -1: no rights for anybody
    hipMemAccessFlags flags;
};
#define CHUNK_OF(device)                                                                           \
    { (device), (device), hipMemAccessFlagsProtReadWrite }
#define CHUNK_HOLE                                                                                 \
    { -1, -1, hipMemAccessFlagsProtNone }

struct chunks {
    char *base;
    size_t count;
    struct chunk each[CHUNKS_MAX];
};

// Reserves, maps and grants. Handles are released at once: the mappings keep the memory.
struct chunks chunks_make(size_t count, const struct chunk *each);
void chunks_end(struct chunks *chunks);
