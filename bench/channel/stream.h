// SPDX-License-Identifier: Apache-2.0
// A stream of messages between two processes, over any carrier. The producer writes every byte of
// each message. The consumer reads every byte and checks a sum. Word i of message n is n + i * a
// constant, so the first word identifies the message.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { STREAM_DEPTH_MOST = 64 };

// The state of one run, in memory that both processes share.
struct stream {
    uint64_t bytes;        // of a message; a multiple of 32
    uint32_t depth;        // messages in flight, if the carrier has such a limit
    uint64_t milliseconds; // measured
    uint64_t warm_up;      // messages before the measurement
    uint64_t until_ns;     // used by the producer
    uint64_t counted;      // used by the consumer, as the next three
    uint64_t damaged;
    uint64_t begun_ns, ended_ns;
    bool failed; // set by either side, after a message
};

// A carrier. Each function runs in its own process. A connected socket (local, SEQPACKET) joins the
// two processes, and `name` is unique to the run.
struct carrier {
    const char *name;
    void (*produce)(struct stream *stream, int socket, const char *name);
    void (*consume)(struct stream *stream, int socket, const char *name);
};

// Fills the next message. Returns false if it is the last one, which still has to be sent.
bool stream_write(struct stream *stream, uint64_t number, void *message);
// Checks a message. Returns false if it is the last one.
bool stream_read(struct stream *stream, const void *message);

// Returns memory whose pages are present. Ends the process if there is none.
void *stream_memory(uint64_t bytes);

// Ends the process with the reason.
void stream_fail(struct stream *stream, const char *what) __attribute__((noreturn));

extern const struct carrier carry_tarn, carry_tarn_ucx;
extern const struct carrier carry_stream, carry_stream_large, carry_seqpacket, carry_vmsplice,
    carry_readv;
extern const struct carrier carry_iceoryx, carry_zeromq, carry_nng, carry_ucx;
