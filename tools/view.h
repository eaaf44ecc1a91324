// SPDX-License-Identifier: Apache-2.0
// The parts of `tarn view`: the data of a recording for the page, and the page itself. One thread.
// tools/view/README.md describes the script that reads the data.
#ifndef TARN_TOOLS_VIEW_H
#define TARN_TOOLS_VIEW_H

#include <jansson.h>
#include <stdio.h>

#include "command.h"
#include "trace/trace.h"

// Data under construction: named sections of numbers or bytes. Zero-initialise; free `bytes`.
struct tn_view_data {
    unsigned char *bytes;
    size_t count;
    size_t room;
    bool failed; // out of memory; later calls have no effect
};

// Adds the recording. Fails with NO_HOST_MEMORY. Sets `failed` too, if the data itself has no room.
tarn_status tn_view_data_trace(struct tn_view_data *data, const struct tn_trace *trace);
void tn_view_data_bytes(struct tn_view_data *data, const char *name, const void *bytes,
                        size_t count);

// Writes the page with the data, compressed. Returns false if out of memory. The caller checks `file`
// for errors.
bool tn_view_page_write(const struct tn_view_data *data, FILE *file);

// Writes a picture of the device with the highest peak: SVG, or PNG. `path` names the recording.
// Prints why it fails. The caller checks `file` for errors.
enum tn_exit tn_view_picture_write(const struct tn_trace *trace, const char *path, bool is_png,
                                   FILE *file);

#endif
