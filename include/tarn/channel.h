/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tarn/channel.h - big blocks handed from one process to another without a copy.
 *
 * An arena is shared memory of this process. A parcel is a block of it. A channel is the connection
 * to one peer process: each side maps the other's arena, so a send moves a descriptor of some
 * hundred bytes and never the payload. The receiver reads the parcel where the sender wrote it and
 * frees it; the free travels back and the sender's arena has the room again.
 *
 * To a peer on another machine a channel goes over UCX, by an address "ucx://HOST:PORT": by RDMA
 * where the network has it, by TCP otherwise. The calls are the same. What differs, because memory
 * is not shared: the bytes of a message are brought into a parcel of the receiver's own arena,
 * which is the receiver's alone (OWNED, AUTO) and may be sent on to anyone; the sender's parcel is
 * back, or a lent one its own again, as soon as its bytes have been read, whatever the receiver
 * does; as long as the receiver's arena has no room they stay with the sender. Credits and returns
 * take the time of the network, and one thread of this process carries all such channels.
 *
 * Who trusts whom. The owner of an arena allocates in it alone and keeps all book-keeping in memory
 * of its own. Whatever a peer can write (payload, descriptors, returns) is copied before it is
 * checked and checked before it is used; a peer that breaks the protocol loses its channel, and the
 * process goes on. A peer may however still write into a parcel that it was sent: payload is as
 * trustworthy as the peer.
 *
 * When a peer is gone, killed or closed, every parcel that it held of ours returns to the arena at
 * once. What it had sent before can still be received and read.
 *
 * Waiting. Timeouts are relative, in nanoseconds: 0 does not wait, TARN_FOREVER has no deadline. No
 * thread runs in the background unless tarn_channel_start() asked for one, or UCX is in use;
 * without it the calls that wait do the work, and the death of a peer is noticed by the next call
 * that waits or queries.
 *
 * Every function may be called from any thread. An arena and all that belongs to it is of the
 * process that created it: in a child of fork() every call is refused with FORKED, and the child
 * has no descriptor of a channel.
 */
#ifndef TARN_CHANNEL_H
#define TARN_CHANNEL_H

#include <tarn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- arenas */

/* Shared memory that parcels are taken from. Opaque. */
typedef struct tarn_arena tarn_arena;

typedef struct tarn_arena_desc {
    size_t struct_size;
    uint64_t bytes;    /* of address space, rounded up to 2 MiB; pages are taken when first touched,
                          so a large one costs nothing; 0: 1 GiB; at most 1 TiB */
    uint64_t largest;  /* most bytes of one parcel; 0: 256 MiB, or all of a smaller arena */
    uint64_t prefault; /* bytes from the start whose pages are taken now, here and in each peer, so
                          that no frame pays for them; 0: none; more than bytes: all */
    uint32_t flags;    /* TARN_ARENA_ bits */
} tarn_arena_desc;

/* Bits of tarn_arena_desc.flags. */
enum {
    TARN_ARENA_HUGE = 1u << 0 /* ask for pages of 2 MiB; without effect where the system has none */
};

/*
 * Creates an arena. BAD_ARGUMENT: NULL, more than 1 TiB, largest above bytes, unknown flags;
 * BAD_STRUCT; NO_HOST_MEMORY: also when the pages to prefault are not to be had; NO_HANDLES: file
 * descriptors; NO_ADDRESS_SPACE; SYSTEM.
 */
TARN_API tarn_status tarn_arena_create(const tarn_arena_desc *desc, tarn_arena **arena);

/*
 * Destroys an arena. BUSY, and nothing changed: parcels are live, channels are open, or parcels
 * received by it are still held. NULL is fine. No other call on the arena may be running.
 */
TARN_API tarn_status tarn_arena_destroy(tarn_arena *arena);

/* ---- parcels */

/* What a send does to the sender's right to a parcel. */
typedef enum tarn_parcel_policy {
    TARN_PARCEL_AUTO = 0,  /* a send hands it over: the sender has no right left, and its bytes
                              return to the arena when the receiver frees it */
    TARN_PARCEL_MANUAL = 1 /* a send lends it: the sender may read and must not write, may send it
                              again, and frees it once, before or after the receiver does */
} tarn_parcel_policy;

typedef struct tarn_parcel_request {
    size_t struct_size;
    uint64_t bytes;      /* 1 to the arena's largest */
    uint64_t timeout_ns; /* how long to wait for room */
    tarn_parcel_policy policy;
    uint32_t tag; /* the caller's number for kinds of parcels, shown by the query */
} tarn_parcel_request;

/*
 * Allocates a parcel of `bytes`, policy AUTO, or what the request says. It starts at a multiple of
 * 4096, from 2 MiB on at one of 2 MiB; its contents are undefined. When there is no room the call
 * waits for parcels to be freed here or at a peer, first come first served: a large request is not
 * overtaken by small ones. The caller owns the parcel until it sends or frees it.
 * BAD_ARGUMENT: NULL, bytes 0 or more than the arena's largest, unknown policy; BAD_STRUCT;
 * NO_DEVICE_MEMORY: no room when the time was over (the text names the size and what is free);
 * NO_HOST_MEMORY: book-keeping; FORKED.
 */
TARN_API tarn_status tarn_parcel_alloc(tarn_arena *arena, uint64_t bytes, uint64_t timeout_ns,
                                       void **parcel);
TARN_API tarn_status tarn_parcel_alloc_with(tarn_arena *arena, const tarn_parcel_request *request,
                                            void **parcel);

/*
 * Gives up one hold on a parcel, allocated from `arena` or received over one of its channels. The
 * last one frees it; a received parcel goes back to its owner. Never waits. NULL is fine.
 * BAD_ADDRESS: not the start of a parcel on which this process has a hold: never allocated, freed
 * already, handed over by a send, or inside one (tarn_parcel_query() tells them apart); FORKED.
 */
TARN_API tarn_status tarn_parcel_free(tarn_arena *arena, void *parcel);

/*
 * Adds a hold: the parcel takes one free more. For several readers in one process that share what
 * was received once. BAD_ADDRESS: as for free; BUSY: 65535 holds already; FORKED.
 */
TARN_API tarn_status tarn_parcel_hold(tarn_arena *arena, void *parcel);

typedef enum tarn_parcel_state {
    TARN_PARCEL_OWNED = 1,   /* of this arena, held here and nowhere else: read and write */
    TARN_PARCEL_SHARED = 2,  /* of this arena, held here and by a peer: read only */
    TARN_PARCEL_SENT = 3,    /* of this arena, held by a peer only: hands off */
    TARN_PARCEL_RECEIVED = 4 /* of a peer's arena, held here */
} tarn_parcel_state;

typedef struct tarn_parcel_info {
    size_t struct_size;
    tarn_parcel_state state;
    tarn_parcel_policy policy; /* of a received one: AUTO or MANUAL as at its owner */
    void *start;
    uint64_t bytes;      /* as allocated */
    uint32_t tag;        /* 0 for a received one */
    uint32_t holds;      /* of this process: how many frees it takes */
    uint32_t peer_holds; /* sends of it that have not come back; 0 for a received one */
} tarn_parcel_info;

/*
 * The parcel that holds the byte at `address`. BAD_ARGUMENT: NULL; BAD_STRUCT; BAD_ADDRESS: none of
 * this arena or received by it does; FORKED.
 */
TARN_API tarn_status tarn_parcel_query(tarn_arena *arena, const void *address,
                                       tarn_parcel_info *info);

/* ---- channels */

/* A connection to one peer. Opaque. */
typedef struct tarn_channel tarn_channel;

/* An address that peers connect to. Opaque. */
typedef struct tarn_listener tarn_listener;

typedef struct tarn_channel_desc {
    size_t struct_size;
    tarn_arena *arena;  /* whose parcels it sends; several channels may share one */
    uint32_t ports;     /* ports 0 to ports - 1 of this side; 0: 64; at most 65536 */
    uint32_t slots;     /* messages on the way to the peer that it has not taken up yet, rounded up
                           to a power of two; 0: 1024; at most 65536 */
    uint32_t in_flight; /* parcels sent over it that may be at the peer at a time, rounded up to a
                           power of two; 0: 4096; at most 65536 */
    uint32_t spin_ns;   /* how long a waiting call looks before it sleeps; 0: up to 30000, as long
                           as recent waits were short enough for it to be worth while, and not at
                           all on machines of one CPU */
    uint32_t flags;     /* TARN_CHANNEL_ bits */
} tarn_channel_desc;

/* Bits of tarn_channel_desc.flags. */
enum {
    TARN_CHANNEL_ANY_USER = 1u << 0, /* accept a peer that runs as another user; over UCX, where
                                        nobody can show that, a channel is refused without it */
    TARN_CHANNEL_NO_SPIN = 1u << 1   /* sleep at once, whatever spin_ns says */
};

/*
 * Makes an address to connect to. "@name" is a name without a file; "ucx://HOST:PORT" a port of the
 * network (HOST: a name, an IPv4 address, an IPv6 address in brackets; 0.0.0.0: all of this
 * machine; names are looked up first, however long that takes); anything else the path of a socket
 * file, which must not exist and goes with the listener. At most 107 bytes, HOST 255.
 * BAD_ARGUMENT: NULL, empty, too long, no such host, port 0; BUSY: somebody listens there, or, over
 * UCX, did so within the last minute (docs/channel.md has a way round that);
 * UNSUPPORTED: over UCX: built without it, no libucp.so.0 here, or used before in the parent of
 * this process; NO_HANDLES; SYSTEM.
 */
TARN_API tarn_status tarn_channel_listen(const char *address, tarn_listener **listener);

/* Closes a listener; channels accepted from it stay. NULL is fine. No accept may be running. */
TARN_API void tarn_listener_close(tarn_listener *listener);

/*
 * Waits for a peer and makes the channel to it. BAD_ARGUMENT: NULL, no arena, a number out of its
 * range, unknown flags; BAD_STRUCT; TIMED_OUT; NO_ACCESS: the peer is another user's, or over UCX
 * TARN_CHANNEL_ANY_USER is missing; UNSUPPORTED: it speaks another version of the protocol;
 * PEER_GONE: it went away meanwhile; CORRUPT: its arena is not sealed or it broke the protocol;
 * NO_HOST_MEMORY; NO_ADDRESS_SPACE; NO_HANDLES; SYSTEM;
 * FORKED. After a failure that was the peer's fault the next one can be accepted.
 */
TARN_API tarn_status tarn_channel_accept(tarn_listener *listener, const tarn_channel_desc *desc,
                                         uint64_t timeout_ns, tarn_channel **channel);

/*
 * Connects to a listener; as long as nobody listens there it tries again until the time is over.
 * Statuses as for accept and listen; TIMED_OUT: nobody listened, or nobody accepted.
 */
TARN_API tarn_status tarn_channel_connect(const char *address, const tarn_channel_desc *desc,
                                          uint64_t timeout_ns, tarn_channel **channel);

/*
 * Makes a channel out of a connected local socket of type SEQPACKET, one end of a socketpair() for
 * example, when the other end does the same. The channel owns the descriptor from then on, and only
 * when the call succeeds. Statuses as for accept; BAD_ARGUMENT: not such a socket.
 */
TARN_API tarn_status tarn_channel_attach(int socket, const tarn_channel_desc *desc,
                                         uint64_t timeout_ns, tarn_channel **channel);

/*
 * Closes a channel. The peer hears of it as of a death; what it holds of ours returns to the arena
 * now, although it may still read it. Parcels received from it stay readable until they are freed;
 * deliveries that are not done are done. Stops the thread of tarn_channel_start() and waits for it.
 * Over UCX it first waits for what was sent to be with the peer, as long as anything moves: a
 * second without that, and the rest is lost. exit() does the same for channels that are open.
 * BUSY: called from its own callback. NULL is fine. No other call on the channel may be running.
 */
TARN_API tarn_status tarn_channel_close(tarn_channel *channel);

/* ---- ports and credits */

/* Bits for tarn_channel_open_port(). */
enum {
    TARN_PORT_MANUAL_CREDIT = 1u << 0 /* credits return by tarn_channel_grant() only, not when a
                                        delivery is done */
};

/*
 * Opens a port for receiving: the peer may have `depth` messages to it under way, sent and not yet
 * done with here. Each is a credit; a sender without one waits, and other ports are not held up.
 * BAD_ARGUMENT: NULL, no such port, depth 0 or above 65536, unknown flags; BUSY: open already;
 * FORKED.
 */
TARN_API tarn_status tarn_channel_open_port(tarn_channel *channel, uint32_t port, uint32_t depth,
                                            uint32_t flags);

/*
 * Gives `count` credits of a manual-credit port back to the peer. BAD_ARGUMENT: NULL, the port is
 * not open or not manual-credit, or more than were taken by messages received so far; FORKED.
 */
TARN_API tarn_status tarn_channel_grant(tarn_channel *channel, uint32_t port, uint32_t count);

/* ---- sending */

#define TARN_MESSAGE_NAME_MAX 63u
#define TARN_MESSAGE_CONTROL_MAX                                                                   \
    (UINT64_C(16) << 20) /* above some hundred bytes it travels in a parcel of its own */

typedef struct tarn_message {
    size_t struct_size;
    uint32_t port;
    uint32_t flags;         /* TARN_MESSAGE_ bits */
    uint64_t code;          /* any number, given to the receiver as it is */
    const char *name;       /* any text of at most TARN_MESSAGE_NAME_MAX bytes; NULL: "" */
    const void *control;    /* bytes that are copied; NULL: none */
    uint64_t control_bytes; /* at most TARN_MESSAGE_CONTROL_MAX */
    void *parcel;           /* the start of a parcel, own or received from this peer; NULL: none */
    uint64_t bytes; /* of the parcel that count, from its start; ignored when parcel is NULL */
} tarn_message;

/* Bits of tarn_message.flags. */
enum {
    TARN_MESSAGE_COPY = 1u << 0 /* `parcel` may be any memory, or a parcel received from another
                                   peer: it is copied into a new parcel and stays the caller's */
};

/*
 * Sends a message. When it returns TARN_OK the parcel is the peer's (AUTO) or lent to it (MANUAL);
 * a received parcel that goes back to its owner is the peer's again, uncopied. After any failure
 * nothing has changed hands, and the same parcel can be sent again or freed. Control bytes and name
 * are copied before the call returns. Messages of one thread to one port arrive in order.
 * `timeout_ns` bounds the whole wait, for a credit of the port, a slot, and room to copy.
 * BAD_ARGUMENT: NULL, the peer has no such port, name or control too long, bytes 0 or more than the
 * parcel has (over UCX also: than a parcel of the peer's arena can have), unknown flags;
 * BAD_STRUCT; BAD_ADDRESS: `parcel` is not the start of a parcel that this process holds (freed,
 * handed over, inside one) and is not to be copied, or lies inside a parcel and is to be copied;
 * UNSUPPORTED: the parcel is a third process's and is not to be copied; BUSY: a received parcel
 * goes home and this process has further holds on it; TIMED_OUT: no credit, or no slot, within the
 * time (a port that the peer has not opened has no credits); NO_DEVICE_MEMORY: no room to copy
 * within the time; PEER_GONE: the peer died, closed, or lost its channel (the text says which);
 * FORKED.
 */
TARN_API tarn_status tarn_channel_send(tarn_channel *channel, const tarn_message *message,
                                       uint64_t timeout_ns);

/*
 * Waits until the peer has taken up every message and holds no parcel of ours that was handed over
 * or lent over this channel: what to do before a close that must lose nothing. (Over UCX a parcel
 * is not held by the peer once its bytes are there.) BAD_ARGUMENT: NULL; TIMED_OUT; PEER_GONE;
 * FORKED.
 */
TARN_API tarn_status tarn_channel_flush(tarn_channel *channel, uint64_t timeout_ns);

/* ---- receiving */

/* A message that has arrived. All of it but the parcel's bytes is memory of this process that
 * nobody changes. */
typedef struct tarn_delivery {
    uint32_t port;
    uint32_t reserved;
    uint64_t code;
    const char *name;    /* never NULL */
    const void *control; /* at least 8-aligned; NULL when control_bytes is 0 */
    uint64_t control_bytes;
    void *parcel;   /* held once more than before, until tarn_parcel_free() or a send; NULL: none */
    uint64_t bytes; /* that the sender let count; 0 without a parcel */
} tarn_delivery;

/*
 * Takes the next message of any port, in the order of arrival. The delivery is the caller's until
 * tarn_channel_done(); the parcel in it is the caller's until it is freed or sent, however long.
 * BAD_ARGUMENT: NULL; TIMED_OUT: nothing within the time; BUSY: tarn_channel_start() has the
 * receiving; PEER_GONE: the peer is gone and all that it sent was received; CORRUPT: the channel
 * was closed just now, because the peer broke the protocol (once; PEER_GONE from then on);
 * NO_HOST_MEMORY: the message stays where it is; FORKED.
 */
TARN_API tarn_status tarn_channel_receive(tarn_channel *channel, uint64_t timeout_ns,
                                          const tarn_delivery **delivery);

/*
 * Ends a delivery: its name and control bytes go, and its port gets the credit back unless it is
 * manual-credit. The parcel is not freed. BAD_ARGUMENT: NULL, or done already; FORKED.
 */
TARN_API tarn_status tarn_channel_done(tarn_channel *channel, const tarn_delivery *delivery);

/* What a channel's own thread calls, with no lock held. Either may be NULL. */
typedef struct tarn_receiver {
    size_t struct_size;
    /* For every message, in order; the delivery is done when it returns. It may send, allocate and
     * free; while it waits no further message is received. */
    void (*on_message)(tarn_channel *channel, const tarn_delivery *delivery, void *arg);
    /* Exactly once, after the last message, when the peer is gone: PEER_GONE, or CORRUPT when it
     * broke the protocol. Not called for a tarn_channel_close() of our own. */
    void (*on_end)(tarn_channel *channel, tarn_status reason, void *arg);
    void *arg;
} tarn_receiver;

/*
 * Starts a thread that receives. Without on_message it only watches: messages are left to
 * tarn_channel_receive(), and on_end does not wait for them. Messages that arrived before are not
 * lost. BAD_ARGUMENT: NULL, or neither callback; BAD_STRUCT; BUSY: started already; NO_HOST_MEMORY:
 * no thread to be had; FORKED.
 */
TARN_API tarn_status tarn_channel_start(tarn_channel *channel, const tarn_receiver *receiver);

/* ---- looking */

/*
 * The statistics of an arena: X(name, "text").
 */
#define TARN_ARENA_STATS_LIST(X)                                                                   \
    X(capacity_bytes, "bytes of the arena")                                                        \
    X(live_parcels, "parcels alive: held here or at a peer")                                       \
    X(live_bytes, "bytes asked for in them")                                                       \
    X(peak_bytes, "highest live_bytes")                                                            \
    X(allocs, "allocations")                                                                       \
    X(frees, "parcels that returned to the arena")                                                 \
    X(waits, "allocations that had to wait")                                                       \
    X(refusals, "allocations that found no room in their time")                                    \
    X(recovered, "parcels that came back because a peer was gone")

typedef struct tarn_arena_stats {
    size_t struct_size;
#define TARN_ARENA_STATS_FIELD(name, text) uint64_t name;
    TARN_ARENA_STATS_LIST(TARN_ARENA_STATS_FIELD)
#undef TARN_ARENA_STATS_FIELD
} tarn_arena_stats;

/*
 * The statistics of one side of a channel: X(name, "text").
 */
#define TARN_CHANNEL_STATS_LIST(X)                                                                 \
    X(sends, "messages sent")                                                                      \
    X(sent_bytes, "bytes of parcels in them")                                                      \
    X(copies, "sends that had to copy their bytes into a parcel")                                  \
    X(copied_bytes, "bytes in them")                                                               \
    X(receives, "messages received")                                                               \
    X(received_bytes, "bytes of parcels in them")                                                  \
    X(queued, "messages sent that the peer has not taken up")                                      \
    X(in_flight, "parcels of ours at the peer")                                                    \
    X(held, "parcels of the peer held here")                                                       \
    X(send_waits, "sends that had to wait")                                                        \
    X(send_timeouts, "sends that waited in vain")                                                  \
    X(sleeps, "times that a call on this side went to sleep")                                      \
    X(wakes, "times that this side woke the peer")                                                 \
    X(peer_pid, "process on the other side")                                                       \
    X(gone, "0 while the peer is there; else the status of the end, negated")

typedef struct tarn_channel_stats {
    size_t struct_size;
#define TARN_CHANNEL_STATS_FIELD(name, text) uint64_t name;
    TARN_CHANNEL_STATS_LIST(TARN_CHANNEL_STATS_FIELD)
#undef TARN_CHANNEL_STATS_FIELD
} tarn_channel_stats;

/* Fills `stats` up to stats->struct_size, which the caller sets. Takes in first what peers have returned,
 * and notices a peer that is gone. BAD_ARGUMENT, BAD_STRUCT, FORKED. */
TARN_API tarn_status tarn_arena_query_stats(tarn_arena *arena, tarn_arena_stats *stats);
TARN_API tarn_status tarn_channel_query_stats(tarn_channel *channel, tarn_channel_stats *stats);

/*
 * Reads the statistics of any process from outside, through the descriptors it has open:
 * `path` is "/proc/PID/fd/N" of an arena's or a channel's memory, which the system shows as
 * "/memfd:tarn-arena-board" or "/memfd:tarn-channel-mailbox". Needs the right to look into that process
 * and nothing of its cooperation. The figures are a snapshot taken without a lock.
 * BAD_ARGUMENT: NULL, not such a file; BAD_STRUCT; NO_ACCESS: the system refuses; SYSTEM.
 */
TARN_API tarn_status tarn_arena_peek(const char *path, tarn_arena_stats *stats);
TARN_API tarn_status tarn_channel_peek(const char *path, tarn_channel_stats *stats);

/*
 * Walks and compares every record of an arena and its channels. CORRUPT names the first
 * contradiction. For tests: nothing else may be running on the arena.
 */
TARN_API tarn_status tarn_arena_verify(tarn_arena *arena);

#ifdef __cplusplus
}
#endif
#endif
