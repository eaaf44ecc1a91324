// SPDX-License-Identifier: Apache-2.0
// What travels to the other side: control bytes, which are copied, and a block. A packet is one on
// its way out, of one thread.
#ifndef TARN_COMPAT_HIAI_MESSAGE_H
#define TARN_COMPAT_HIAI_MESSAGE_H

#include "compat/hiai/face.h"

// The code of a message in the channel.
enum { TN_HIAI_SERIALIZED = 0, TN_HIAI_RAW = 1 };

#define TN_HIAI_SMALL 1024u

struct tn_hiai_packet {
    const char *name;
    const void *ctrl;
    uint32_t ctrl_len;
    uint32_t data_len; // 0 without data
    void *data;
    bool raw;
    void *large; // control bytes that did not fit into `small`
    _Alignas(16) char small[TN_HIAI_SMALL];
};

// Has a message serialized. On failure there is nothing to end. SEARFUNC_IS_NULL, DATA_SIZE_WRONG,
// MEMORY_EXHAUSTED, what the serializer answered.
HIAI_StatusT tn_hiai_packet_write(struct tn_hiai_packet *packet, const char *name, const void *msg);
void tn_hiai_packet_free(struct tn_hiai_packet *packet);

// What arrived, made a message by its deserializer, and who destroys it. NULL: there is none, or it
// rejects it.
void *tn_hiai_deserialize(const tarn_delivery *delivery, HIAIX_DestroyT *destroy, void **arg);

// The same of a raw one.
void *tn_hiai_raw_receive(const tarn_delivery *delivery, HIAIX_DestroyT *destroy);

// A raw message for this side: its data stays the sender's. NULL: no memory.
HIAIX_RawMessage *tn_hiai_raw_local(const struct tn_hiai_packet *packet, HIAIX_DestroyT *destroy);

#endif
