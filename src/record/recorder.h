// SPDX-License-Identifier: Apache-2.0
// The recorder of this process: it starts the writer's thread at the first event, and ends it with
// the process. Any thread may call.
#pragma once

#include "record/ring.h"

// Starts the recorder, once. Returns true if this process records.
bool tn_record_start(void);

// Completes the entry with the time and the stack, and appends it to the ring.
void tn_record_add(struct tn_record_entry *entry);

// Stops or continues the recording. May be called by a signal handler.
void tn_record_toggle(void);

// Writes everything up to now into the file. Waits for at most ten seconds.
void tn_record_flush(void);

// Ends the recording, once. Later events are ignored.
void tn_record_finish(void);
