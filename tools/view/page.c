// SPDX-License-Identifier: Apache-2.0
// Writes the page of `tarn view`: the template, which cmake/embed.cmake builds from
// tools/view/page/, and the data in it, compressed and as base64. Nothing of the recording appears
// in the page in any other form, so no text of it can become markup. One thread.
#include <stdlib.h>
#include <zlib.h>

#include "tools/progress.h"
#include "tools/view/view.h"
#include "trace/base64.h"

// The template before and behind the data.
extern const unsigned char tn_view_before[], tn_view_behind[];
extern const size_t tn_view_before_size, tn_view_behind_size;

static void write_base64(const unsigned char *bytes, size_t count, struct tn_view_data *out) {
    enum { PART = 3 * 256 };
    char text[TN_BASE64_LENGTH(PART)];
    for (size_t at = 0; at < count; at += PART) {
        size_t part = count - at < PART ? count - at : PART;
        tn_view_data_put(out, text, tn_base64_encode(bytes + at, part, text));
    }
}

// Packs the data in parts, so that the progress shows each.
static bool pack_data(const struct tn_view_data *data, unsigned char *packed, size_t *size) {
    enum { PART = 1 << 16 };
    z_stream stream = {.next_out = packed};
    size_t used = 0;
    bool good = deflateInit(&stream, Z_DEFAULT_COMPRESSION) == Z_OK;
    for (int result = Z_OK; good && result != Z_STREAM_END;) {
        size_t part = data->count - used < PART ? data->count - used : PART;
        used += part;
        stream.next_in = data->bytes + used - part;
        stream.avail_in = (uInt)part;
        stream.avail_out = (uInt)compressBound(2 * PART);
        result = deflate(&stream, used == data->count ? Z_FINISH : Z_NO_FLUSH);
        good = stream.avail_in == 0 && result >= Z_OK;
        tn_progress_step(part);
    }
    *size = stream.total_out;
    return deflateEnd(&stream) == Z_OK && good;
}

void tn_view_page_write(const struct tn_view_data *data, struct tn_view_data *out) {
    size_t packed_size;
    unsigned char *packed = data->failed ? NULL : malloc(compressBound(data->count));
    out->failed |= packed == NULL || !pack_data(data, packed, &packed_size);
    if (!out->failed) {
        tn_view_data_put(out, tn_view_before, tn_view_before_size);
        write_base64(packed, packed_size, out);
        tn_view_data_put(out, tn_view_behind, tn_view_behind_size);
    }
    free(packed);
}
