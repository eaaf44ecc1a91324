// SPDX-License-Identifier: Apache-2.0
// The readers, one for each format. Each takes a source at its beginning, fills a builder and
// leaves nothing of the source unread. On failure the caller discards the builder.
#ifndef TARN_TRACE_READ_H
#define TARN_TRACE_READ_H

#include "trace/builder.h"
#include "trace/source.h"

tarn_status tn_text_read(struct tn_source *source, struct tn_builder *builder);

// `memory` limits the bytes of the pickle's values.
tarn_status tn_snapshot_read(struct tn_source *source, uint64_t memory, struct tn_builder *builder);

#endif
