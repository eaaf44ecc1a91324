// SPDX-License-Identifier: Apache-2.0
// The address of a command's socket, as an environment variable gives it to the processes that the
// command starts: NAME/TOKEN (launcher.h). No state; any thread may call.
#pragma once

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/launcher.h"

enum { TN_SOCKET_NAME = 64 }; // most bytes of a name, with a zero byte

struct tn_socket_name {
    struct sockaddr_un address; // in the abstract namespace
    socklen_t bytes;
    char token[TN_LAUNCHER_TOKEN];
};

// Reads NAME/TOKEN. Returns false if `text` is NULL or something else.
bool tn_socket_name_read(const char *text, struct tn_socket_name *name);
