// SPDX-License-Identifier: Apache-2.0
// An unpacker: decompresses a stream of gzip, zstd or xz, piece by piece. Several compressed
// streams may follow each other. The source owns it. One thread at a time.
#pragma once

#include <tarn/base.h>

// The bytes of a file from which its compression is known.
#define TN_UNPACK_MAGIC 6

struct tn_unpack;

// The input of one step and the room for its output. The step moves both forward.
struct tn_unpack_io {
    const uint8_t *in;
    size_t in_left;
    uint8_t *out;
    size_t out_left;
};

enum tn_unpack_result {
    TN_UNPACK_MORE,     // the step did what it could
    TN_UNPACK_END,      // a compressed stream has ended; another may follow
    TN_UNPACK_DAMAGED,  // tn_unpack_reason() says why
    TN_UNPACK_NO_MEMORY // out of host memory, or the stream needs more than 256 MiB
};

// Opens the unpacker that the first bytes ask for; *unpack is NULL if they are not compressed.
// Returns TARN_NO_HOST_MEMORY.
tarn_status tn_unpack_open(const uint8_t *bytes, size_t size, struct tn_unpack **unpack);
void tn_unpack_close(struct tn_unpack *unpack); // may be NULL

enum tn_unpack_result tn_unpack_step(struct tn_unpack *unpack, struct tn_unpack_io *io);

const char *tn_unpack_kind(const struct tn_unpack *unpack);   // "gzip", "zstd" or "xz"
const char *tn_unpack_reason(const struct tn_unpack *unpack); // of the last damage
