// SPDX-License-Identifier: Apache-2.0
// Carrier: nng, push to pull over ipc. Each message is written in the buffer that the library
// sends.
#include <stdio.h>
#include <unistd.h>

#include <nng/nng.h>
#include <nng/protocol/pipeline0/pull.h>
#include <nng/protocol/pipeline0/push.h>

#include "stream.h"

static void must(struct stream *stream, int code) {
    if (code != 0) stream_fail(stream, nng_strerror(code));
}

static void address_of(const char *name, char text[96]) {
    (void)snprintf(text, 96, "ipc:///tmp/%s", name);
}

static void produce(struct stream *stream, int socket, const char *name) {
    nng_socket end;
    char address[96], byte = 0;
    bool more = true;
    address_of(name, address);
    must(stream, nng_push0_open(&end));
    must(stream, nng_listen(end, address, NULL, 0));
    (void)!write(socket, &byte, 1);
    for (uint64_t n = 0; more; n++) {
        nng_msg *message;
        must(stream, nng_msg_alloc(&message, stream->bytes));
        more = stream_write(stream, n, nng_msg_body(message));
        must(stream, nng_sendmsg(end, message, 0));
    }
    (void)!read(socket, &byte, 1);
    (void)nng_close(end);
}

static void consume(struct stream *stream, int socket, const char *name) {
    nng_socket end;
    char address[96], byte = 0;
    bool more = true;
    address_of(name, address);
    must(stream, nng_pull0_open(&end));
    must(stream, nng_socket_set_size(end, NNG_OPT_RECVMAXSZ, 0));
    (void)!read(socket, &byte, 1);
    must(stream, nng_dial(end, address, NULL, 0));
    while (more) {
        nng_msg *message;
        must(stream, nng_recvmsg(end, &message, 0));
        more = stream_read(stream, nng_msg_body(message));
        nng_msg_free(message);
    }
    (void)!write(socket, &byte, 1);
    (void)nng_close(end);
}

const struct carrier carry_nng = {"nng ipc", produce, consume};
