// SPDX-License-Identifier: Apache-2.0
// Receives the messages of started processes; see messages.h.
#include "tools/launch/messages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/launcher.h"
#include "tools/command.h"

static int inbox = -1;
static struct tn_messages state;
static char failure[TN_LAUNCHER_MESSAGE];

bool tn_messages_open(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char name[64];
    uint64_t random = 0;
    bool good = getrandom(&random, sizeof random, 0) == (ssize_t)sizeof random;
    int length =
        snprintf(name, sizeof name, "tarn-loaded-%d-%016jx", (int)getpid(), (uintmax_t)random);
    memcpy(address.sun_path + 1, name, (size_t)length);
    inbox = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (good && inbox >= 0 &&
        bind(inbox, (const struct sockaddr *)&address,
             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)) == 0 &&
        setenv(TN_LAUNCHER_VARIABLE, name, 1) == 0)
        return true;
    return tn_complain("no socket for the program: %s", strerror(errno));
}

int tn_messages_descriptor(void) { return inbox; }

void tn_messages_take(void) {
    char message[TN_LAUNCHER_MESSAGE];
    ssize_t bytes;
    while ((bytes = recv(inbox, message, sizeof message, 0)) > 0) {
        state.loaded = state.loaded || message[0] == TN_LAUNCHER_LOADED;
        state.alone = state.alone || message[0] == TN_LAUNCHER_ALONE;
        if (message[0] == TN_LAUNCHER_FAILED && *failure == '\0')
            (void)snprintf(failure, sizeof failure, "%.*s", (int)bytes - 1, message + 1);
        state.failure = *failure != '\0' ? failure : NULL;
    }
}

const struct tn_messages *tn_messages(void) {
    tn_messages_take();
    return &state;
}
