// SPDX-License-Identifier: Apache-2.0
// A source: bytes in order, from a file, from standard input or from memory. It unpacks them if the
// first bytes identify gzip, zstd or xz. One thread at a time. A failure is recorded with the file
// and the position, and every later read fails in the same way.
#pragma once

#include <tarn/base.h>

struct tn_source;

// The path "-" is standard input. `path` and `name` must outlive the source; so must `bytes`.
tarn_status tn_source_open(const char *path, struct tn_source **source);
tarn_status tn_source_open_memory(const char *name, const void *bytes, size_t size,
                                  struct tn_source **source);
void tn_source_close(struct tn_source *source);

const char *tn_source_name(const struct tn_source *source);

// Returns true if the name is the path of a file.
bool tn_source_is_file(const struct tn_source *source);

// Returns the number of bytes consumed so far, after unpacking.
uint64_t tn_source_offset(const struct tn_source *source);

// Returns the bytes that are ready, at least one. At the end of the source *size is 0.
tarn_status tn_source_peek(struct tn_source *source, const uint8_t **bytes, size_t *size);

// Like tn_source_peek(), but returns at least `want` bytes, at most TN_SOURCE_LOOK, unless the
// source ends before.
#define TN_SOURCE_LOOK 65536
tarn_status tn_source_look(struct tn_source *source, size_t want, const uint8_t **bytes,
                           size_t *size);

// Consumes `size` of the bytes that the last peek returned.
void tn_source_take(struct tn_source *source, size_t size);

// Reads exactly `size` bytes. Returns TARN_CORRUPT if the source ends before.
tarn_status tn_source_read(struct tn_source *source, void *bytes, size_t size);

// Reads the rest into memory that the caller frees, with a zero byte behind it. Returns
// TARN_NO_HOST_MEMORY if there are more than `limit` bytes.
tarn_status tn_source_read_all(struct tn_source *source, uint64_t limit, uint8_t **bytes,
                               size_t *size);
