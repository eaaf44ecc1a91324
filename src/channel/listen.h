// SPDX-License-Identifier: Apache-2.0
// A listener: a socket with an address. Its descriptor is never changed after creation.
#ifndef TARN_CHANNEL_LISTEN_H
#define TARN_CHANNEL_LISTEN_H

#include <tarn/channel.h>

#include <sys/un.h>

struct tn_link_listener;

struct tarn_listener {
    int socket;                    // -1: none, but
    struct tn_link_listener *link; // this
    unsigned generation;           // of forks
    struct tarn_listener *next;
    char path[sizeof(((struct sockaddr_un *)0)->sun_path)]; // of the file; "": none
};

#endif
