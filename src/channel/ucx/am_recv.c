// SPDX-License-Identifier: Apache-2.0
// Receives active messages. Every message of the peer is checked. Data is placed in parcels of the
// local arena, in the order of the messages; each complete message is published in the mirror. Data
// for which there is no room stays at the peer, which slows the peer down. Progress thread only.
#include "channel/ucx/link.h"

static void end_corrupt(struct tn_link *l, const char *why) { tn_link_end(l, TARN_CORRUPT, why); }

static struct tn_inbound *inbound_at(const struct tn_link *l, uint64_t number) {
    return &l->inbound[number & (l->peer.slots - 1)];
}

// Returns the entry of a message that may arrive now, or NULL if the peer has no slot for it.
static struct tn_inbound *expected_inbound(const struct tn_link *l, uint64_t number) {
    uint64_t consumed = tn_load_seq_cst(&l->own.head->consumed);
    bool fits = number >= l->published && number >= consumed && number - consumed < l->peer.slots;
    return fits ? inbound_at(l, number) : NULL;
}

// Keeps UCX's data descriptor. Returns the status that the handler returns to UCX.
static ucs_status_t keep_data(struct tn_link *l, struct tn_inbound_data *in, void *data,
                              size_t bytes, const ucp_am_recv_param_t *param) {
    TARN_ASSERT(in->parcel == NULL && in->descriptor == NULL); // data comes once
    in->link = l;
    in->announced = true;
    in->bytes = bytes;
    in->rendezvous = (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) != 0;
    in->descriptor = bytes != 0 ? data : NULL;
    return bytes != 0 ? UCS_INPROGRESS : UCS_OK;
}

// ---- messages

// Returns the reason of a refusal, or NULL. Lengths are checked before they are added.
static const char *check_message(struct tn_link *l, const struct tn_descriptor *d,
                                 size_t header_bytes, size_t data_bytes) {
    uint64_t largest = l->arena->largest;
    if (d->kind > TN_DESCRIPTOR_PARCEL || d->control_separate > 1 ||
        d->name_bytes > TARN_MESSAGE_NAME_MAX || d->control_bytes > TARN_MESSAGE_CONTROL_MAX ||
        header_bytes !=
            offsetof(struct tn_wire_message, descriptor.text) + tn_descriptor_text_bytes(d))
        return "a descriptor has an unknown kind or a wrong length";
    if ((d->kind == TN_DESCRIPTOR_PARCEL ? d->bytes : 0) != data_bytes ||
        (d->kind == TN_DESCRIPTOR_PARCEL && data_bytes == 0) || data_bytes > largest ||
        (d->control_separate == 1 && (d->control_bytes == 0 || d->control_bytes > largest)))
        return "a descriptor and its data differ in length, or are too long";
    if (d->port >= l->own.shape.ports ||
        tn_load_seq_cst(&l->own.granted[d->port]) == l->arrived[d->port])
        return "the peer sent without a credit";
    return NULL;
}

// Headers are copied before use: UCX may place them at any alignment.
static ucs_status_t on_message(struct tn_link *l, const void *header, size_t header_bytes,
                               void *data, size_t bytes, const ucp_am_recv_param_t *param) {
    struct tn_wire_message own;
    const char *wrong = "a descriptor is too short or too long";
    if (header_bytes >= offsetof(struct tn_wire_message, descriptor.text) &&
        header_bytes <= sizeof own) {
        memcpy(&own, header, header_bytes);
        wrong = check_message(l, &own.descriptor, header_bytes, bytes);
    }
    struct tn_inbound *inbound = wrong == NULL ? expected_inbound(l, own.number) : NULL;
    if (inbound == NULL || inbound->announced) {
        end_corrupt(l, wrong != NULL ? wrong : "a message is out of order");
        return UCS_OK;
    }
    l->arrived[own.descriptor.port]++;
    inbound->descriptor = own.descriptor;
    inbound->announced = true;
    return keep_data(l, &inbound->data, data, bytes, param);
}

static ucs_status_t on_control(struct tn_link *l, const void *header, size_t header_bytes,
                               void *data, size_t bytes, const ucp_am_recv_param_t *param) {
    struct tn_wire_control control;
    struct tn_inbound *inbound = NULL;
    if (header_bytes == sizeof control) {
        memcpy(&control, header, sizeof control);
        inbound = expected_inbound(l, control.number);
    }
    if (inbound == NULL || inbound->control.announced || bytes == 0 ||
        bytes > TARN_MESSAGE_CONTROL_MAX) {
        end_corrupt(l, "control bytes are out of order or have a wrong length");
        return UCS_OK;
    }
    return keep_data(l, &inbound->control, data, bytes, param);
}

// ---- the other kinds of message

static const char *apply_update(struct tn_link *l, const struct tn_wire_update *update) {
    struct tn_mailbox_head *head = l->mirror.head;
    for (uint64_t i = 0; i < update->grants; i++) {
        const struct tn_wire_grant *grant = &update->grant[i];
        if (grant->port >= l->peer.ports) return "an update grants credits to an unknown port";
        _Atomic uint32_t *granted = &l->mirror.granted[grant->port];
        if ((int32_t)(grant->granted - tn_load_relaxed(granted)) > 0) // else it is outdated
            tn_store_relaxed(granted, grant->granted);
    }
    if (update->consumed > tn_load_relaxed(&head->consumed)) {
        tn_store_seq_cst(&head->consumed, update->consumed);
        tn_link_wake_channel(l, TN_WAIT_SLOT);
    }
    if (update->grants != 0) {
        (void)tn_add_seq_cst(&head->grants, 1);
        tn_link_wake_channel(l, TN_WAIT_CREDIT);
    }
    return NULL;
}

static const char *on_update(struct tn_link *l, const void *header, size_t bytes) {
    struct tn_wire_update update;
    size_t least = offsetof(struct tn_wire_update, grant);
    if (bytes < least || bytes > sizeof update) return "an update has a wrong length";
    memcpy(&update, header, bytes);
    if (update.grants > TN_WIRE_GRANTS || bytes != least + update.grants * sizeof update.grant[0] ||
        update.consumed > l->sent)
        return "an update is inconsistent";
    return apply_update(l, &update);
}

static const char *on_close(struct tn_link *l, const void *header, size_t bytes) {
    struct tn_wire_close close;
    if (bytes != sizeof close || l->peer_left) return "a second close, or one of a wrong length";
    memcpy(&close, header, sizeof close);
    if (close.sent < l->published || close.sent - l->published > l->peer.slots)
        return "a close with an impossible number of messages";
    l->peer_left = true;
    l->peer_sent = close.sent;
    return NULL;
}

static void on_hello(struct tn_link *l, const void *header, size_t bytes) {
    struct tn_wire_hello hello;
    if (bytes != sizeof hello || tn_link_state(l) != TN_LINK_HELLO_SENT) {
        end_corrupt(l, "a second hello, or one of a wrong length");
        return;
    }
    memcpy(&hello, header, sizeof hello);
    struct tn_mailbox_shape shape = {hello.ports, hello.slots, hello.in_flight};
    if (hello.magic != TN_WIRE_MAGIC || hello.version != TN_WIRE_VERSION ||
        hello.descriptor_bytes != TN_DESCRIPTOR_BYTES) {
        tn_link_end(l, TARN_UNSUPPORTED,
                    hello.magic == __builtin_bswap64(TN_WIRE_MAGIC)
                        ? "the peer has the other byte order"
                        : "the peer speaks another version or another protocol");
    } else if (!tn_mailbox_shape_valid(&shape) || hello.largest == 0) {
        end_corrupt(l, "the sizes in the peer's hello are out of range");
    } else {
        l->peer = hello;
        tn_link_set_state(l, TN_LINK_HELLO_RECEIVED);
    }
}

static void on_ready(struct tn_link *l) {
    enum tn_link_state state = tn_link_state(l);
    if (l->peer_ready || state < TN_LINK_HELLO_RECEIVED) {
        end_corrupt(l, "the peer is ready too early or twice");
        return;
    }
    l->peer_ready = true;
    if (state == TN_LINK_READY) tn_link_set_state(l, TN_LINK_OPEN);
}

ucs_status_t tn_link_am_handler(void *arg, const void *header, size_t header_bytes, void *data,
                                size_t bytes, const ucp_am_recv_param_t *param) {
    enum tn_wire_kind kind = (enum tn_wire_kind)(uintptr_t)arg;
    bool has_ep = (param->recv_attr & UCP_AM_RECV_ATTR_FIELD_REPLY_EP) != 0;
    struct tn_link *l = has_ep ? tn_progress_find_link(param->reply_ep) : NULL;
    const char *wrong = NULL;
    if (l == NULL || tn_link_state(l) >= TN_LINK_CLOSING) return UCS_OK;
    if (kind != TN_WIRE_HELLO && kind != TN_WIRE_READY && tn_link_state(l) < TN_LINK_READY) {
        end_corrupt(l, "the peer sent before this side was ready");
        return UCS_OK;
    }
    switch (kind) {
    case TN_WIRE_HELLO: on_hello(l, header, header_bytes); break;
    case TN_WIRE_READY: on_ready(l); break;
    case TN_WIRE_UPDATE: wrong = on_update(l, header, header_bytes); break;
    case TN_WIRE_CLOSE: wrong = on_close(l, header, header_bytes); break;
    case TN_WIRE_CLOSE_ACK: l->close_acked = true; break;
    default:
        if (l->leaving || l->peer_left)
            break; // UCX drops the data, and the sender gets its parcel back
        return kind == TN_WIRE_MESSAGE ? on_message(l, header, header_bytes, data, bytes, param)
                                       : on_control(l, header, header_bytes, data, bytes, param);
    }
    if (wrong != NULL) end_corrupt(l, wrong);
    return UCS_OK;
}

// ---- placing data in parcels

// Limit of the bytes that are fetched concurrently: enough to fill any network. More would only
// delay the first message.
#define FETCH_MAX (UINT64_C(8) << 20)

static struct tn_inbound *inbound_of(const struct tn_inbound_data *in) {
    struct tn_link *l = in->link;
    size_t at = (size_t)((const char *)in - (const char *)l->inbound) / sizeof *l->inbound;
    TARN_ASSERT(at < l->peer.slots);
    return &l->inbound[at];
}

static void on_fetch_complete(void *request, ucs_status_t code, size_t length, void *arg) {
    const struct tn_inbound_data *in = (const struct tn_inbound_data *)arg;
    struct tn_link *l = in->link;
    tn_ucx.ucp_request_free(request);
    TARN_ASSERT(l->under_way != 0 && l->fetching >= in->bytes && inbound_of(in)->receiving != 0);
    l->under_way--;
    l->fetching -= in->bytes;
    inbound_of(in)->receiving--;
    if (code != UCS_OK && l->broken == UCS_OK)
        l->broken = code;
    else if (code == UCS_OK && length != in->bytes)
        end_corrupt(l, "data is shorter than announced");
}

static void fetch_data(struct tn_link *l, struct tn_inbound_data *in) {
    ucp_request_param_t param = {.op_attr_mask =
                                     UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
                                 .cb.recv_am = on_fetch_complete,
                                 .user_data = in};
    if (l->memory != NULL) {
        param.op_attr_mask |= UCP_OP_ATTR_FIELD_MEMH;
        param.memh = l->memory;
    }
    void *descriptor = in->descriptor;
    in->descriptor = NULL; // UCX owns it from here on
    ucs_status_ptr_t request = tn_ucx.ucp_am_recv_data_nbx(tn_progress_worker(), descriptor,
                                                           in->parcel, in->bytes, &param);
    if (UCS_PTR_IS_PTR(request)) {
        l->under_way++;
        l->fetching += in->bytes;
        inbound_of(in)->receiving++;
    } else if (UCS_PTR_IS_ERR(request)) {
        l->broken = UCS_PTR_STATUS(request);
    }
}

static void release_data(struct tn_inbound_data *in) {
    if (in->descriptor != NULL) {
        tn_ucx.ucp_am_data_release(tn_progress_worker(), in->descriptor);
        in->descriptor = NULL;
    }
}

// Returns false if the data must wait: for room, or for other transfers.
static bool place_data(struct tn_link *l, struct tn_inbound_data *in) {
    if (in->bytes == 0 || in->parcel != NULL) return true;
    if (in->rendezvous && l->fetching != 0 && l->fetching + in->bytes > FETCH_MAX) return false;
    if (!tn_parcel_alloc_for_link(l->arena, in->bytes, tn_progress_eventfd(), &l->waiter,
                                  &l->queued, &in->parcel))
        return false;
    if (in->rendezvous) {
        fetch_data(l, in);
    } else {
        memcpy(in->parcel, in->descriptor, in->bytes);
        release_data(in);
    }
    return true;
}

// Returns true if all parts of the message were announced and agree.
static bool is_complete(struct tn_link *l, const struct tn_inbound *inbound) {
    bool separate = inbound->announced && inbound->descriptor.control_separate == 1;
    if (!inbound->announced || (separate && !inbound->control.announced)) return false;
    if (inbound->control.announced &&
        (!separate || inbound->control.bytes != inbound->descriptor.control_bytes)) {
        end_corrupt(l, "control bytes do not belong to their message");
        return false;
    }
    return true;
}

// Gives data its parcels, in the order of the messages. Returns true if a message got all of them.
static bool place_messages(struct tn_link *l) {
    bool moved = false;
    while (tn_link_state(l) == TN_LINK_OPEN && l->placed - l->published != l->peer.slots) {
        struct tn_inbound *inbound = inbound_at(l, l->placed);
        if (!is_complete(l, inbound) || !place_data(l, &inbound->control) ||
            !place_data(l, &inbound->data))
            break;
        l->placed++;
        moved = true;
    }
    TARN_ASSERT(l->placed - l->published <= l->peer.slots);
    return moved;
}

// ---- publishing in the mirror

static struct tn_parcel_ref local_ref(const struct tn_link *l, const struct tn_inbound_data *in) {
    uint64_t offset = (uint64_t)((unsigned char *)in->parcel - l->arena->shm.base);
    TARN_ASSERT(offset % TN_SHM_PAGE == 0 && offset + in->bytes <= l->arena->shm.bytes);
    return (struct tn_parcel_ref){0, 0, offset, in->bytes};
}

static void publish_inbound(struct tn_link *l, struct tn_inbound *inbound) {
    struct tn_descriptor *d = tn_mailbox_slot(&l->mirror, l->published);
    TARN_ASSERT(inbound->announced && inbound->receiving == 0);
    memcpy(d, &inbound->descriptor, sizeof *d);
    if (d->kind == TN_DESCRIPTOR_PARCEL) {
        d->kind = TN_DESCRIPTOR_COPIED;
        d->policy = TARN_PARCEL_AUTO;
        d->parcel = local_ref(l, &inbound->data);
    }
    if (d->control_separate == 1) d->control = local_ref(l, &inbound->control);
    memset(inbound, 0, sizeof *inbound);
    l->published++;
    tn_store_seq_cst(&l->mirror.head->sent, l->published);
    tn_link_wake_channel(l, TN_WAIT_MESSAGE);
}

bool tn_link_am_recv(struct tn_link *l) {
    if (l->leaving) return false; // the channel is closed, so no message will be received
    bool moved = place_messages(l);
    while (l->published != l->placed && inbound_at(l, l->published)->receiving == 0 &&
           tn_link_state(l) == TN_LINK_OPEN && l->broken == UCS_OK) {
        publish_inbound(l, inbound_at(l, l->published));
        moved = true;
    }
    return moved;
}

// ---- the end

void tn_link_release_inbound_data(struct tn_link *l) {
    for (uint32_t i = 0; l->inbound != NULL && i < l->peer.slots; i++) {
        release_data(&l->inbound[i].data);
        release_data(&l->inbound[i].control);
    }
    if (l->queued) {
        tn_wait_set_leave(&l->arena->wait_set, &l->waiter);
        l->queued = false;
    }
}

void tn_link_free_inbound_parcels(struct tn_link *l) {
    for (uint32_t i = 0; l->inbound != NULL && i < l->peer.slots; i++) {
        (void)tarn_parcel_free(l->arena, l->inbound[i].data.parcel);
        (void)tarn_parcel_free(l->arena, l->inbound[i].control.parcel);
    }
}
