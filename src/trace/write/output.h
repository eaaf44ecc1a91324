// SPDX-License-Identifier: Apache-2.0
// An output: bytes in order, to a file or to standard output. A regular file is written under
// another name and takes its place when it is complete, so a failure leaves the old file. The first
// failure is kept and reported by tn_output_close(), so the calls between need no check. One thread
// at a time.
#pragma once

#include <tarn/base.h>

struct tn_output;

enum tn_output_pack { TN_OUTPUT_PLAIN, TN_OUTPUT_GZIP };

// The path "-" is standard output. A symbolic link is refused. `path` must outlive the output.
// Returns TARN_SYSTEM with the path if it cannot be written.
tarn_status tn_output_open(const char *path, enum tn_output_pack pack, struct tn_output **output);

// Takes over an open descriptor, which is written in place: the file has every byte that was
// flushed, and a failure leaves them there. `name` is for error texts and must outlive the output.
tarn_status tn_output_attach(int file, const char *name, struct tn_output **output);

// Begins an output whose bytes become base64 in another one, which must outlive it. Use the other
// one again when this one is closed. Its failures are those of the other one.
tarn_status tn_output_nest(struct tn_output *outer, struct tn_output **output);

void tn_output_put(struct tn_output *output, const void *bytes, size_t size);
void tn_output_byte(struct tn_output *output, uint8_t byte);
void tn_output_print(struct tn_output *output, const char *format, ...) TARN_PRINTF(2, 3);

// Sends all bytes to the system, so that they survive the end of the process.
void tn_output_flush(struct tn_output *output);

// Returns the failure that tn_output_close() will report, or TARN_OK if there was none so far.
tarn_status tn_output_status(const struct tn_output *output);

// Completes the file if `status` and every write succeeded, else removes it. Returns `status`, or
// TARN_SYSTEM with the path if a write failed. The output is freed in any case.
tarn_status tn_output_close(struct tn_output *output, tarn_status status);
