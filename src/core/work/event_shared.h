// SPDX-License-Identifier: Apache-2.0
// Events that processes share. In each process such an event has a backend's event for records of
// its own, and the common page for those of others. Any thread.
#pragma once

#include "core/work/event_page.h"
#include "core/work/stream.h"

// Returns the last record if another process made it, else 0: the backend's event knows then.
uint64_t tn_event_shared_foreign(const struct tn_stream_or_event *event);

// Tells the others of a record that is being made in the stream. Statuses of stream_wait_until;
// NO_HANDLES, NO_HOST_MEMORY.
tarn_status tn_event_shared_record(struct tn_stream_or_event *event,
                                   struct tn_stream_or_event *stream);

// Makes a stream wait for a record of another process. Statuses of stream_wait_until;
// NO_HOST_MEMORY.
tarn_status tn_event_shared_wait(struct tn_stream_or_event *event,
                                 struct tn_stream_or_event *stream, uint64_t record);

// Waits on the calling thread. NOT_READY at the deadline (of tn_now_ns(); 0 has passed);
// DEVICE_FAILED: work before the record failed, or its process has ended.
tarn_status tn_event_shared_await(struct tn_stream_or_event *event, uint64_t record,
                                  uint64_t deadline_ns);
