// SPDX-License-Identifier: Apache-2.0
// The memory of the recorded program: the segments, heaps and blocks that are live. It applies the
// entries of the ring in order and writes the events that follow from them. While the recording is
// stopped it still follows the program, so that a continued recording is consistent. The writer
// owns it.
#pragma once

#include "record/file.h"
#include "record/ring.h"

struct tn_record_memory;

// Returns NULL if out of memory. `writes` is false if the recording starts stopped.
struct tn_record_memory *tn_record_memory_open(struct tn_record_file *file, bool writes);
void tn_record_memory_close(struct tn_record_memory *memory);

// Applies an entry. TN_RECORD_TOGGLE stops writing events of new memory, or continues: then the
// memory that became live since is written as allocated now.
void tn_record_memory_apply(struct tn_record_memory *memory, const struct tn_record_entry *entry);
