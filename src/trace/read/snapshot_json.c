// SPDX-License-Identifier: Apache-2.0
// The reader of PyTorch memory snapshots that were written as JSON: the dict, or the list of
// segments alone.
#include "trace/parse/json.h"
#include "trace/read/read.h"
#include "trace/read/snapshot.h"

bool tn_snapshot_json_detect(const uint8_t *bytes, size_t size) {
    uint8_t second = 0;
    uint8_t first = tn_json_first_bytes(bytes, size, &second);
    if (first == '[') return second == '{' && tn_json_mentions(bytes, size, "blocks");
    return first == '{' && (tn_json_mentions(bytes, size, "segments") ||
                            tn_json_mentions(bytes, size, "device_traces"));
}

tarn_status tn_snapshot_json_read(struct tn_source *source, struct tn_builder *builder) {
    return tn_snapshot_convert(source, builder, tn_json_document);
}
