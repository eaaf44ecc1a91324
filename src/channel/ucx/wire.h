// SPDX-License-Identifier: Apache-2.0
// The messages between two links: one kind of active message each. A message is the header of the
// active message; only the bytes of parcels and of long control are its data. Both machines must be
// little-endian with the same sizes, which the hello verifies.
#ifndef TARN_CHANNEL_UCX_WIRE_H
#define TARN_CHANNEL_UCX_WIRE_H

#include "channel/mailbox.h"

#define TN_WIRE_MAGIC   UINT64_C(0x316b6e696c6e7474) // "ttnlink1"
#define TN_WIRE_VERSION 1u

enum tn_wire_kind {
    TN_WIRE_HELLO = 1, // first: version and sizes
    TN_WIRE_READY,     // the sender has accepted the hello, so the receiver may send
    TN_WIRE_MESSAGE,   // a message, with the bytes of its parcel as data
    TN_WIRE_CONTROL,   // long control bytes of a message, as data
    TN_WIRE_UPDATE,    // messages consumed, and credits
    TN_WIRE_CLOSE,     // the sender closes, and how many messages it has sent
    TN_WIRE_CLOSE_ACK, // the sender has received all of them
    TN_WIRE_END
};

struct tn_wire_hello {
    uint64_t magic;
    uint32_t version;
    uint32_t descriptor_bytes;
    uint32_t ports;
    uint32_t slots;
    uint32_t in_flight;
    int32_t pid;
    uint64_t largest; // parcel that the sender's arena can hold
};

// Sent up to the end of the text. The references in the descriptor are zero, because the receiver
// must not learn the addresses of the bytes.
struct tn_wire_message {
    uint64_t number;
    struct tn_descriptor descriptor;
};

struct tn_wire_control {
    uint64_t number;
};

struct tn_wire_grant {
    uint32_t port;
    uint32_t granted; // in total; wraps
};

// Sent up to the last grant.
#define TN_WIRE_GRANTS 60u
struct tn_wire_update {
    uint64_t consumed;
    uint64_t grants;
    struct tn_wire_grant grant[TN_WIRE_GRANTS];
};

struct tn_wire_close {
    uint64_t sent;
};

// Data of this size or more stays at the sender until the receiver has a parcel for it.
#define TN_WIRE_RENDEZVOUS 65536u

#endif
