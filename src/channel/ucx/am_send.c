// SPDX-License-Identifier: Apache-2.0
// Sends active messages: it forwards everything that the channel has published in its mailbox. A
// parcel returns to the channel when UCX has read it. Progress thread only.
#include <stdlib.h>

#include "base/list.h"
#include "channel/ucx/link.h"

// ---- outbound messages

struct tn_outbound *tn_outbound_new(struct tn_link *l) {
    struct tn_outbound *outbound = l->free_outbound;
    if (outbound != NULL)
        l->free_outbound = outbound->next;
    else
        outbound = (struct tn_outbound *)malloc(sizeof *outbound);
    if (outbound == NULL) {
        tn_link_end(l, TARN_PEER_GONE, "out of host memory for a message");
        return NULL;
    }
    outbound->link = l;
    outbound->returns = false;
    return outbound;
}

void tn_link_free_outbound(struct tn_link *l) {
    TN_CHAIN_DRAIN(struct tn_outbound, outbound, l->free_outbound, next) free(outbound);
}

// CANCELED means that the peer is closing and drops the message. The parcel still returns.
static void complete_send(struct tn_outbound *outbound, ucs_status_t code) {
    struct tn_link *l = outbound->link;
    TARN_ASSERT(outbound != l->free_outbound); // it completes once
    if (code != UCS_OK && code != UCS_ERR_CANCELED && l->broken == UCS_OK) {
        l->broken = code;
    } else if (outbound->returns && tn_link_state(l) == TN_LINK_OPEN) {
        tn_mailbox_push_return(&l->mirror, l->returned++, outbound->ref.transit,
                               outbound->ref.generation);
        tn_link_wake_channel(l, TN_WAIT_RETURN);
    }
    outbound->next = l->free_outbound;
    l->free_outbound = outbound;
}

static void on_send_complete(void *request, ucs_status_t code, void *arg) {
    struct tn_outbound *outbound = (struct tn_outbound *)arg;
    tn_ucx.ucp_request_free(request);
    TARN_ASSERT(outbound->link->under_way != 0);
    outbound->link->under_way--;
    complete_send(outbound, code);
}

static void post_with_data(struct tn_link *l, enum tn_wire_kind kind, struct tn_outbound *outbound,
                           size_t bytes, const void *data, uint64_t data_bytes) {
    ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK |
                                                 UCP_OP_ATTR_FIELD_USER_DATA |
                                                 UCP_OP_ATTR_FIELD_FLAGS,
                                 .flags = UCP_AM_SEND_FLAG_REPLY,
                                 .cb.send = on_send_complete,
                                 .user_data = outbound};
    if (data_bytes >= TN_WIRE_RENDEZVOUS) param.flags |= UCP_AM_SEND_FLAG_RNDV;
    if (data_bytes != 0 && l->memory != NULL) {
        param.op_attr_mask |= UCP_OP_ATTR_FIELD_MEMH;
        param.memh = l->memory;
    }
    ucs_status_ptr_t request = tn_ucx.ucp_am_send_nbx(l->ep, (unsigned)kind, &outbound->wire, bytes,
                                                      data, data_bytes, &param);
    if (UCS_PTR_IS_PTR(request))
        l->under_way++;
    else
        complete_send(outbound, UCS_PTR_STATUS(request));
}

void tn_link_post(struct tn_link *l, enum tn_wire_kind kind, struct tn_outbound *outbound,
                  size_t bytes) {
    post_with_data(l, kind, outbound, bytes, NULL, 0);
}

// ---- messages

static void send_control(struct tn_link *l, const struct tn_descriptor *d) {
    struct tn_outbound *outbound = tn_outbound_new(l);
    if (outbound != NULL) {
        outbound->ref = d->control;
        outbound->returns = true;
        outbound->wire.control = (struct tn_wire_control){l->sent};
        post_with_data(l, TN_WIRE_CONTROL, outbound, sizeof outbound->wire.control,
                       l->arena->shm.base + d->control.offset, d->control_bytes);
    }
}

static void send_descriptor(struct tn_link *l, const struct tn_descriptor *d) {
    struct tn_outbound *outbound = tn_outbound_new(l);
    if (outbound == NULL) return;
    struct tn_wire_message *message = &outbound->wire.message;
    size_t bytes = offsetof(struct tn_descriptor, text) + tn_descriptor_text_bytes(d);
    bool parcel = d->kind == TN_DESCRIPTOR_PARCEL;
    outbound->ref = d->parcel;
    outbound->returns = parcel;
    message->number = l->sent;
    memcpy(&message->descriptor, d, bytes);
    message->descriptor.parcel = message->descriptor.control = (struct tn_parcel_ref){0, 0, 0, 0};
    post_with_data(l, TN_WIRE_MESSAGE, outbound,
                   offsetof(struct tn_wire_message, descriptor) + bytes,
                   parcel ? l->arena->shm.base + d->parcel.offset : NULL, parcel ? d->bytes : 0);
}

static bool send_messages(struct tn_link *l) {
    uint64_t published = tn_load_seq_cst(&l->own.head->sent);
    bool any = l->sent != published;
    TARN_ASSERT(published - l->sent <= l->own.shape.slots);
    while (l->sent != published && tn_link_state(l) == TN_LINK_OPEN && l->broken == UCS_OK) {
        const struct tn_descriptor *d = tn_mailbox_slot(&l->own, l->sent);
        if (d->control_separate == 1) send_control(l, d);
        send_descriptor(l, d);
        l->sent++;
    }
    return any;
}

// ---- updates

static uint32_t fill_grants(struct tn_link *l, struct tn_wire_update *update) {
    uint32_t count = 0;
    for (uint32_t port = 0; port < l->own.shape.ports && count < TN_WIRE_GRANTS; port++) {
        uint32_t granted = tn_load_relaxed(&l->own.granted[port]);
        if (granted != l->reported_granted[port]) {
            l->reported_granted[port] = granted;
            update->grant[count++] = (struct tn_wire_grant){port, granted};
        }
    }
    TARN_ASSERT(count <= TN_WIRE_GRANTS);
    return count;
}

// Reads the count of grants before the grants. A grant made in between is sent now, and looked for
// once more.
static bool send_update(struct tn_link *l) {
    uint64_t grants = tn_load_seq_cst(&l->own.head->grants);
    uint64_t consumed = tn_load_seq_cst(&l->own.head->consumed);
    if (grants == l->reported_grants && consumed == l->reported_consumed) return false;
    struct tn_outbound *outbound = tn_outbound_new(l);
    if (outbound == NULL) return false;
    struct tn_wire_update *update = &outbound->wire.update;
    uint32_t count = grants != l->reported_grants ? fill_grants(l, update) : 0;
    update->consumed = consumed;
    update->grants = count;
    l->reported_consumed = consumed;
    l->reported_grants = count == TN_WIRE_GRANTS ? l->reported_grants : grants;
    tn_link_post(l, TN_WIRE_UPDATE, outbound,
                 offsetof(struct tn_wire_update, grant) + count * sizeof update->grant[0]);
    return true;
}

bool tn_link_has_output(const struct tn_link *l) {
    const struct tn_mailbox_head *head = l->own.head;
    return tn_load_seq_cst(&head->sent) != l->sent ||
           tn_load_seq_cst(&head->grants) != l->reported_grants ||
           tn_load_seq_cst(&head->consumed) != l->reported_consumed;
}

bool tn_link_am_send(struct tn_link *l) {
    if (l->peer_left) return false;
    bool moved = send_messages(l);
    return send_update(l) || moved;
}
