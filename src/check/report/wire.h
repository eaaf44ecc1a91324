// SPDX-License-Identifier: Apache-2.0
// The protocol between checked processes and `tarn check`. For each message a process connects to a
// socket in the abstract namespace, sends the message, waits for the answer and closes the socket.
// It keeps no descriptor between messages, so it may close, redirect and inherit descriptors, fork,
// and change its user or root folder. A process that dies during a message leaves an incomplete
// one, of which only the counts are used.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/launcher.h"

// The environment variable NAME/TOKEN, which `tarn check` sets; see base/launcher.h.
#define TN_CHECK_WIRE_VARIABLE "TARN_CHECK_SOCKET"

enum {
    TN_CHECK_WIRE_TEXT = 1 << 19, // most bytes of a text
    TN_CHECK_WIRE_SECONDS = 10    // longest wait of a process for `tarn check`
};

struct tn_check_counts {
    uint64_t errors;
    uint64_t warnings;
    uint64_t notes;
    uint64_t suppressed;
    uint64_t leaked_bytes;
    uint64_t leaked_regions;
};

enum tn_check_wire_kind {
    TN_CHECK_WIRE_BEGIN = 1, // a program starts, or a forked process emits its first event
    TN_CHECK_WIRE_REPORT,
    TN_CHECK_WIRE_END // the summary
};

// Followed by `text_bytes` bytes for --log-path and `json_bytes` bytes for --json.
struct tn_check_wire_head {
    char token[TN_LAUNCHER_TOKEN];
    uint32_t kind;
    int32_t pid; // in the namespace of the process
    uint32_t text_bytes;
    uint32_t json_bytes;
    uint64_t unsent; // reports that could not be sent
    struct tn_check_counts counts;
};

struct tn_check_wire_answer {
    uint32_t is_program; // 1 for the process that `tarn check` started
};

// Returns true if `tarn check` receives the messages of this process: the variable is set, and no
// connection was refused so far.
bool tn_check_wire_is_open(void);

// Fills in the token and sends the message. Returns false if it could not be sent completely.
// Without an answer *answer is unchanged. Async-signal-safe. The caller serialises.
bool tn_check_wire_send(struct tn_check_wire_head *head, const char *text, const char *json,
                        struct tn_check_wire_answer *answer);
