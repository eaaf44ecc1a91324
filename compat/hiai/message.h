// SPDX-License-Identifier: Apache-2.0
// The form in which messages travel to the other side: control bytes, which are copied, and a
// block. A packet is an outgoing message, and belongs to one thread.
#pragma once

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

// ---- managed messages

// Managed messages, which their last user destroys. They are looked up by their address, because
// engines pass on nothing else. A message that is not managed belongs to the program. One lock is
// held during a look-up; messages are destroyed without it.

// Manages a new message for the caller, who gets one reference. If the thread that made the message
// has just called HIAIX_Adopt(), the caller gets that reference. If the message is managed for
// another reason, the caller gets one more. Returns false if out of memory.
bool tn_hiai_object_manage(void *msg, HIAIX_DestroyT destroy, void *arg);

// Adds a reference. Returns false if the message is not managed.
bool tn_hiai_object_ref(void *msg);

// The owner of a managed message is its address.
extern const struct HIAIX_OwnerOps tn_hiai_object_ops;

// Makes *copy share the message: with a copy of its owner, with a reference if it is managed, else
// without an owner. Returns false if out of memory.
bool tn_hiai_share(const struct HIAIX_Message *message, struct HIAIX_Message *copy);
// Ends a share.
void tn_hiai_unshare(struct HIAIX_Message *message);

// Drops a reference. Returns false if the message is not managed.
bool tn_hiai_object_unref(void *msg);

// ---- registered types

// The message types and engine types that programs register by name, for the whole process. One
// lock is held during a look-up, which returns a copy.

struct tn_hiai_message_type {
    HIAIX_SerializeT serialize; // NULL: `hooks`
    HIAIX_DeserializeT deserialize;
    HIAIX_DestroyT destroy; // may be NULL
    void *arg;
    struct HIAIX_MessageType hooks;
};

struct tn_hiai_engine_type {
    HIAIX_ProcessT process; // NULL: `hooks`
    void *arg;
    uint32_t inputs, outputs;
    struct HIAIX_EngineClass hooks;
};

// Return false if the name is not registered.
bool tn_hiai_find_message_type(const char *name, enum HIAIX_Path path,
                               struct tn_hiai_message_type *type);
bool tn_hiai_find_engine_type(const char *name, struct tn_hiai_engine_type *type);
