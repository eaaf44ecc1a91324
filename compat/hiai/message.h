// SPDX-License-Identifier: Apache-2.0
// The form in which messages travel to the other side: control bytes, which are copied, and a
// block. A packet is an outgoing message, and belongs to one thread.
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
    void *large; // control bytes that do not fit into `small`, or NULL
    _Alignas(16) char small[TN_HIAI_SMALL];
};

// Serializes a message. On failure there is nothing to free. Returns SEARFUNC_IS_NULL,
// DATA_SIZE_WRONG, MEMORY_EXHAUSTED, or the serializer's failure.
HIAI_StatusT tn_hiai_packet_write(struct tn_hiai_packet *packet, const char *name, const void *msg);
void tn_hiai_packet_free(struct tn_hiai_packet *packet);

// Deserializes a delivery. Sets the function that destroys the message, and its argument. Returns
// NULL if no deserializer has the name, or if it rejects the delivery.
void *tn_hiai_deserialize(const tarn_delivery *delivery, HIAIX_DestroyT *destroy, void **arg);

// Makes a raw message of a delivery. Returns NULL if out of memory.
void *tn_hiai_raw_receive(const tarn_delivery *delivery, HIAIX_DestroyT *destroy);

// Makes a raw message for a local engine. The sender keeps its data. Returns NULL if out of memory.
HIAIX_RawMessage *tn_hiai_raw_local(const struct tn_hiai_packet *packet, HIAIX_DestroyT *destroy);

#endif
