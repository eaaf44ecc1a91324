// SPDX-License-Identifier: Apache-2.0
// Counts the calls of each name in a file that all processes of a run map, for `tarn torture`. The
// counts survive a process that is killed. The creator of the file makes it of zeros. Any thread
// may call; no locks.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { TN_FAIL_TALLY_NAMES = 1024 };

// The file: a hash table with open addressing.
struct tn_fail_tally_entry {
    _Atomic uint64_t hash; // 0: free
    _Atomic uint64_t count;
    char name[48]; // complete when the processes have ended
};

// Maps the file. Does nothing if `path` is NULL. A file that cannot be mapped, or for which the disk
// has no room, is not used.
void tn_fail_tally_open(const char *path);
bool tn_fail_tally_is_open(void);

// Counts a call and returns its number in all processes, from 1; 0 without a file.
uint64_t tn_fail_tally_add(const char *name);
