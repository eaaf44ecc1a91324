/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tarn/channel.h
 * Large blocks, handed from one process to another without a copy.
 *
 * This header may change in every release, and tarn/tarn.h does not include it (docs/versions.md).
 *
 * An *arena* is shared memory of this process. A *parcel* is a block of it. A *channel* is a
 * connection to one peer process. Each side maps the other's arena, so a send moves a descriptor of
 * some hundred bytes and never the payload. The receiver reads the parcel where the sender wrote it
 * and frees it. The free travels back, and the sender's arena has the room again.
 *
 * **Other machines.** An address "ucx://HOST:PORT" names a peer on another machine: UCX carries the
 * channel, over RDMA where the network supports it and over TCP otherwise. The calls are the same.
 * Because memory is not shared, three things differ. The bytes of a message are copied into a
 * parcel of the receiver's own arena, which the receiver owns (OWNED, AUTO) and may send to any
 * peer. The sender's parcel returns, or belongs to the sender alone again, as soon as its bytes
 * have been read, whatever the receiver does. The bytes stay at the sender while the receiver's
 * arena has no room. Credits and returns take network time. One thread of this process serves all
 * such channels.
 *
 * **Trust.** Only the owner of an arena allocates in it, and its records are private memory.
 * Everything that a peer can write (payload, descriptors, returns) is copied before it is checked,
 * and checked before it is used. A peer that breaks the protocol loses its channel, and this
 * process continues. A peer may still write into a parcel that it has received: payload is as
 * trustworthy as the peer.
 *
 * **The end of a peer.** When a peer is killed or closes, every parcel of this process that it held
 * returns to the arena at once. Messages that it had sent before can still be received and read.
 *
 * **Waiting.** Timeouts are relative, in nanoseconds: 0 does not wait, TARN_FOREVER has no
 * deadline. Only tarn_channel_start() and UCX create threads. Without them, the calls that wait do
 * the work, and the next call that waits or queries notices the death of a peer. A thread that is
 * cancelled while it waits (pthread_cancel()) finishes its call; see base.h.
 *
 * **Threads and fork().** Every function may be called from any thread. An arena and everything
 * that belongs to it stay with the process that created it. In a child of fork() every call returns
 * TARN_FORKED, and the child has no descriptor of a channel.
 */
#ifndef TARN_CHANNEL_H
#define TARN_CHANNEL_H

#include <tarn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- arenas */

/** Shared memory for parcels. */
typedef struct tarn_arena tarn_arena;

/** The description of a new arena. */
typedef struct tarn_arena_desc {
    size_t struct_size; /**< set by the caller: TARN_INIT(tarn_arena_desc) */
    /** Bytes of address space, rounded up to 2 MiB, at most 1 TiB. Zero selects the default, 1 GiB.
     * Pages are allocated when they are first touched, so a large arena costs nothing by itself. */
    uint64_t bytes;
    /** Largest parcel in bytes. Zero selects the default: 256 MiB, or a smaller arena's size. */
    uint64_t largest;
    /** Bytes from the start whose pages are allocated now, here and in each peer, so that no
     * message pays for them. More than `bytes` means all of them. */
    uint64_t prefault;
    uint32_t flags; /**< TARN_ARENA_HUGE, or 0 */
} tarn_arena_desc;

/** Bits of tarn_arena_desc.flags. */
enum {
    /** Requests pages of 2 MiB. Has no effect on a system without them. */
    TARN_ARENA_HUGE = 1u << 0
};

/**
 * Creates an arena.
 *
 * @param desc  the description
 * @param arena the new arena; tarn_arena_destroy() frees it
 * @retval TARN_BAD_ARGUMENT     a pointer is NULL, bytes exceeds 1 TiB, largest exceeds bytes, or
 *                               flags has unknown bits
 * @retval TARN_BAD_STRUCT       desc->struct_size is unknown
 * @retval TARN_NO_HOST_MEMORY   out of host memory, or of memory for the pages to prefault
 * @retval TARN_NO_HANDLES       out of file descriptors
 * @retval TARN_NO_ADDRESS_SPACE out of address space
 * @retval TARN_SYSTEM           the system refused for another reason
 */
TARN_API tarn_status tarn_arena_create(const tarn_arena_desc *desc, tarn_arena **arena);

/**
 * Destroys an arena. No other call on it may be running.
 *
 * @param arena the arena, or NULL
 * @retval TARN_BUSY   parcels are live, channels are open, or received parcels are still held:
 *                     nothing has changed
 * @retval TARN_FORKED the arena belongs to the parent process
 */
TARN_API tarn_status tarn_arena_destroy(tarn_arena *arena);

/* ---- parcels */

/** The effect of a send on the sender's right to a parcel. */
typedef enum tarn_parcel_policy {
    /** A send transfers the parcel. The sender keeps no right to it, and the bytes return to the
     * arena when the receiver frees the parcel. */
    TARN_PARCEL_AUTO = 0,
    /** A send shares the parcel. The sender may read it, must not write it, may send it again, and
     * frees it once, before or after the receiver does. */
    TARN_PARCEL_MANUAL = 1
} tarn_parcel_policy;

/** The description of a new parcel. */
typedef struct tarn_parcel_request {
    size_t struct_size;  /**< set by the caller: TARN_INIT(tarn_parcel_request) */
    uint64_t bytes;      /**< 1 to the arena's largest */
    uint64_t timeout_ns; /**< how long to wait for room */
    uint32_t policy;     /**< a tarn_parcel_policy: the effect of a send */
    uint32_t tag;        /**< a number of the caller's, returned by queries */
} tarn_parcel_request;

/**
 * Allocates a parcel of policy AUTO.
 *
 * The parcel starts at a multiple of 4096, and of 2 MiB if it has 2 MiB or more. Its contents are
 * undefined. The caller owns it until it sends or frees it. Without room the call waits until
 * parcels are freed, here or by a peer. Waiting requests are served in order: a small request does
 * not overtake a large one.
 *
 * @param arena      the arena
 * @param bytes      1 to the arena's largest
 * @param timeout_ns how long to wait for room
 * @param parcel     the start of the parcel
 * @retval TARN_BAD_ARGUMENT     a pointer is NULL, or bytes is 0 or above the arena's largest
 * @retval TARN_NO_DEVICE_MEMORY no room within the time; the text names the size and the free room
 * @retval TARN_NO_HOST_MEMORY   out of host memory for the records
 * @retval TARN_FORKED           the arena belongs to the parent process
 */
TARN_API tarn_status tarn_parcel_alloc(tarn_arena *arena, uint64_t bytes, uint64_t timeout_ns,
                                       void **parcel);

/**
 * Allocates a parcel by a description; otherwise like tarn_parcel_alloc().
 *
 * @param arena   the arena
 * @param request the description
 * @param parcel  the start of the parcel
 * @retval TARN_BAD_ARGUMENT     as for tarn_parcel_alloc(), or the policy is unknown
 * @retval TARN_BAD_STRUCT       request->struct_size is unknown
 * @retval TARN_NO_DEVICE_MEMORY as for tarn_parcel_alloc()
 * @retval TARN_NO_HOST_MEMORY   as for tarn_parcel_alloc()
 * @retval TARN_FORKED           as for tarn_parcel_alloc()
 */
TARN_API tarn_status tarn_parcel_alloc_with(tarn_arena *arena, const tarn_parcel_request *request,
                                            void **parcel);

/**
 * Ends one hold on a parcel that was allocated from the arena or received over one of its channels.
 * The end of the last hold frees the parcel; a received parcel returns to its owner. Never waits.
 *
 * @param arena  the arena
 * @param parcel the start of the parcel, or NULL
 * @retval TARN_BAD_ARGUMENT arena is NULL
 * @retval TARN_BAD_ADDRESS  this process has no hold on a parcel that starts there: it was never
 *                           allocated, it was freed or handed over, or the address lies inside a
 *                           parcel (tarn_parcel_query() distinguishes these)
 * @retval TARN_FORKED       the arena belongs to the parent process
 */
TARN_API tarn_status tarn_parcel_free(tarn_arena *arena, void *parcel);

/**
 * Adds a hold: the parcel then takes one more free. It lets several readers in one process share a
 * parcel that was received once.
 *
 * @param arena  the arena
 * @param parcel the start of the parcel
 * @retval TARN_BAD_ARGUMENT arena is NULL
 * @retval TARN_BAD_ADDRESS  as for tarn_parcel_free()
 * @retval TARN_BUSY         the parcel has 65535 holds already
 * @retval TARN_FORKED       the arena belongs to the parent process
 */
TARN_API tarn_status tarn_parcel_hold(tarn_arena *arena, void *parcel);

/** The holders of a parcel, as this process sees them. */
typedef enum tarn_parcel_state {
    TARN_PARCEL_OWNED = 1,   /**< of this arena, held only here: read and write */
    TARN_PARCEL_SHARED = 2,  /**< of this arena, held here and by a peer: read only */
    TARN_PARCEL_SENT = 3,    /**< of this arena, held only by a peer: do not touch */
    TARN_PARCEL_RECEIVED = 4 /**< of a peer's arena, held here */
} tarn_parcel_state;

/** The answer to tarn_parcel_query(). */
typedef struct tarn_parcel_info {
    size_t struct_size; /**< set by the caller: TARN_INIT(tarn_parcel_info) */
    uint32_t state;     /**< a tarn_parcel_state: its holders */
    uint32_t policy; /**< a tarn_parcel_policy: of a received parcel: as its owner allocated it */
    void *start;     /**< first byte */
    uint64_t bytes;  /**< as allocated */
    uint32_t tag;    /**< 0 for a received parcel */
    uint32_t holds;  /**< of this process: the number of frees that the parcel takes */
    uint32_t peer_holds; /**< sends that have not returned; 0 for a received parcel */
} tarn_parcel_info;

/**
 * Describes the parcel that contains an address.
 *
 * @param arena   the arena
 * @param address any address in the parcel
 * @param info    filled up to info->struct_size, which the caller sets
 * @retval TARN_BAD_ARGUMENT a pointer is NULL
 * @retval TARN_BAD_STRUCT   info->struct_size is unknown
 * @retval TARN_BAD_ADDRESS  no parcel of the arena, or received by it, contains the address
 * @retval TARN_FORKED       the arena belongs to the parent process
 */
TARN_API tarn_status tarn_parcel_query(tarn_arena *arena, const void *address,
                                       tarn_parcel_info *info);

/* ---- channels */

/** A connection to one peer. */
typedef struct tarn_channel tarn_channel;

/** An address that peers connect to. */
typedef struct tarn_listener tarn_listener;

/** The description of one side of a channel. */
typedef struct tarn_channel_desc {
    size_t struct_size; /**< set by the caller: TARN_INIT(tarn_channel_desc) */
    tarn_arena *arena;  /**< whose parcels this side sends; several channels may share an arena */
    uint32_t ports;     /**< this side has ports 0 to ports - 1; 0 selects 64; at most 65536 */
    /** Messages to the peer that it has not received yet, rounded up to a power of two. Zero
     * selects the default, 1024; at most 65536. */
    uint32_t slots;
    /** Parcels sent over the channel that the peer may hold, rounded up to a power of two. Zero
     * selects the default, 4096; at most 65536. */
    uint32_t in_flight;
    /** How long a waiting call spins before it sleeps. Zero selects the default: up to 30000, while
     * recent waits were short enough to make it worthwhile, and 0 on a machine with one CPU. */
    uint32_t spin_ns;
    uint32_t flags; /**< TARN_CHANNEL_ bits */
} tarn_channel_desc;

/** Bits of tarn_channel_desc.flags. */
enum {
    /** Accepts a peer that runs as another user. Channels over UCX need it, because a peer cannot
     * prove its user over a network. */
    TARN_CHANNEL_ANY_USER = 1u << 0,
    /** Sleeps without spinning, for any value of spin_ns. */
    TARN_CHANNEL_NO_SPIN = 1u << 1
};

/**
 * Creates an address that peers connect to.
 *
 * @param address  "@name": a name without a file. "ucx://HOST:PORT": a port of the network, where
 *                 HOST is a name, an IPv4 address, or an IPv6 address in brackets, and 0.0.0.0
 *                 means all addresses of this machine; a name is looked up without a time limit.
 *                 Any other text: the path of a socket file, which must not exist; the listener
 *                 removes it when it closes. At most 107 bytes; HOST at most 255.
 * @param listener the new listener; tarn_listener_close() frees it
 * @retval TARN_BAD_ARGUMENT   a pointer is NULL, or the address is empty, too long, or has an
 *                             unknown host or a port outside 1 to 65535
 * @retval TARN_BUSY           the address is in use, or, over UCX, was within the last minute
 *                             (docs/channel.md describes a remedy)
 * @retval TARN_UNSUPPORTED    over UCX: the library was built without it, libucp.so.0 or
 *                             /sys/class/net is missing, or the parent of this process used it
 * @retval TARN_NO_HOST_MEMORY out of host memory
 * @retval TARN_NO_HANDLES     out of file descriptors
 * @retval TARN_SYSTEM         the system refused for another reason
 */
TARN_API tarn_status tarn_channel_listen(const char *address, tarn_listener **listener);

/**
 * Closes a listener. Channels that it has accepted stay open. No accept may be running.
 *
 * @param listener the listener, or NULL
 */
TARN_API void tarn_listener_close(tarn_listener *listener);

/**
 * Waits for a peer and opens the channel to it. After a failure that the peer caused, the next peer
 * can be accepted.
 *
 * The call serves all peers that have connected concurrently, so a peer that sends nothing delays no
 * other. Connections of other users are closed at once, unless TARN_CHANNEL_ANY_USER allows them,
 * and are not reported. A peer has 5 seconds for its handshake. A handshake that is not complete
 * when the call returns continues in the next call with the same description.
 *
 * @param listener   the listener
 * @param desc       the description of this side
 * @param timeout_ns how long to wait for a peer and its handshake
 * @param channel    the new channel; tarn_channel_close() frees it
 * @retval TARN_BAD_ARGUMENT     a pointer is NULL, desc->arena is NULL, a number is out of range,
 *                               or flags has unknown bits
 * @retval TARN_BAD_STRUCT       desc->struct_size is unknown
 * @retval TARN_TIMED_OUT        no peer connected and finished the handshake in time
 * @retval TARN_NO_ACCESS        the peer claims to run as another user, or, over UCX,
 *                               TARN_CHANNEL_ANY_USER is missing
 * @retval TARN_UNSUPPORTED      the peer uses another version of the protocol
 * @retval TARN_PEER_GONE        the peer went away during the handshake
 * @retval TARN_CORRUPT          the peer's memory is not sealed, or it broke the protocol
 * @retval TARN_NO_HOST_MEMORY   out of host memory
 * @retval TARN_NO_ADDRESS_SPACE out of address space
 * @retval TARN_NO_HANDLES       out of file descriptors
 * @retval TARN_SYSTEM           the system refused for another reason
 * @retval TARN_FORKED           the listener or the arena belongs to the parent process
 */
TARN_API tarn_status tarn_channel_accept(tarn_listener *listener, const tarn_channel_desc *desc,
                                         uint64_t timeout_ns, tarn_channel **channel);

/**
 * Connects to a listener. Until the time is over, the call tries again while no process listens.
 * Also returns the statuses of tarn_channel_accept(), of which NO_ACCESS also means that the
 * listener runs as another user.
 *
 * @param address    as for tarn_channel_listen()
 * @param desc       the description of this side
 * @param timeout_ns how long to try, and to wait for the peer
 * @param channel    the new channel; tarn_channel_close() frees it
 * @retval TARN_BAD_ARGUMENT as for tarn_channel_listen() and tarn_channel_accept()
 * @retval TARN_TIMED_OUT    no process listened, or none accepted, in time
 */
TARN_API tarn_status tarn_channel_connect(const char *address, const tarn_channel_desc *desc,
                                          uint64_t timeout_ns, tarn_channel **channel);

/**
 * Opens a channel over a connected local socket of type SEQPACKET, for example one end of a
 * socketpair(). The other end must do the same. Also returns the statuses of tarn_channel_accept(),
 * of which NO_ACCESS also means that the peer runs as another user. The handshake has 5 seconds, also
 * with a longer timeout.
 *
 * @param socket     the socket; the channel owns it if the call succeeds, and only then
 * @param desc       the description of this side
 * @param timeout_ns how long to wait for the peer
 * @param channel    the new channel; tarn_channel_close() frees it
 * @retval TARN_BAD_ARGUMENT as for tarn_channel_accept(), or socket is not such a socket
 */
TARN_API tarn_status tarn_channel_attach(int socket, const tarn_channel_desc *desc,
                                         uint64_t timeout_ns, tarn_channel **channel);

/**
 * Closes a channel. No other call on it may be running.
 *
 * To the peer, a close looks like the death of this process. The parcels that the peer holds return
 * to the arena now, although the peer may still be reading them. To wait for them first, call
 * tarn_channel_flush(). Parcels received from the peer stay readable until they are freed.
 * Deliveries end. The thread of tarn_channel_start() stops. Over UCX the call first waits until the
 * peer has every message. After one second without progress it gives up and loses the remaining
 * messages. exit() does the same for open channels over UCX.
 *
 * @param channel the channel, or NULL
 * @retval TARN_BUSY   the call is made from the channel's own callback
 * @retval TARN_FORKED the channel belongs to the parent process
 */
TARN_API tarn_status tarn_channel_close(tarn_channel *channel);

/* ---- ports and credits */

/** Bits for tarn_channel_open_port(). */
enum {
    /** Only tarn_channel_grant() grants the port's credits again; the end of a delivery does not.
     * */
    TARN_PORT_MANUAL_CREDIT = 1u << 0
};

/**
 * Opens a port for receiving. The peer may have sent up to `depth` messages to the port that are
 * not done here. Each uses one credit. A sender without a credit waits; other ports are not
 * affected.
 *
 * @param channel the channel
 * @param port    0 to desc.ports - 1
 * @param depth   1 to 65536
 * @param flags   TARN_PORT_MANUAL_CREDIT, or 0
 * @retval TARN_BAD_ARGUMENT channel is NULL, or a number or flag is out of range
 * @retval TARN_BUSY         the port is open already
 * @retval TARN_FORKED       the channel belongs to the parent process
 */
TARN_API tarn_status tarn_channel_open_port(tarn_channel *channel, uint32_t port, uint32_t depth,
                                            uint32_t flags);

/**
 * Grants credits of a port with TARN_PORT_MANUAL_CREDIT to the peer again.
 *
 * @param channel the channel
 * @param port    the port
 * @param count   the number of credits
 * @retval TARN_BAD_ARGUMENT channel is NULL, the port is not open or grants its credits by itself,
 *                           or messages have used fewer credits than count
 * @retval TARN_FORKED       the channel belongs to the parent process
 */
TARN_API tarn_status tarn_channel_grant(tarn_channel *channel, uint32_t port, uint32_t count);

/* ---- sending */

/** Longest name of a message, in bytes. */
#define TARN_MESSAGE_NAME_MAX 63u
/** Maximum number of control bytes of a message. More than some hundred bytes travel in a separate
    parcel. */
#define TARN_MESSAGE_CONTROL_MAX (UINT64_C(16) << 20)

/** A message to send. */
typedef struct tarn_message {
    size_t struct_size;     /**< set by the caller: TARN_INIT(tarn_message) */
    uint32_t port;          /**< of the peer */
    uint32_t flags;         /**< TARN_MESSAGE_COPY, or 0 */
    uint64_t code;          /**< any number; the receiver gets it unchanged */
    const char *name;       /**< any text of at most TARN_MESSAGE_NAME_MAX bytes; NULL means "" */
    const void *control;    /**< bytes that are copied; NULL means none */
    uint64_t control_bytes; /**< at most TARN_MESSAGE_CONTROL_MAX */
    void *parcel;   /**< the start of a parcel, own or received from this peer; NULL means none */
    uint64_t bytes; /**< length of the payload, from the parcel's start; ignored without a parcel */
} tarn_message;

/** Bits of tarn_message.flags. */
enum {
    /** `parcel` may be any memory, or a parcel received from another peer. Its bytes are copied
     * into a new parcel, and it stays the caller's. */
    TARN_MESSAGE_COPY = 1u << 0
};

/**
 * Sends a message. Messages of one thread to one port arrive in order.
 *
 * If the call succeeds, the peer has the parcel (AUTO) or shares it (MANUAL); a received parcel
 * that is sent to its owner belongs to the owner again, without a copy. If the call fails, no
 * ownership has changed, and the same parcel can be sent again or freed. Control bytes and name are
 * copied before the call returns.
 *
 * @param channel    the channel
 * @param message    the message
 * @param timeout_ns limit of the whole wait: for a credit of the port, a slot, and room to copy
 * @retval TARN_BAD_ARGUMENT     a pointer is NULL, the peer has no such port, name or control bytes
 *                               are too long, bytes is 0 or above the parcel's size (over UCX also:
 *                               above the largest parcel of the peer's arena), or flags has unknown
 *                               bits
 * @retval TARN_BAD_STRUCT       message->struct_size is unknown
 * @retval TARN_BAD_ADDRESS      `parcel` is not the start of a parcel that this process holds (it
 *                               was freed or handed over, or the address lies inside one) and is
 *                               not to be copied, or it lies inside a parcel and is to be copied
 * @retval TARN_UNSUPPORTED      the parcel belongs to a third process and is not to be copied
 * @retval TARN_BUSY             a received parcel would return to its owner, but this process has
 *                               further holds on it
 * @retval TARN_TIMED_OUT        no credit or no slot within the time; a port that the peer has not
 *                               opened has no credits
 * @retval TARN_NO_DEVICE_MEMORY no room to copy within the time
 * @retval TARN_NO_HOST_MEMORY   out of host memory
 * @retval TARN_PEER_GONE        the peer died, closed, or lost its channel; the text says which
 * @retval TARN_FORKED           the channel belongs to the parent process
 */
TARN_API tarn_status tarn_channel_send(tarn_channel *channel, const tarn_message *message,
                                       uint64_t timeout_ns);

/**
 * Waits until the peer has received every message and holds no parcel that was sent over this
 * channel. Call it before a close that must lose nothing. Over UCX the peer does not hold a parcel
 * once its bytes have arrived.
 *
 * @param channel    the channel
 * @param timeout_ns how long to wait
 * @retval TARN_BAD_ARGUMENT channel is NULL
 * @retval TARN_TIMED_OUT    the peer has not received or returned everything in time
 * @retval TARN_PEER_GONE    the peer died, closed, or lost its channel
 * @retval TARN_FORKED       the channel belongs to the parent process
 */
TARN_API tarn_status tarn_channel_flush(tarn_channel *channel, uint64_t timeout_ns);

/* ---- receiving */

/** A message that has arrived. Everything except the parcel's bytes is memory of this process that
 * does not change. */
typedef struct tarn_delivery {
    uint32_t port;          /**< that it was sent to */
    uint32_t zero;          /**< 0; no meaning yet */
    uint64_t code;          /**< as sent */
    const char *name;       /**< never NULL */
    const void *control;    /**< aligned to 8 bytes at least; NULL if control_bytes is 0 */
    uint64_t control_bytes; /**< length of control */
    void *parcel;   /**< has one more hold, until tarn_parcel_free() or a send; NULL means none */
    uint64_t bytes; /**< length of the payload; 0 without a parcel */
} tarn_delivery;

/**
 * Receives the next message of any port, in the order of arrival. The delivery belongs to the
 * caller until tarn_channel_done(). The parcel in it belongs to the caller until it is freed or
 * sent.
 *
 * @param channel    the channel
 * @param timeout_ns how long to wait
 * @param delivery   the delivery
 * @retval TARN_BAD_ARGUMENT   a pointer is NULL
 * @retval TARN_TIMED_OUT      no message within the time
 * @retval TARN_BUSY           the thread of tarn_channel_start() receives
 * @retval TARN_PEER_GONE      the peer is gone, and everything that it sent was received
 * @retval TARN_CORRUPT        the peer broke the protocol, and the channel was closed; returned
 *                             once, then PEER_GONE
 * @retval TARN_NO_HOST_MEMORY out of host memory: the message can be received later
 * @retval TARN_FORKED         the channel belongs to the parent process
 */
TARN_API tarn_status tarn_channel_receive(tarn_channel *channel, uint64_t timeout_ns,
                                          const tarn_delivery **delivery);

/**
 * Ends a delivery. Its name and control bytes become invalid, and the peer gets the credit again
 * unless the port has TARN_PORT_MANUAL_CREDIT. The parcel is not freed.
 *
 * @param channel  the channel
 * @param delivery the delivery
 * @retval TARN_BAD_ARGUMENT a pointer is NULL, or the delivery is done already
 * @retval TARN_FORKED       the channel belongs to the parent process
 */
TARN_API tarn_status tarn_channel_done(tarn_channel *channel, const tarn_delivery *delivery);

/** The callbacks of a channel's own thread. They are called without any lock held. Either may be
 * NULL. */
typedef struct tarn_receiver {
    size_t struct_size; /**< set by the caller: TARN_INIT(tarn_receiver) */
    /** Called for every message, in order. The delivery is done when it returns, or by a
     * tarn_channel_done() within. It may send, allocate and free; while it waits, no further message
     * is received. */
    void (*on_message)(tarn_channel *channel, const tarn_delivery *delivery, void *arg);
    /** Called once, after the last message, when the peer is gone. The reason is TARN_PEER_GONE, or
     * TARN_CORRUPT if the peer broke the protocol. Not called for a tarn_channel_close() of this
     * side. */
    void (*on_end)(tarn_channel *channel, tarn_status reason, void *arg);
    void *arg; /**< passed to both */
} tarn_receiver;

/**
 * Starts a thread that receives. Without on_message it only watches: messages are left to
 * tarn_channel_receive(), and on_end does not wait for them. Messages that arrived before are not
 * lost.
 *
 * @param channel  the channel
 * @param receiver the callbacks
 * @retval TARN_BAD_ARGUMENT   a pointer is NULL, or both callbacks are NULL
 * @retval TARN_BAD_STRUCT     receiver->struct_size is unknown
 * @retval TARN_BUSY           the channel has a thread already
 * @retval TARN_NO_HOST_MEMORY the thread cannot be created
 * @retval TARN_FORKED         the channel belongs to the parent process
 */
TARN_API tarn_status tarn_channel_start(tarn_channel *channel, const tarn_receiver *receiver);

/* ---- statistics */

/** The statistics of an arena: X(name, "text"). */
#define TARN_ARENA_STATS_LIST(X)                                                                   \
    X(capacity_bytes, "bytes of the arena")                                                        \
    X(live_parcels, "parcels alive: held here or by a peer")                                       \
    X(live_bytes, "bytes requested for them")                                                      \
    X(peak_bytes, "highest live_bytes")                                                            \
    X(allocs, "allocations")                                                                       \
    X(frees, "parcels that returned to the arena")                                                 \
    X(waits, "allocations that had to wait")                                                       \
    X(refusals, "allocations that found no room in their time")                                    \
    X(recovered, "parcels that returned because a peer was gone")

/** The statistics of an arena, one field for each entry of TARN_ARENA_STATS_LIST. */
typedef struct tarn_arena_stats {
    size_t struct_size; /**< set by the caller: TARN_INIT(tarn_arena_stats) */
    /** @cond */
#define TARN_ARENA_STATS_FIELD(name, text) uint64_t name;
    TARN_ARENA_STATS_LIST(TARN_ARENA_STATS_FIELD)
#undef TARN_ARENA_STATS_FIELD
    /** @endcond */
} tarn_arena_stats;

/** The statistics of one side of a channel: X(name, "text"). */
#define TARN_CHANNEL_STATS_LIST(X)                                                                 \
    X(sends, "messages sent")                                                                      \
    X(sent_bytes, "bytes of parcels in them")                                                      \
    X(copies, "sends that had to copy their bytes into a parcel")                                  \
    X(copied_bytes, "bytes in them")                                                               \
    X(receives, "messages received")                                                               \
    X(received_bytes, "bytes of parcels in them")                                                  \
    X(queued, "messages sent that the peer has not received")                                      \
    X(in_flight, "parcels of this side that the peer holds")                                       \
    X(held, "parcels of the peer that are held here")                                              \
    X(send_waits, "sends that had to wait")                                                        \
    X(send_timeouts, "sends that waited in vain")                                                  \
    X(sleeps, "times that a call on this side slept")                                              \
    X(wakes, "times that this side woke the peer")                                                 \
    X(peer_pid, "process on the other side")                                                       \
    X(gone, "0 while the channel is open; otherwise the status of its end, negated")

/** The statistics of one side of a channel, one field for each entry of TARN_CHANNEL_STATS_LIST. */
typedef struct tarn_channel_stats {
    size_t struct_size; /**< set by the caller: TARN_INIT(tarn_channel_stats) */
    /** @cond */
#define TARN_CHANNEL_STATS_FIELD(name, text) uint64_t name;
    TARN_CHANNEL_STATS_LIST(TARN_CHANNEL_STATS_FIELD)
#undef TARN_CHANNEL_STATS_FIELD
    /** @endcond */
} tarn_channel_stats;

/**
 * Returns the statistics of an arena. First collects the parcels that peers have returned, and
 * detects peers that are gone.
 *
 * @param arena the arena
 * @param stats filled up to stats->struct_size, which the caller sets
 * @retval TARN_BAD_ARGUMENT a pointer is NULL
 * @retval TARN_BAD_STRUCT   stats->struct_size is unknown
 * @retval TARN_FORKED       the arena belongs to the parent process
 */
TARN_API tarn_status tarn_arena_query_stats(tarn_arena *arena, tarn_arena_stats *stats);

/**
 * Returns the statistics of this side of a channel; otherwise like tarn_arena_query_stats().
 *
 * @param channel the channel
 * @param stats   filled up to stats->struct_size, which the caller sets
 * @retval TARN_BAD_ARGUMENT a pointer is NULL
 * @retval TARN_BAD_STRUCT   stats->struct_size is unknown
 * @retval TARN_FORKED       the channel belongs to the parent process
 */
TARN_API tarn_status tarn_channel_query_stats(tarn_channel *channel, tarn_channel_stats *stats);

/**
 * Reads the statistics of an arena of any process through its open descriptors. The process need
 * not cooperate, but the caller needs the right to open its descriptors. The values are a snapshot
 * taken without a lock.
 *
 * @param path  "/proc/PID/fd/N", where the link leads to "/memfd:tarn-arena-board"
 * @param stats filled up to stats->struct_size, which the caller sets
 * @retval TARN_BAD_ARGUMENT a pointer is NULL, or path is not such a file
 * @retval TARN_BAD_STRUCT   stats->struct_size is unknown
 * @retval TARN_NO_ACCESS    the system refuses access
 * @retval TARN_SYSTEM       the file cannot be opened for another reason
 */
TARN_API tarn_status tarn_arena_peek(const char *path, tarn_arena_stats *stats);

/**
 * Reads the statistics of one side of a channel of any process; otherwise like tarn_arena_peek().
 *
 * @param path  "/proc/PID/fd/N", where the link leads to "/memfd:tarn-channel-mailbox"
 * @param stats filled up to stats->struct_size, which the caller sets
 * @retval TARN_BAD_ARGUMENT a pointer is NULL, or path is not such a file
 * @retval TARN_BAD_STRUCT   stats->struct_size is unknown
 * @retval TARN_NO_ACCESS    the system refuses access
 * @retval TARN_SYSTEM       the file cannot be opened for another reason
 */
TARN_API tarn_status tarn_channel_peek(const char *path, tarn_channel_stats *stats);

/**
 * Compares every record of an arena and its channels. For tests: no other call may be running on
 * the arena.
 *
 * @param arena the arena
 * @retval TARN_BAD_ARGUMENT arena is NULL
 * @retval TARN_CORRUPT      the records contradict each other; the text names the first place
 * @retval TARN_FORKED       the arena belongs to the parent process
 */
TARN_API tarn_status tarn_arena_verify(tarn_arena *arena);

#ifdef __cplusplus
}
#endif
#endif
