// SPDX-License-Identifier: Apache-2.0
// Copies of a copy's source, so that the caller may change the source at once. Any thread.
#pragma once

#include "core/work/stream.h"

struct tn_stage;

// Reads the source of a copy, which is about to be submitted to `stream`, and makes the copy read
// the stage instead. NO_HOST_MEMORY; recorded.
tarn_status tn_stage_new(struct tn_stream_or_event *stream, tarn_backend_copy *copy,
                         struct tn_stage **stage);

// Frees the stage once the stream has passed the copy. `submitted` is false if the stream did not
// accept it.
void tn_stage_end(struct tn_stream_or_event *stream, struct tn_stage *stage, bool submitted);

// Frees the stages of a stream whose work is over.
void tn_stage_drop_all(struct tn_stream_or_event *stream);
