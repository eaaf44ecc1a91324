// SPDX-License-Identifier: Apache-2.0
// Carrier: ZeroMQ, push to pull over ipc. Each message is written in the buffer that the library
// sends.
#include <stdio.h>

#include <zmq.h>

#include "stream.h"

static void *open_end(struct stream *stream, int type, const char *name, bool bind,
                      void **context) {
    char address[80];
    int most = (int)stream->depth;
    *context = zmq_ctx_new();
    void *end = zmq_socket(*context, type);
    (void)snprintf(address, sizeof address, "ipc://@%s", name);
    (void)zmq_setsockopt(end, ZMQ_SNDHWM, &most, sizeof most);
    (void)zmq_setsockopt(end, ZMQ_RCVHWM, &most, sizeof most);
    if ((bind ? zmq_bind : zmq_connect)(end, address) != 0)
        stream_fail(stream, zmq_strerror(zmq_errno()));
    return end;
}

static void produce(struct stream *stream, int socket, const char *name) {
    void *context;
    void *end = open_end(stream, ZMQ_PUSH, name, true, &context);
    bool more = true;
    (void)socket;
    for (uint64_t n = 0; more; n++) {
        zmq_msg_t message;
        if (zmq_msg_init_size(&message, stream->bytes) != 0)
            stream_fail(stream, zmq_strerror(zmq_errno()));
        more = stream_write(stream, n, zmq_msg_data(&message));
        if (zmq_msg_send(&message, end, 0) < 0) stream_fail(stream, zmq_strerror(zmq_errno()));
    }
    (void)zmq_close(end);
    (void)zmq_ctx_term(context); // waits until all messages are sent
}

static void consume(struct stream *stream, int socket, const char *name) {
    void *context;
    void *end = open_end(stream, ZMQ_PULL, name, false, &context);
    zmq_msg_t message;
    bool more = true;
    (void)socket;
    while (more) {
        (void)zmq_msg_init(&message);
        if (zmq_msg_recv(&message, end, 0) < 0) stream_fail(stream, zmq_strerror(zmq_errno()));
        more = stream_read(stream, zmq_msg_data(&message));
        (void)zmq_msg_close(&message);
    }
    (void)zmq_close(end);
    (void)zmq_ctx_term(context);
}

const struct carrier carry_zeromq = {"zeromq ipc", produce, consume};
