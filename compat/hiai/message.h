// SPDX-License-Identifier: Apache-2.0
// The form in which messages travel to the other side: control bytes, which are copied, and a
// block. A packet is an outgoing message, and belongs to one thread.
#ifndef TARN_COMPAT_HIAI_MESSAGE_H
#define TARN_COMPAT_HIAI_MESSAGE_H

#include <hiaiengine/hiaix_hooks.h>

#include "compat/hiai/face.h"

// The code of a message in the channel.
enum { TN_HIAI_FAST = 0, TN_HIAI_RAW = 1, TN_HIAI_COMMON = 2 };

#define TN_HIAI_SMALL 1024u

struct tn_hiai_packet {
    const char *name;
    const void *ctrl;
    uint32_t ctrl_len;
    uint32_t data_len; // 0 without data
    void *data;
    uint64_t code;
    void *large;                 // control bytes that do not fit into `small`, or NULL
    void *keep;                  // for `release`
    void (*release)(void *keep); // NULL: nothing to release
    _Alignas(16) char small[TN_HIAI_SMALL];
};

// Serializes a message. On failure there is nothing to free. Returns SEARFUNC_IS_NULL,
// DATA_SIZE_WRONG, MEMORY_EXHAUSTED, or the serializer's failure.
HIAI_StatusT tn_hiai_packet_write(struct tn_hiai_packet *packet, const char *name, const void *msg);
void tn_hiai_packet_free(struct tn_hiai_packet *packet);

// Makes a message of a delivery, with one owner. Returns false if no deserializer has the name, if
// it rejects the delivery, or if out of memory; the delivery's block is then freed.
bool tn_hiai_receive(const tarn_delivery *delivery, struct HIAIX_Message *message);

// Makes a raw message for a local engine. The sender keeps its data. Returns NULL if out of memory.
HIAIX_RawMessage *tn_hiai_raw_local(const struct tn_hiai_packet *packet, HIAIX_DestroyT *destroy);

#endif
