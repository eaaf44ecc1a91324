// SPDX-License-Identifier: Apache-2.0
// Messages of the processes of a program that a command started (base/launcher.h): whether one of them
// has loaded Tarn, and whether a library that the command injected has failed. One thread, one program.
#pragma once

#include <stdbool.h>

// Sets the environment so that processes send messages. Returns false, with a message in the name of
// `command`, if that fails.
bool tn_messages_open(void);

// Returns the socket, which is readable if messages have arrived.
int tn_messages_descriptor(void);

// Receives all messages that have arrived. Few fit into the socket, so this is called while the
// program runs.
void tn_messages_take(void);

// The processes so far, after messages that wait were received.
enum { TN_MESSAGES_CALLS = 8 };
struct tn_messages {
    bool loaded;         // a process has loaded Tarn
    bool opened;         // a process has opened devices
    bool alone;          // a process uses Tarn without an injected library
    const char *failure; // the first of an injected library, or NULL
    unsigned count;      // of the different texts of calls that failed
    char calls[TN_MESSAGES_CALLS][512];
};
const struct tn_messages *tn_messages(void);
