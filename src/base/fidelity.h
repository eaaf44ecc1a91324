// SPDX-License-Identifier: Apache-2.0
// The memory in which the processes of a program count the differences from the vendor that they touch,
// and from which the command that started them prints. Its rows are those of docs/differences and
// docs/quirks.md, in the order of the generated list. Any thread of any process may count.
#pragma once

#include <stdatomic.h>
#include <stdint.h>

// The environment variable: the path of a file that has the memory.
#define TN_FIDELITY_VARIABLE "TARN_FIDELITY"

enum { TN_FIDELITY_ROWS = 1024, TN_FIDELITY_FRAMES = 24, TN_FIDELITY_CALL = 88 };

// A place in code: a return address, from the lowest page of its file in memory.
struct tn_fidelity_frame {
    uint64_t offset;
    char path[504];
};

struct tn_fidelity_row {
    _Atomic(uint32_t) written; // by the thread whose count was the first
    uint32_t frame_count;
    uint32_t pid;
    char call[TN_FIDELITY_CALL]; // as "hipMemMap=1" or "hipMemUnmap"; "" if unknown
    struct tn_fidelity_frame frames[TN_FIDELITY_FRAMES]; // innermost first
};

struct tn_fidelity {
    uint64_t hash; // of the list of rows: a process with another list counts nothing
    uint64_t rows;
    _Atomic(uint32_t) counting;  // faces that were loaded and count
    _Atomic(uint32_t) strangers; // those with another list
    // Beside each other, because each call that changes mappings empties the TLB.
    _Atomic(uint64_t) counts[TN_FIDELITY_ROWS];
    struct tn_fidelity_row row[];
};

#define TN_FIDELITY_BYTES(rows)                                                                    \
    (sizeof(struct tn_fidelity) + (rows) * sizeof(struct tn_fidelity_row))
