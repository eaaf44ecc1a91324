// SPDX-License-Identifier: Apache-2.0
// Tarn's own table in CSV: the names of its columns, events and flags, which the writer and the
// reader share. docs/recordings.md describes it. No state.
#pragma once

// X(NAME, "name", flags, how, field of a row): see trace/parse/column.h. The needed ones identify the
// table. Earlier tables end with `stack`. `owner` is for people: a reader finds it by the stack.
#define TN_TABLE_COLUMN_LIST(X)                                                                    \
    X(DEVICE, "device", TN_NEEDED, DEVICE, order)                                                  \
    X(EVENT, "event", TN_NEEDED, EVENT, kind)                                                      \
    X(INDEX, "index", TN_NEEDED, NUMBER, where)                                                    \
    X(TIME, "time_us", TN_NEEDED, NUMBER, time_us)                                                 \
    X(ID, "id", TN_NEEDED, NUMBER, id)                                                             \
    X(BYTES, "bytes", TN_NEEDED, NUMBER, bytes)                                                    \
    X(STREAM, "stream", TN_NEEDED, NUMBER, stream)                                                 \
    X(LIVE, "live_bytes", TN_NEEDED, NUMBER, live)                                                 \
    X(TEXT, "text", TN_NEEDED, TN_CELL, text)                                                      \
    X(STACK, "stack", TN_NEEDED, TN_CELL, stack_id)                                                \
    X(STACK_ID, "stack_id", 0, NUMBER, stack_id)                                                   \
    X(OCCUPIED, "occupied", 0, NUMBER, occupied)                                                   \
    X(CATEGORY, "category", 0, CATEGORY, category)                                                 \
    X(DEVICE_FREE, "device_free", 0, NUMBER, device_free)                                          \
    X(FLAGS, "flags", 0, TN_CELL, flags)                                                           \
    X(OWNER, "owner", 0, TN_CELL, text)

#define TN_TABLE_COLUMN_ENUM(name, text, flags, how, field) TN_TABLE_##name,
enum tn_table_column { TN_TABLE_COLUMN_LIST(TN_TABLE_COLUMN_ENUM) TN_TABLE_COLUMNS };

// X(NAME, "name"). DEVICE has what is no event of a device: its memory, and in `text` and `flags`
// the format of the recording and the facts that it lacks. Those from ALLOC to SEGMENT_RETURN are in
// the order of enum tn_event_kind.
#define TN_TABLE_ROW_LIST(X)                                                                       \
    X(DEVICE, "device")                                                                            \
    X(SEGMENT_START, "segment_start")                                                              \
    X(START, "start")                                                                              \
    X(ALLOC, "alloc")                                                                              \
    X(FREE, "free")                                                                                \
    X(FREE_REQUEST, "free_request")                                                                \
    X(MARK, "mark")                                                                                \
    X(MARK_END, "mark_end")                                                                        \
    X(FAILURE, "failure")                                                                          \
    X(SEGMENT, "segment")                                                                          \
    X(SEGMENT_RETURN, "segment_return")                                                            \
    X(SAMPLE, "sample")

#define TN_TABLE_ROW_ENUM(name, text) TN_ROW_##name,
enum tn_table_row { TN_TABLE_ROW_LIST(TN_TABLE_ROW_ENUM) TN_ROWS };

// The flags of a segment, and of the row of a device: the bits of enum tn_trace_lacks, lowest first,
// and one for reserved bytes that are not known. A blank is between flags.
#define TN_TABLE_MAPPED  "mapped"
#define TN_TABLE_PRIVATE "private"
#define TN_TABLE_LACKS                                                                             \
    "no_times", "no_streams", "no_stacks", "no_addresses", "no_events", "no_blocks", "paired",     \
        "no_pool", "no_reserved"
#define TN_TABLE_NO_RESERVED (1u << 8)

// The flag of a block that begins while others with its id are live: their number follows. The rows of
// its frees have it too.
#define TN_TABLE_NTH "#"

#define TN_TABLE_HOST "host" // in place of the number of a device

// A stack is "FUNCTION (FILE:LINE); CALLER (FILE:LINE)". In names, '%' and ';' are "%25" and "%3B",
// and in files whose parentheses do not match, those are "%28" and "%29".
#define TN_TABLE_CALL_END "; "
