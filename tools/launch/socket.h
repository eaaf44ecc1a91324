// SPDX-License-Identifier: Apache-2.0
// A socket on which a command receives messages of the processes that it starts. Any user of the
// machine can see its name and connect or send to it, so that every message must contain a random
// token, which the environment of the program has (base/launcher.h). One thread.
#pragma once

#include "base/launcher.h"

// Opens an abstract Unix socket of this type, "tarn-KIND-PID-RANDOM", which does not block. Sets the
// environment variable to NAME/TOKEN. A socket for datagrams receives only those that begin with the
// token, as far as the kernel can filter them. Returns the socket, or -1 with errno.
int tn_socket_open(int type, const char *kind, const char *variable, char token[TN_LAUNCHER_TOKEN]);
