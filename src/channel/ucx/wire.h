// SPDX-License-Identifier: Apache-2.0
// What two links say to each other: one kind of active message each. All of it lies in the header
// of the message but the bytes of parcels and of long control, which are its data. Both sides are
// little-endian machines with the same sizes; the hello finds out.
#ifndef TARN_CHANNEL_UCX_WIRE_H
#define TARN_CHANNEL_UCX_WIRE_H

#include "channel/mailbox.h"

#define TN_WIRE_MAGIC   UINT64_C(0x316b6e696c6e7474) // "ttnlink1"
#define TN_WIRE_VERSION 1u

enum tn_wire_kind {
    TN_WIRE_HELLO = 1, // first: who I am
    TN_WIRE_READY,     // I took your hello and have made my side: send
    TN_WIRE_MESSAGE,   // a message, with the bytes of its parcel as data
    TN_WIRE_CONTROL,   // long control bytes of a message, as data
    TN_WIRE_UPDATE,    // what I have taken up, and credits
    TN_WIRE_CLOSE,     // I close; these were my last messages
    TN_WIRE_CLOSE_ACK, // all of them are here
    TN_WIRE_END
};

struct tn_wire_hello {
    uint64_t magic;
    uint32_t version;
    uint32_t slot_bytes;
    uint32_t ports;
    uint32_t slots;
    uint32_t in_flight;
    int32_t pid;
    uint64_t largest; // parcel that the sender's arena can have
};

// Cut off behind the text. The references in the slot are zero: where the bytes lay is nobody
// else's business.
struct tn_wire_message {
    uint64_t number;
    struct tn_descriptor slot;
};

struct tn_wire_control {
    uint64_t number;
};

struct tn_wire_grant {
    uint32_t port;
    uint32_t granted; // ever; wraps
};

// Cut off behind the last grant.
#define TN_WIRE_GRANTS 60u
struct tn_wire_update {
    uint64_t consumed;
    uint64_t grants;
    struct tn_wire_grant grant[TN_WIRE_GRANTS];
};

struct tn_wire_close {
    uint64_t sent;
};

// From here on data waits at the sender until the receiver has a parcel for it.
#define TN_WIRE_RENDEZVOUS 65536u

#endif
