// SPDX-License-Identifier: Apache-2.0
// A stream of messages between two processes, whatever carries them: the producer writes every byte
// of each message, the consumer reads every byte and checks a sum. Word i of message n is
// n + i * a constant; so the first word says which message it is.
#ifndef TARN_BENCH_CHANNEL_STREAM_H
#define TARN_BENCH_CHANNEL_STREAM_H

#include <stdbool.h>
#include <stdint.h>

enum { STREAM_DEPTH_MOST = 64 };

// One run. In memory that both processes share.
struct stream {
    uint64_t bytes;        // of a message; a multiple of 32
    uint32_t depth;        // messages under way at a time, where the carrier lets us say
    uint64_t milliseconds; // that count
    uint64_t warm_up;      // messages before
    uint64_t until_ns;     // producer's
    uint64_t counted;      // consumer's, as are the following
    uint64_t damaged;
    uint64_t begun_ns, ended_ns;
    bool failed; // either side's; it has said why
};

// A carrier. Both functions run in processes of their own that know each other by a connected
// socket (local, SEQPACKET) and by a name that no other run has.
struct carrier {
    const char *name;
    void (*produce)(struct stream *stream, int socket, const char *name);
    void (*consume)(struct stream *stream, int socket, const char *name);
};

// Fills the next message. False: it was the last one, which still has to be sent.
bool stream_write(struct stream *stream, uint64_t number, void *message);
// Checks a message. False: it was the last one.
bool stream_read(struct stream *stream, const void *message);

// Memory whose pages are there. Ends the process when there is none.
void *stream_memory(uint64_t bytes);

// Ends the process with the reason.
void stream_fail(struct stream *stream, const char *what) __attribute__((noreturn));

extern const struct carrier carry_tarn, carry_tarn_ucx;
extern const struct carrier carry_stream, carry_stream_large, carry_seqpacket, carry_vmsplice,
    carry_readv;
extern const struct carrier carry_iceoryx, carry_zeromq, carry_nng, carry_ucx;

#endif
