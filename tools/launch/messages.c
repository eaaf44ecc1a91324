// SPDX-License-Identifier: Apache-2.0
// Receives the messages of started processes; see messages.h.
#include "tools/launch/messages.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "base/launcher.h"
#include "base/printable.h"
#include "tools/command.h"
#include "tools/launch/socket.h"

static int inbox = -1;
static char token[TN_LAUNCHER_TOKEN];
static struct tn_messages state;
static char failure[4 * TN_LAUNCHER_MESSAGE];

bool tn_messages_open(void) {
    inbox = tn_socket_open(SOCK_DGRAM, "loaded", TN_LAUNCHER_VARIABLE, token);
    return inbox >= 0 || tn_complain("no socket for the program: %s", strerror(errno));
}

int tn_messages_descriptor(void) { return inbox; }

static void add_call(const char *text) {
    char *call = state.calls[state.count];
    tn_printable_copy(text, call, sizeof *state.calls);
    for (unsigned i = 0; i < state.count; i++)
        if (strcmp(state.calls[i], call) == 0) return;
    state.count++;
}

// The text of a failure may name a file.
static void take_message(const char *message) {
    state.loaded = state.loaded || *message == TN_LAUNCHER_LOADED ||
                   *message == TN_LAUNCHER_REFUSED || *message == TN_LAUNCHER_OPENED;
    state.opened = state.opened || *message == TN_LAUNCHER_OPENED;
    if (*message == TN_LAUNCHER_REFUSED && state.count < TN_MESSAGES_CALLS) add_call(message + 1);
    state.alone = state.alone || *message == TN_LAUNCHER_ALONE;
    if (*message == TN_LAUNCHER_FAILED && state.failure == NULL) {
        tn_printable_copy(message + 1, failure, sizeof failure);
        state.failure = failure;
    }
}

void tn_messages_take(void) {
    char message[TN_LAUNCHER_TOKEN + TN_LAUNCHER_MESSAGE + 1];
    ssize_t bytes;
    while ((bytes = recv(inbox, message, sizeof message - 1, 0)) >= 0) {
        message[bytes] = '\0';
        if (bytes > TN_LAUNCHER_TOKEN && memcmp(message, token, sizeof token) == 0)
            take_message(message + TN_LAUNCHER_TOKEN);
    }
}

const struct tn_messages *tn_messages(void) {
    tn_messages_take();
    return &state;
}
