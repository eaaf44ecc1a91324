// SPDX-License-Identifier: Apache-2.0
// The readers, one for each format. Each reads a source from its beginning to its end and fills a
// builder. On failure the caller releases the builder's trace. To add one: a file that defines its
// two functions, and a line in the list.
#pragma once

#include "trace/builder.h"
#include "trace/parse/source.h"

// The bytes that detection sees, unless the file is shorter.
#define TN_DETECT_BYTES 4096

// X(FORMAT, reader): `reader`_detect returns true if a file that begins with these bytes is of the
// format, and `reader`_read reads it. The first one that detects its format is taken.
#define TN_READER_LIST(X)                                                                          \
    X(BINARY, tn_binary)                                                                           \
    X(SNAPSHOT, tn_snapshot)                                                                       \
    X(CHROME, tn_chrome)                                                                           \
    X(UMPIRE, tn_umpire)                                                                           \
    X(ROCPROF, tn_rocprof_json)                                                                    \
    X(SNAPSHOT, tn_snapshot_json)                                                                  \
    X(SNAPSHOT, tn_page)                                                                           \
    X(TIMELINE, tn_timeline)                                                                       \
    X(MEMSCOPE, tn_memscope_csv)                                                                   \
    X(NSYS, tn_sqlite) /* or another format; it depends on the tables */                           \
    X(RMM, tn_rmm)                                                                                 \
    X(ROCPROF, tn_rocprof_csv)                                                                     \
    X(NPU_PROFILER, tn_npu_profiler)                                                               \
    X(TABLE, tn_table)                                                                             \
    X(PPROF, tn_pprof)                                                                             \
    X(XPLANE, tn_xplane)                                                                           \
    X(BFC, tn_bfc)                                                                                 \
    X(TEXT, tn_text)

#define TN_READER_DECLARE(format, reader)                                                          \
    bool reader##_detect(const uint8_t *bytes, size_t size);                                       \
    tarn_status reader##_read(struct tn_source *source, struct tn_builder *builder);
TN_READER_LIST(TN_READER_DECLARE)

// Reads a table whose columns the user has named.
tarn_status tn_columns_read(struct tn_source *source, struct tn_builder *builder);
