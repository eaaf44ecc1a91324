// SPDX-License-Identifier: Apache-2.0
// Serializes messages into packets and deserializes deliveries; see message.h.
#include "compat/hiai/message.h"

#include <stdlib.h>
#include <string.h>

// ---- serializing

// Serializes again, with the room that the serializer requested.
static HIAI_StatusT serialize_large(struct tn_hiai_packet *packet,
                                    const struct tn_hiai_message_type *type, const void *msg,
                                    uint32_t needed, uint8_t **data) {
    TN_HIAI_REFUSE(needed > TARN_MESSAGE_CONTROL_MAX, HIAI_GRAPH_DATA_SIZE_WRONG,
                   "\"%s\" has %u control bytes, at most %llu", packet->name, needed,
                   (unsigned long long)TARN_MESSAGE_CONTROL_MAX);
    packet->large = malloc(needed != 0 ? needed : 1);
    TN_HIAI_REFUSE(packet->large == NULL, HIAI_MEMORY_EXHAUSTED,
                   "out of memory for %u control bytes", needed);
    packet->ctrl = packet->large;
    packet->ctrl_len = needed;
    HIAI_StatusT status =
        type->serialize(msg, packet->large, &packet->ctrl_len, data, &packet->data_len, type->arg);
    if (status == HIAI_OK && packet->ctrl_len > needed) status = HIAI_GRAPH_DATA_SIZE_WRONG;
    return status;
}

static HIAI_StatusT serialize_message(struct tn_hiai_packet *packet,
                                      const struct tn_hiai_message_type *type, const void *msg) {
    uint8_t *data = NULL;
    packet->ctrl = packet->small;
    packet->ctrl_len = TN_HIAI_SMALL;
    HIAI_StatusT status =
        type->serialize(msg, packet->small, &packet->ctrl_len, &data, &packet->data_len, type->arg);
    if (status == HIAI_OK && packet->ctrl_len > TN_HIAI_SMALL) status = HIAI_GRAPH_DATA_SIZE_WRONG;
    if (status == HIAI_GRAPH_TARGET_SIZE_ENOUGH && packet->ctrl_len > TN_HIAI_SMALL) {
        uint32_t needed = packet->ctrl_len;
        data = NULL;
        packet->data_len = 0;
        status = serialize_large(packet, type, msg, needed, &data);
    }
    packet->data = packet->data_len != 0 ? data : NULL;
    packet->data_len = data != NULL ? packet->data_len : 0;
    return status;
}

// Control bytes of the common path that are too long travel as data, which is copied.
static HIAI_StatusT take_bytes(struct tn_hiai_packet *packet, const struct HIAIX_Bytes *bytes) {
    bool fits = bytes->ctrlLen <= TARN_MESSAGE_CONTROL_MAX;
    packet->ctrl = NULL;
    packet->ctrl_len = 0;
    TN_HIAI_REFUSE(!fits && packet->code != TN_HIAI_COMMON, HIAI_GRAPH_DATA_SIZE_WRONG,
                   "\"%s\" has %zu control bytes, at most %llu", packet->name, bytes->ctrlLen,
                   (unsigned long long)TARN_MESSAGE_CONTROL_MAX);
    TN_HIAI_REFUSE(bytes->ctrlLen > TN_HIAI_BLOCK, HIAI_GRAPH_DATA_SIZE_WRONG,
                   "\"%s\" has %zu bytes, at most %u", packet->name, bytes->ctrlLen, TN_HIAI_BLOCK);
    if (!fits) {
        packet->data = (void *)(uintptr_t)bytes->ctrl; // only read
        packet->data_len = (uint32_t)bytes->ctrlLen;
        return HIAI_OK;
    }
    packet->ctrl = bytes->ctrl;
    packet->ctrl_len = (uint32_t)bytes->ctrlLen;
    packet->data = bytes->dataLen != 0 ? bytes->data : NULL;
    packet->data_len = bytes->data != NULL ? bytes->dataLen : 0;
    return HIAI_OK;
}

HIAI_StatusT tn_hiai_packet_write(struct tn_hiai_packet *packet, const char *name,
                                  const void *msg) {
    struct tn_hiai_message_type type;
    packet->name = name;
    packet->code = TN_HIAI_FAST;
    packet->large = NULL;
    packet->release = NULL;
    packet->data = NULL;
    packet->data_len = 0;
    if (!tn_hiai_find_message_type(name, HIAIX_PATH_FAST, &type)) {
        packet->code = TN_HIAI_COMMON;
        TN_HIAI_REFUSE(!tn_hiai_find_message_type(name, HIAIX_PATH_COMMON, &type),
                       HIAI_GRAPH_SEARFUNC_IS_NULL, "no serializer is registered for \"%s\"", name);
    }
    HIAI_StatusT status = HIAI_OK;
    if (type.serialize != NULL) {
        status = serialize_message(packet, &type, msg);
    } else {
        struct HIAIX_Bytes bytes = {0};
        status = type.hooks.write(msg, &bytes, type.hooks.arg);
        if (status == HIAI_OK) {
            packet->keep = bytes.keep;
            packet->release = type.hooks.release;
            status = take_bytes(packet, &bytes);
        }
    }
    if (status != HIAI_OK) {
        status = tn_hiai_fail(status, "the serializer of \"%s\" returned %s", name,
                              HIAIX_StatusStr(status));
        tn_hiai_packet_free(packet);
    }
    return status;
}

void tn_hiai_packet_free(struct tn_hiai_packet *packet) {
    if (packet->release != NULL) {
        packet->release(packet->keep);
        packet->release = NULL;
    }
    free(packet->large);
    packet->large = NULL;
}

// ---- raw messages: the struct, then name and control bytes

struct raw {
    HIAIX_RawMessage message;
    char name[TARN_MESSAGE_NAME_MAX + 1];
    _Alignas(16) char ctrl[];
};

static struct raw *new_raw(const char *name, const void *ctrl, size_t ctrl_len, void *data,
                           uint32_t data_len) {
    struct raw *raw = (struct raw *)malloc(sizeof *raw + ctrl_len);
    if (raw == NULL) return NULL;
    memset(raw, 0, sizeof *raw);
    memcpy(raw->name, name, strnlen(name, TARN_MESSAGE_NAME_MAX));
    if (ctrl_len != 0) {
        memcpy(raw->ctrl, ctrl, ctrl_len);
        raw->message.ctrl = raw->ctrl;
    }
    raw->message.name = raw->name;
    raw->message.ctrlLen = (uint32_t)ctrl_len;
    raw->message.data = data;
    raw->message.dataLen = data_len;
    return raw;
}

static void destroy_local(void *msg, void *arg) {
    (void)arg;
    free(msg);
}

// The engine may have sent the block on, and has no hold on it then.
static void destroy_received(void *msg, void *arg) {
    struct raw *raw = (struct raw *)msg;
    void *block = raw->message.data;
    tarn_parcel_info info = TARN_INIT(tarn_parcel_info);
    (void)arg;
    if (block != NULL && tarn_parcel_query(tn_hiai_arena(), block, &info) == TARN_OK &&
        info.start == block && info.holds != 0)
        (void)tarn_parcel_free(tn_hiai_arena(), block);
    free(raw);
}

HIAIX_RawMessage *tn_hiai_raw_local(const struct tn_hiai_packet *packet, HIAIX_DestroyT *destroy) {
    struct raw *raw =
        new_raw(packet->name, packet->ctrl, packet->ctrl_len, packet->data, packet->data_len);
    *destroy = destroy_local;
    return raw != NULL ? &raw->message : NULL;
}

// ---- deserializing

// Calls the read hook. On the common path a block has the bytes, and is not needed afterwards.
static bool call_read_hook(const tarn_delivery *delivery, const struct HIAIX_MessageType *hooks,
                           struct HIAIX_Message *message) {
    struct HIAIX_Bytes bytes = {delivery->control, delivery->control_bytes, delivery->parcel,
                                (uint32_t)delivery->bytes, NULL};
    bool in_block = delivery->code == TN_HIAI_COMMON && delivery->parcel != NULL;
    if (in_block)
        bytes = (struct HIAIX_Bytes){delivery->parcel, (size_t)delivery->bytes, NULL, 0, NULL};
    bool good = hooks->read(&bytes, message, hooks->arg) == HIAI_OK && message->msg != NULL;
    if (good && in_block) (void)tarn_parcel_free(tn_hiai_arena(), delivery->parcel);
    return good;
}

bool tn_hiai_receive(const tarn_delivery *delivery, struct HIAIX_Message *message) {
    struct tn_hiai_message_type type = {0};
    bool raw = delivery->code == TN_HIAI_RAW;
    enum HIAIX_Path path = delivery->code == TN_HIAI_COMMON ? HIAIX_PATH_COMMON : HIAIX_PATH_FAST;
    bool good = false;
    void *msg = NULL; // of the C form; it has the block, and frees it
    *message = (struct HIAIX_Message){NULL, NULL, NULL};
    if (raw) {
        type.destroy = destroy_received;
        msg = new_raw(delivery->name, delivery->control, delivery->control_bytes, delivery->parcel,
                      (uint32_t)delivery->bytes);
    } else if (tn_hiai_find_message_type(delivery->name, path, &type)) {
        if (type.serialize == NULL) {
            good = call_read_hook(delivery, &type.hooks, message);
        } else {
            msg =
                type.deserialize(delivery->control, (uint32_t)delivery->control_bytes,
                                 (uint8_t *)delivery->parcel, (uint32_t)delivery->bytes, type.arg);
        }
    }
    if (msg == NULL) {
        if (!good && delivery->parcel != NULL)
            (void)tarn_parcel_free(tn_hiai_arena(), delivery->parcel);
        return good;
    }
    if (!tn_hiai_object_manage(msg, type.destroy, type.arg)) {
        if (type.destroy != NULL) type.destroy(msg, type.arg);
        return false;
    }
    *message = (struct HIAIX_Message){msg, msg, &tn_hiai_object_ops};
    return true;
}
