// SPDX-License-Identifier: Apache-2.0
// The destination of the reports of this process: `tarn check`, which writes the user's files, or,
// if the checker was injected without it or it has ended, those files or standard error. Called
// with the lock of the reports held.
#pragma once

#include "check/report/text.h"
#include "check/report/wire.h"

// Returns true if reports as JSON are wanted.
bool tn_check_outlet_wants_json(void);

// Emits a message of the process: reports or a summary as text and as JSON, and the counts so far.
void tn_check_outlet_emit(enum tn_check_wire_kind kind, const struct tn_check_counts *counts,
                          const struct tn_check_text *text, const struct tn_check_text *json);

// Emits one line about an error, without locks, from a process that ends now: another thread, or
// this one, may be emitting. Async-signal-safe. `bytes` is at most TN_CHECK_WIRE_TEXT.
void tn_check_outlet_emit_last(const char *line, size_t bytes);

// Returns the exit status that this process must have if errors were found, or 0 for its own.
// `tarn check` itself returns --exitcode, unless it missed a report, so that only processes without
// it do so.
int tn_check_outlet_exit_code(bool found_errors, bool forked);
