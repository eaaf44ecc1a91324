// SPDX-License-Identifier: Apache-2.0
// A binary trace of Tarn, as a stream: records in zstd frames, written one after another with
// bounded memory. A definition (a text, a call, a stream) precedes the records that refer to it by
// its number; each kind of definition counts from 0, texts and calls from 1. traces/README.md
// describes the format. One thread at a time.
#pragma once

#include "trace/write/output.h"

#define TN_BINARY_VERSION 1

// The file begins with a skippable frame of zstd: its magic, its length, the name of the format and
// the version, all numbers little-endian.
#define TN_BINARY_SKIPPABLE 0x184D2A50u
#define TN_BINARY_NAME      "tarn-trace\n"
#define TN_BINARY_HEADER    24

// The most bytes that a frame unpacks to. No record spans frames.
#define TN_BINARY_FRAME_MAX (1u << 20)

#define TN_RECORD_FIELDS_MAX 32

// X(NAME, number, fields): the least number of fields. Readers ignore further fields and records of
// an unknown number. A text is bytes in place of fields. Those from ALLOC to SEGMENT_RETURN are
// events, in the order of enum tn_event_kind.
//  block    id, size, occupied, stream, stack, tag, category
//  segment  address, bytes, stream, stack, flags (1 mapped, 2 private)
//  refusal  by Tarn: negated tarn_status, tarn_pool_cause, and of the pool: held, limit, free,
//           largest piece, waiting
#define TN_RECORD_LIST(X)                                                                          \
    X(TEXT, 1, 0)             /* bytes */                                                          \
    X(CALL, 2, 4)             /* caller, function, file, line */                                   \
    X(DEVICE, 3, 3)           /* number, kind, bytes of memory */                                  \
    X(STREAM, 4, 2)           /* device, as recorded */                                            \
    X(SETTING, 5, 2)          /* name, value: texts */                                             \
    X(STARTING_BLOCK, 6, 7)   /* block */                                                          \
    X(STARTING_SEGMENT, 7, 5) /* segment */                                                        \
    X(ALLOC, 8, 9)            /* time, where, block */                                             \
    X(FREE, 9, 3)             /* time, where, number of the block */                               \
    X(FREE_REQUEST, 10, 3)    /* the same */                                                       \
    X(MARK, 11, 4)            /* time, where, device, text */                                      \
    X(MARK_END, 12, 4)        /* the same */                                                       \
    X(FAILURE, 13, 6)         /* time, where, bytes, free of the device, stream, stack, refusal */ \
    X(SEGMENT, 14, 7)         /* time, where, segment */                                           \
    X(SEGMENT_RETURN, 15, 7)  /* the same */                                                       \
    X(SAMPLE, 16, 13)         /* time, device, live, reserved, bytes of each category */           \
    X(RESERVED, 17, 12)       /* device, start, peak, end, device calls */                         \
    X(ABOUT, 18, 2)           /* facts that the recording lacks, number of contradictions */       \
    X(CONTRADICTION, 19, 0)   /* bytes */                                                          \
    X(END, 20, 0)             /* the recording is complete */                                      \
    X(ORIGIN, 21, 0)          /* bytes: the name of the format before conversions */

#define TN_RECORD_ENUM(name, number, fields) TN_RECORD_##name = (number),
enum tn_record { TN_RECORD_LIST(TN_RECORD_ENUM) };

struct tn_binary;

// Writes the header. The output must outlive the writer. Returns TARN_NO_HOST_MEMORY.
tarn_status tn_binary_writer_open(struct tn_output *output, struct tn_binary **binary);

// Compresses frames faster and less, for a program that records at the same time.
void tn_binary_hurry(struct tn_binary *binary);

// The fields of a record and their number, as two arguments.
#define TN_FIELDS(...)                                                                             \
    (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)

// Adds a record of numbers, or of bytes. Bytes after the first 64 Ki are left out.
void tn_binary_fields(struct tn_binary *binary, enum tn_record record, const uint64_t *fields,
                      size_t count);
void tn_binary_bytes(struct tn_binary *binary, enum tn_record record, const void *bytes,
                     size_t size);

// Adds an event. `fields` are those after its time and place; blocks are numbered as they come.
void tn_binary_event(struct tn_binary *binary, enum tn_record record, uint64_t time_us,
                     uint64_t where, const uint64_t *fields, size_t count);

// Ends the frame and sends it to the system, so that its records survive the end of the process.
void tn_binary_flush(struct tn_binary *binary);

// Ends the last frame and frees the writer, with END in front if the recording is complete. Returns
// the first failure. Failures of the output are reported where it is closed.
tarn_status tn_binary_end(struct tn_binary *binary, bool complete);
