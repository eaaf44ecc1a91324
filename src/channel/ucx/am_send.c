// SPDX-License-Identifier: Apache-2.0
// Out: what the channel has put into its box goes to the peer. A parcel is returned to the channel
// when UCX has read it, which is when the peer has it.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "channel/ucx/link.h"

// ---- crossings

struct tn_outbound *tn_outbound_new(struct tn_link *l) {
    struct tn_outbound *crossing = l->free_crossings;
    if (crossing != NULL) {
        l->free_crossings = crossing->next;
    } else {
        crossing = (struct tn_outbound *)malloc(sizeof *crossing);
    }
    if (crossing == NULL) {
        tn_link_end(l, TARN_PEER_GONE, "no memory to send with");
        return NULL;
    }
    crossing->link = l;
    crossing->returns = false;
    return crossing;
}

static void put_crossing(struct tn_outbound *crossing) {
    crossing->next = crossing->link->free_crossings;
    crossing->link->free_crossings = crossing;
}

void tn_link_free_outbound(struct tn_link *l) {
    while (l->free_crossings != NULL) {
        struct tn_outbound *crossing = l->free_crossings;
        l->free_crossings = crossing->next;
        free(crossing);
    }
}

static void push_return(struct tn_link *l, const struct tn_parcel_ref *ref) {
    struct tn_mailbox *box = &l->mirror;
    tn_store_relaxed(&box->returns[l->returned & (box->shape.returns - 1)],
                     (uint64_t)ref->generation << 32 | ref->transit);
    l->returned++;
    tn_store_seq_cst(&box->head->returned, l->returned);
    tn_link_wake_channel(l, TN_WAIT_RETURN);
}

// CANCELED: the peer is closing and does not want it; the parcel is ours again all the same.
static void complete(struct tn_outbound *crossing, ucs_status_t code) {
    struct tn_link *l = crossing->link;
    if (code != UCS_OK && code != UCS_ERR_CANCELED && l->broken == UCS_OK) {
        l->broken = code;
    } else if (crossing->returns && tn_link_state(l) == TN_LINK_OPEN) {
        push_return(l, &crossing->ref);
    }
    put_crossing(crossing);
}

static void completed(void *request, ucs_status_t code, void *arg) {
    struct tn_outbound *crossing = (struct tn_outbound *)arg;
    struct tn_link *l = crossing->link;
    tn_ucx.ucp_request_free(request);
    l->under_way--;
    complete(crossing, code);
}

// ---- sending

static void post(struct tn_link *l, enum tn_wire_kind kind, struct tn_outbound *crossing,
                 size_t bytes, const void *data, uint64_t data_bytes) {
    ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK |
                                                 UCP_OP_ATTR_FIELD_USER_DATA |
                                                 UCP_OP_ATTR_FIELD_FLAGS,
                                 .flags = UCP_AM_SEND_FLAG_REPLY,
                                 .cb.send = completed,
                                 .user_data = crossing};
    if (data_bytes >= TN_WIRE_RENDEZVOUS) {
        param.flags |= UCP_AM_SEND_FLAG_RNDV;
    }
    if (data_bytes != 0 && l->memory != NULL) {
        param.op_attr_mask |= UCP_OP_ATTR_FIELD_MEMH;
        param.memh = l->memory;
    }
    ucs_status_ptr_t request = tn_ucx.ucp_am_send_nbx(l->ep, (unsigned)kind, &crossing->wire, bytes,
                                                      data, data_bytes, &param);
    if (UCS_PTR_IS_PTR(request)) {
        l->under_way++;
    } else {
        complete(crossing, UCS_PTR_STATUS(request));
    }
}

void tn_link_post(struct tn_link *l, enum tn_wire_kind kind, struct tn_outbound *crossing,
                  size_t bytes) {
    post(l, kind, crossing, bytes, NULL, 0);
}

static size_t text_bytes(const struct tn_descriptor *slot) {
    size_t name = ((size_t)slot->name_bytes + 7) & ~(size_t)7;
    return name + (slot->control_separate == 1 ? 0 : (size_t)slot->control_bytes);
}

static void ship_control(struct tn_link *l, const struct tn_descriptor *slot) {
    struct tn_outbound *crossing = tn_outbound_new(l);
    if (crossing != NULL) {
        crossing->ref = slot->control;
        crossing->returns = true;
        crossing->wire.control = (struct tn_wire_control){l->shipped};
        post(l, TN_WIRE_CONTROL, crossing, sizeof crossing->wire.control,
             l->arena->shm.base + slot->control.offset, slot->control_bytes);
    }
}

static void ship_letter(struct tn_link *l, const struct tn_descriptor *slot) {
    struct tn_outbound *crossing = tn_outbound_new(l);
    if (crossing == NULL) {
        return;
    }
    struct tn_wire_message *letter = &crossing->wire.letter;
    size_t bytes = offsetof(struct tn_descriptor, text) + text_bytes(slot);
    bool parcel = slot->kind == TN_DESCRIPTOR_PARCEL;
    crossing->ref = slot->parcel;
    crossing->returns = parcel;
    letter->number = l->shipped;
    memcpy(&letter->slot, slot, bytes);
    letter->slot.parcel = letter->slot.control = (struct tn_parcel_ref){0, 0, 0, 0};
    post(l, TN_WIRE_MESSAGE, crossing, offsetof(struct tn_wire_message, slot) + bytes,
         parcel ? l->arena->shm.base + slot->parcel.offset : NULL, parcel ? slot->bytes : 0);
}

static bool ship_messages(struct tn_link *l) {
    uint64_t sent = tn_load_seq_cst(&l->own.head->sent);
    bool any = l->shipped != sent;
    while (l->shipped != sent && tn_link_state(l) == TN_LINK_OPEN && l->broken == UCS_OK) {
        const struct tn_descriptor *slot = &l->own.slots[l->shipped & (l->own.shape.slots - 1)];
        if (slot->control_separate == 1) {
            ship_control(l, slot);
        }
        ship_letter(l, slot);
        l->shipped++;
    }
    return any;
}

// ---- news

static uint32_t fill_grants(struct tn_link *l, struct tn_wire_update *news) {
    uint32_t count = 0;
    for (uint32_t port = 0; port < l->own.shape.ports && count < TN_WIRE_GRANTS; port++) {
        uint32_t granted = tn_load_relaxed(&l->own.granted[port]);
        if (granted != l->told_granted[port]) {
            l->told_granted[port] = granted;
            news->grant[count++] = (struct tn_wire_grant){port, granted};
        }
    }
    return count;
}

// The count of grants is read first: what comes in between is told now and looked for once more.
static bool ship_news(struct tn_link *l) {
    uint64_t grants = tn_load_seq_cst(&l->own.head->grants);
    uint64_t taken = tn_load_seq_cst(&l->own.head->consumed);
    if (grants == l->told_grants && taken == l->told_taken) {
        return false;
    }
    struct tn_outbound *crossing = tn_outbound_new(l);
    if (crossing == NULL) {
        return false;
    }
    struct tn_wire_update *news = &crossing->wire.news;
    uint32_t count = grants != l->told_grants ? fill_grants(l, news) : 0;
    news->consumed = taken;
    news->grants = count;
    l->told_taken = taken;
    l->told_grants = count == TN_WIRE_GRANTS ? l->told_grants : grants;
    tn_link_post(l, TN_WIRE_UPDATE, crossing,
                 offsetof(struct tn_wire_update, grant) + count * sizeof news->grant[0]);
    return true;
}

bool tn_link_has_output(const struct tn_link *l) {
    const struct tn_mailbox_head *head = l->own.head;
    return tn_load_seq_cst(&head->sent) != l->shipped ||
           tn_load_seq_cst(&head->grants) != l->told_grants ||
           tn_load_seq_cst(&head->consumed) != l->told_taken;
}

bool tn_link_am_send(struct tn_link *l) {
    bool moved = false;
    if (!l->peer_left) {
        moved = ship_messages(l);
        moved |= ship_news(l);
    }
    return moved;
}
