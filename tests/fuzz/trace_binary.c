// SPDX-License-Identifier: Apache-2.0
// Any bytes as a binary trace: the reader refuses them or builds a trace that holds together. The
// input is the records of a frame; with a first byte of 0xff the rest is the file itself.
#include "trace/write/binary.h"
#include "unit/trace/sound.h"

#include <string.h>
#include <zstd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint8_t header[TN_BINARY_HEADER] = {0x50, 0x2a, 0x4d, 0x18, 16,  0,   0,   0,
                                                 't',  'a',  'r',  'n',  '-', 't', 'r', 'a',
                                                 'c',  'e',  '\n', 0,    1,   0,   0,   0};

static void demand(bool holds) {
    if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct tn_trace trace;
    struct tn_trace_limits limits = {.events = 10000, .memory = 1 << 20};
    bool is_file = size > 0 && data[0] == 0xff;
    size_t room = TN_BINARY_HEADER + ZSTD_compressBound(size);
    uint8_t *file = (uint8_t *)malloc(room);
    demand(file != NULL);
    memcpy(file, header, sizeof header);
    size_t used =
        is_file ? size - 1
                : ZSTD_compress(file + TN_BINARY_HEADER, room - TN_BINARY_HEADER, data, size, 1);
    if (is_file) memcpy(file + TN_BINARY_HEADER, data + 1, used);
    if (tn_trace_read_memory("fuzz", file, TN_BINARY_HEADER + used, &limits, &trace) == TARN_OK) {
        sound_trace(&trace);
        tn_trace_release(&trace);
    } else {
        tarn_error error;
        (void)tarn_last_error(&error);
        demand(error.message[0] != '\0');
    }
    free(file);
    return 0;
}
