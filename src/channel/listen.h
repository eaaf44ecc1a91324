// SPDX-License-Identifier: Apache-2.0
// A listener: a socket, or a link's listener, with an address. Constant after creation, except for
// the pending connections.
#ifndef TARN_CHANNEL_LISTEN_H
#define TARN_CHANNEL_LISTEN_H

#include <tarn/channel.h>

#include <sys/un.h>

#include "channel/fork.h"
#include "channel/pending.h"

struct tn_link_listener;

struct tarn_listener {
    int socket;                    // -1 if `link` is set
    struct tn_link_listener *link; // NULL if `socket` is set
    struct tn_fork_entry fork_entry;
    struct tn_pending pending;                              // if `link` is NULL
    char path[sizeof(((struct sockaddr_un *)0)->sun_path)]; // of the socket file, or ""
};

#endif
