// SPDX-License-Identifier: Apache-2.0
// The parts of `tarn view`: the data of a recording for the page, and the page itself. One thread.
// tools/view/page/README.md describes the script that reads the data.
#pragma once

#include <jansson.h>

#include "tools/command.h"
#include "trace/trace.h"

// Data under construction: named sections of numbers or bytes. Zero-initialise; free `bytes`.
struct tn_view_data {
    unsigned char *bytes;
    size_t count;
    size_t room;
    bool failed; // out of memory; later calls have no effect
};

// Returns the number of steps of the progress that adding the recording takes.
uint64_t tn_view_data_steps(const struct tn_trace *trace);
// Adds the recording, with the owners of stacks, or their innermost calls. Fails with NO_HOST_MEMORY.
// Sets `failed` too, if the data itself has no room.
tarn_status tn_view_data_trace(struct tn_view_data *data, const struct tn_trace *trace,
                               bool innermost);
// Appends bytes without a name.
void tn_view_data_put(struct tn_view_data *data, const void *bytes, size_t count);
void tn_view_data_bytes(struct tn_view_data *data, const char *name, const void *bytes,
                        size_t count);
void tn_view_data_numbers(struct tn_view_data *data, const char *name, const uint64_t *numbers,
                          size_t count);

// Appends the page with the data, compressed, to `out`. Sets `failed` there if out of memory.
void tn_view_page_write(const struct tn_view_data *data, struct tn_view_data *out);

// Appends a picture of the device with the highest peak to `out`: SVG, or PNG. `path` names the
// recording. Prints why it fails, unless `failed` is set in `out`: out of memory.
enum tn_exit tn_view_picture_write(const struct tn_trace *trace, const char *path, bool is_png,
                                   bool innermost, struct tn_view_data *out);
