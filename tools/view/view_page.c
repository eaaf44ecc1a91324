// SPDX-License-Identifier: Apache-2.0
// Writes the page of `tarn view`: the template, which cmake/embed.cmake builds from
// tools/view/page/, and the data in it, compressed and as base64. Nothing of the recording appears
// in the page in any other form, so no text of it can become markup. One thread.
#include <stdlib.h>
#include <zlib.h>

#include "tools/view/view.h"

// The template before and behind the data.
extern const unsigned char tn_view_before[], tn_view_behind[];
extern const size_t tn_view_before_size, tn_view_behind_size;

static void write_base64(const unsigned char *bytes, size_t count, struct tn_view_data *out) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        uint32_t group = (uint32_t)bytes[i] << 16;
        char text[4] = {0, 0, '=', '='};
        group |= i + 1 < count ? (uint32_t)bytes[i + 1] << 8 : 0;
        group |= i + 2 < count ? bytes[i + 2] : 0;
        text[0] = digits[group >> 18];
        text[1] = digits[group >> 12 & 63];
        if (i + 1 < count)
            text[2] = digits[group >> 6 & 63];
        if (i + 2 < count)
            text[3] = digits[group & 63];
        tn_view_data_put(out, text, sizeof text);
    }
}

void tn_view_page_write(const struct tn_view_data *data, struct tn_view_data *out) {
    uLong packed_size = compressBound(data->count);
    unsigned char *packed = data->failed ? NULL : (unsigned char *)malloc(packed_size);
    out->failed |=
        packed == NULL || compress(packed, &packed_size, data->bytes, data->count) != Z_OK;
    if (!out->failed) {
        tn_view_data_put(out, tn_view_before, tn_view_before_size);
        write_base64(packed, packed_size, out);
        tn_view_data_put(out, tn_view_behind, tn_view_behind_size);
    }
    free(packed);
}
