// SPDX-License-Identifier: Apache-2.0
// The readers, one for each format. Each reads a source from its beginning to its end and fills a
// builder. On failure the caller releases the builder's trace.
#ifndef TARN_TRACE_READ_H
#define TARN_TRACE_READ_H

#include "trace/builder.h"
#include "trace/source.h"

tarn_status tn_text_read(struct tn_source *source, struct tn_builder *builder);

// `memory` limits the bytes of the pickle's values.
tarn_status tn_snapshot_read(struct tn_source *source, uint64_t memory, struct tn_builder *builder);

#endif
