// SPDX-License-Identifier: Apache-2.0
// The file of a recording: a binary trace, in which texts, stacks, devices and streams are defined
// when an event first refers to them. The writer owns it. A failure of the output does not disturb
// the calls; tn_record_file_close() reports it.
#pragma once

#include "stack/stack.h"
#include "trace/write/binary.h"

struct tn_record_file;

// Begins a recording in an open file, which is closed with it. `name` is for error texts and must
// outlive the recording. Times count from `start_ns`.
tarn_status tn_record_file_open(int descriptor, const char *name, uint64_t start_ns,
                                struct tn_record_file **file);

// Each returns the number by which events refer to a text, a stack or a stream. A device of -1 is
// the host. Out of memory, a text is empty, a stack is cut off, and there is no number of a stream.
#define TN_RECORD_NO_STREAM UINT64_MAX
uint64_t tn_record_file_text(struct tn_record_file *file, const char *text);
uint64_t tn_record_file_stack(struct tn_record_file *file, tn_stack_id stack);
uint64_t tn_record_file_stream(struct tn_record_file *file, int32_t device, uint64_t stream);

// States the memory of a device. The file has it if the device is defined afterwards.
void tn_record_file_card(struct tn_record_file *file, int32_t device, uint64_t bytes);

// Adds an event at the time of the clock; `fields` as in trace/write/binary.h.
void tn_record_file_event(struct tn_record_file *file, enum tn_record record, uint64_t time_ns,
                          const uint64_t *fields, size_t count);

// Adds the event of a segment (TN_RECORD_SEGMENT or TN_RECORD_SEGMENT_RETURN) of a device, and
// counts its bytes, fields[1], as reserved or no longer reserved.
void tn_record_file_segment(struct tn_record_file *file, enum tn_record record, uint64_t time_ns,
                            int32_t device, const uint64_t fields[5]);

// Adds a mark or the end of a phase to every device.
void tn_record_file_mark(struct tn_record_file *file, enum tn_record record, uint64_t time_ns,
                         const char *text);

// Completes the frame, so that a reader finds everything up to here.
tarn_status tn_record_file_flush(struct tn_record_file *file);

// Ends the recording, and notes how many events were lost.
tarn_status tn_record_file_close(struct tn_record_file *file, uint64_t lost);
