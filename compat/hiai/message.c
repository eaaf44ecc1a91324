// SPDX-License-Identifier: Apache-2.0
// Serializes messages into packets and deserializes deliveries; see message.h.
#include "compat/hiai/message.h"

#include <stdlib.h>
#include <string.h>

#include "compat/hiai/registry.h"

// ---- serializing

// Serializes again, with the room that the serializer requested.
static HIAI_StatusT serialize_large(struct tn_hiai_packet *packet,
                                    const struct tn_hiai_message_type *type, const void *msg,
                                    uint32_t needed, uint8_t **data) {
    if (needed > TARN_MESSAGE_CONTROL_MAX) {
        return tn_hiai_fail(HIAI_GRAPH_DATA_SIZE_WRONG, "\"%s\" has %u control bytes, at most %llu",
                            packet->name, needed, (unsigned long long)TARN_MESSAGE_CONTROL_MAX);
    }
    packet->large = malloc(needed != 0 ? needed : 1);
    if (packet->large == NULL) {
        return tn_hiai_fail(HIAI_MEMORY_EXHAUSTED, "out of memory for %u control bytes", needed);
    }
    packet->ctrl = packet->large;
    packet->ctrl_len = needed;
    HIAI_StatusT status =
        type->serialize(msg, packet->large, &packet->ctrl_len, data, &packet->data_len, type->arg);
    if (status == HIAI_OK && packet->ctrl_len > needed) {
        status = HIAI_GRAPH_DATA_SIZE_WRONG;
    }
    return status;
}

static HIAI_StatusT serialize_message(struct tn_hiai_packet *packet,
                                      const struct tn_hiai_message_type *type, const void *msg) {
    uint8_t *data = NULL;
    packet->ctrl = packet->small;
    packet->ctrl_len = TN_HIAI_SMALL;
    HIAI_StatusT status =
        type->serialize(msg, packet->small, &packet->ctrl_len, &data, &packet->data_len, type->arg);
    if (status == HIAI_OK && packet->ctrl_len > TN_HIAI_SMALL) {
        status = HIAI_GRAPH_DATA_SIZE_WRONG;
    }
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

HIAI_StatusT tn_hiai_packet_write(struct tn_hiai_packet *packet, const char *name,
                                  const void *msg) {
    struct tn_hiai_message_type type;
    packet->name = name;
    packet->raw = false;
    packet->large = NULL;
    packet->data_len = 0;
    if (!tn_hiai_find_message_type(name, &type)) {
        return tn_hiai_fail(HIAI_GRAPH_SEARFUNC_IS_NULL, "no serializer is registered for \"%s\"",
                            name);
    }
    HIAI_StatusT status = serialize_message(packet, &type, msg);
    if (status != HIAI_OK) {
        status = tn_hiai_fail(status, "the serializer of \"%s\" returned %s", name,
                              HIAIX_StatusStr(status));
        tn_hiai_packet_free(packet);
    }
    return status;
}

void tn_hiai_packet_free(struct tn_hiai_packet *packet) {
    free(packet->large);
    packet->large = NULL;
}

// ---- deserializing

void *tn_hiai_deserialize(const tarn_delivery *delivery, HIAIX_DestroyT *destroy, void **arg) {
    struct tn_hiai_message_type type;
    if (!tn_hiai_find_message_type(delivery->name, &type)) {
        return NULL;
    }
    *destroy = type.destroy;
    *arg = type.arg;
    return type.deserialize(delivery->control, (uint32_t)delivery->control_bytes,
                            (uint8_t *)delivery->parcel, (uint32_t)delivery->bytes, type.arg);
}

// ---- raw messages: the struct, then name and control bytes

struct raw {
    HIAIX_RawMessage message;
    char name[TARN_MESSAGE_NAME_MAX + 1];
    _Alignas(16) char ctrl[];
};

static struct raw *new_raw(const char *name, const void *ctrl, size_t ctrl_len) {
    struct raw *raw = (struct raw *)malloc(sizeof *raw + ctrl_len);
    if (raw == NULL) {
        return NULL;
    }
    memset(raw, 0, sizeof *raw);
    memcpy(raw->name, name, strnlen(name, TARN_MESSAGE_NAME_MAX));
    if (ctrl_len != 0) {
        memcpy(raw->ctrl, ctrl, ctrl_len);
        raw->message.ctrl = raw->ctrl;
    }
    raw->message.name = raw->name;
    raw->message.ctrlLen = (uint32_t)ctrl_len;
    return raw;
}

static void destroy_local(void *msg, void *arg) {
    (void)arg;
    free(msg);
}

static void destroy_received(void *msg, void *arg) {
    struct raw *raw = (struct raw *)msg;
    (void)arg;
    if (raw->message.data != NULL) {
        (void)tarn_parcel_free(tn_hiai_arena(), raw->message.data);
    }
    free(raw);
}

void *tn_hiai_raw_receive(const tarn_delivery *delivery, HIAIX_DestroyT *destroy) {
    struct raw *raw = new_raw(delivery->name, delivery->control, delivery->control_bytes);
    if (raw != NULL) {
        raw->message.data = delivery->parcel;
        raw->message.dataLen = (uint32_t)delivery->bytes;
        *destroy = destroy_received;
    }
    return raw;
}

HIAIX_RawMessage *tn_hiai_raw_local(const struct tn_hiai_packet *packet, HIAIX_DestroyT *destroy) {
    struct raw *raw = new_raw(packet->name, packet->ctrl, packet->ctrl_len);
    if (raw == NULL) {
        return NULL;
    }
    raw->message.data = packet->data;
    raw->message.dataLen = packet->data_len;
    *destroy = destroy_local;
    return &raw->message;
}
