// SPDX-License-Identifier: Apache-2.0
// In: what the peer says is checked, its data is landed in parcels of our arena, in the order of
// the messages and as far as there is room, and each message that is whole goes into the mirror.
// Without room the data stays with the peer, which is what slows it down.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "channel/ucx/link.h"

static void corrupt(struct tn_link *l, const char *why) {
    tn_link_end(l, TARN_CORRUPT, why);
}

static struct tn_inbound *arrival_at(const struct tn_link *l, uint64_t number) {
    return &l->arrivals[number & (l->peer.slots - 1)];
}

// A message that may come now; NULL: the peer has no slot for it.
static struct tn_inbound *expect(const struct tn_link *l, uint64_t number) {
    uint64_t taken = tn_load_seq_cst(&l->own.head->consumed);
    bool fits = number >= l->published && number - taken < l->peer.slots;
    return fits && number >= taken ? arrival_at(l, number) : NULL;
}

// Keeps UCX's descriptor. What is to be returned to UCX for it.
static ucs_status_t keep(struct tn_link *l, struct tn_inbound_data *load, void *data, size_t bytes,
                         const ucp_am_recv_param_t *param) {
    load->link = l;
    load->here = true;
    load->bytes = bytes;
    load->rendezvous = (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) != 0;
    load->descriptor = bytes != 0 ? data : NULL;
    return bytes != 0 ? UCS_INPROGRESS : UCS_OK;
}

// ---- letters

static size_t text_bytes(const struct tn_descriptor *slot) {
    size_t name = ((size_t)slot->name_bytes + 7) & ~(size_t)7;
    return name + (slot->control_separate == 1 ? 0 : (size_t)slot->control_bytes);
}

// Why the descriptor cannot be meant; NULL: it can. Lengths are checked before they are added up.
static const char *letter_is_wrong(struct tn_link *l, const struct tn_descriptor *slot,
                                   size_t header_bytes, size_t data_bytes) {
    uint64_t largest = l->arena->largest;
    if (slot->kind > TN_DESCRIPTOR_PARCEL || slot->control_separate > 1 ||
        slot->name_bytes > TARN_MESSAGE_NAME_MAX ||
        slot->control_bytes > TARN_MESSAGE_CONTROL_MAX ||
        header_bytes != offsetof(struct tn_wire_message, slot.text) + text_bytes(slot)) {
        return "a descriptor of no kind, or of another length";
    }
    if ((slot->kind == TN_DESCRIPTOR_PARCEL ? slot->bytes : 0) != data_bytes ||
        (slot->kind == TN_DESCRIPTOR_PARCEL && data_bytes == 0) || data_bytes > largest ||
        (slot->control_separate == 1 &&
         (slot->control_bytes == 0 || slot->control_bytes > largest))) {
        return "a descriptor and its data differ in length, or are too long";
    }
    if (slot->port >= l->own.shape.ports ||
        tn_load_seq_cst(&l->own.granted[slot->port]) == l->arrived[slot->port]) {
        return "the peer sent without a credit";
    }
    return NULL;
}

// Headers lie where UCX has read them: at any address.
static ucs_status_t hear_letter(struct tn_link *l, const void *header, size_t header_bytes,
                                void *data, size_t bytes, const ucp_am_recv_param_t *param) {
    struct tn_wire_message own;
    const char *wrong = "a descriptor is too short or too long";
    size_t least = offsetof(struct tn_wire_message, slot.text);
    if (header_bytes >= least && header_bytes <= sizeof own) {
        memcpy(&own, header, header_bytes);
        wrong = letter_is_wrong(l, &own.slot, header_bytes, bytes);
    }
    struct tn_inbound *arrival = wrong == NULL ? expect(l, own.number) : NULL;
    if (arrival == NULL || arrival->here) {
        corrupt(l, wrong != NULL ? wrong : "a message out of its turn");
        return UCS_OK;
    }
    l->arrived[own.slot.port]++;
    arrival->slot = own.slot;
    arrival->here = true;
    return keep(l, &arrival->data, data, bytes, param);
}

static ucs_status_t hear_control(struct tn_link *l, const void *header, size_t header_bytes,
                                 void *data, size_t bytes, const ucp_am_recv_param_t *param) {
    struct tn_wire_control control;
    struct tn_inbound *arrival = NULL;
    if (header_bytes == sizeof control) {
        memcpy(&control, header, sizeof control);
        arrival = expect(l, control.number);
    }
    if (arrival == NULL || arrival->control.here || bytes == 0 ||
        bytes > TARN_MESSAGE_CONTROL_MAX) {
        corrupt(l, "control bytes out of their turn");
        return UCS_OK;
    }
    return keep(l, &arrival->control, data, bytes, param);
}

// ---- news and the rest

static const char *take_grant(struct tn_link *l, const struct tn_wire_grant *grant) {
    if (grant->port >= l->peer.ports) {
        return "a credit for no port";
    }
    _Atomic uint32_t *granted = &l->mirror.granted[grant->port];
    if ((int32_t)(grant->granted - tn_load_relaxed(granted)) > 0) { // else it came late
        tn_store_relaxed(granted, grant->granted);
    }
    return NULL;
}

static void hear_news(struct tn_link *l, const void *header, size_t bytes) {
    struct tn_wire_update news;
    size_t least = offsetof(struct tn_wire_update, grant);
    const char *wrong = NULL;
    if (bytes < least || bytes > sizeof news) {
        corrupt(l, "news of a wrong length");
        return;
    }
    memcpy(&news, header, bytes);
    if (news.grants > TN_WIRE_GRANTS || bytes != least + news.grants * sizeof news.grant[0] ||
        news.consumed > l->shipped) {
        corrupt(l, "news that make no sense");
        return;
    }
    for (uint64_t i = 0; i < news.grants && wrong == NULL; i++) {
        wrong = take_grant(l, &news.grant[i]);
    }
    if (wrong != NULL) {
        corrupt(l, wrong);
        return;
    }
    struct tn_mailbox_head *head = l->mirror.head;
    if (news.consumed > tn_load_relaxed(&head->consumed)) {
        tn_store_seq_cst(&head->consumed, news.consumed);
        tn_link_wake_channel(l, TN_WAIT_SLOT);
    }
    if (news.grants != 0) {
        (void)tn_add_seq_cst(&head->grants, 1);
        tn_link_wake_channel(l, TN_WAIT_CREDIT);
    }
}

static void hear_farewell(struct tn_link *l, const void *header, size_t bytes) {
    struct tn_wire_close farewell;
    if (bytes != sizeof farewell || l->peer_left) {
        corrupt(l, "a farewell that makes no sense");
        return;
    }
    memcpy(&farewell, header, sizeof farewell);
    if (farewell.sent < l->published || farewell.sent - l->published > l->peer.slots) {
        corrupt(l, "a farewell that makes no sense");
        return;
    }
    l->peer_left = true;
    l->peer_sent = farewell.sent;
}

static void hear_hello(struct tn_link *l, const void *header, size_t bytes) {
    struct tn_wire_hello hello;
    if (bytes != sizeof hello || tn_link_state(l) != TN_LINK_HELLO_SENT) {
        corrupt(l, "a hello that makes no sense");
        return;
    }
    memcpy(&hello, header, sizeof hello);
    tn_link_accept_hello(l, &hello);
}

static void hear_ready(struct tn_link *l) {
    enum tn_link_state state = tn_link_state(l);
    if (l->peer_ready || state < TN_LINK_HELLO_RECEIVED) {
        corrupt(l, "the peer is ready too early or twice");
        return;
    }
    l->peer_ready = true;
    if (state == TN_LINK_READY) {
        tn_link_set_state(l, TN_LINK_OPEN);
    }
}

// What comes once a channel is there; before, the peer has no business to say it.
static ucs_status_t hear_open(struct tn_link *l, enum tn_wire_kind kind, const void *header,
                              size_t header_bytes, void *data, size_t bytes,
                              const ucp_am_recv_param_t *param) {
    if (tn_link_state(l) < TN_LINK_READY) {
        corrupt(l, "the peer did not wait for an answer");
        return UCS_OK;
    }
    if (kind == TN_WIRE_UPDATE) {
        hear_news(l, header, header_bytes);
    } else if (kind == TN_WIRE_CLOSE) {
        hear_farewell(l, header, header_bytes);
    } else if (kind == TN_WIRE_CLOSE_ACK) {
        l->heard = true;
    } else if (l->leaving || l->peer_left) {
        return UCS_OK; // nobody will read it: dropped, and the sender has its parcel back
    } else if (kind == TN_WIRE_MESSAGE) {
        return hear_letter(l, header, header_bytes, data, bytes, param);
    } else {
        return hear_control(l, header, header_bytes, data, bytes, param);
    }
    return UCS_OK;
}

ucs_status_t tn_link_am_handler(void *arg, const void *header, size_t header_bytes, void *data,
                                size_t bytes, const ucp_am_recv_param_t *param) {
    enum tn_wire_kind kind = (enum tn_wire_kind)(uintptr_t)arg;
    bool has_ep = (param->recv_attr & UCP_AM_RECV_ATTR_FIELD_REPLY_EP) != 0;
    struct tn_link *l = has_ep ? tn_progress_find_link(param->reply_ep) : NULL;
    if (l == NULL || tn_link_state(l) >= TN_LINK_CLOSING) {
        return UCS_OK;
    }
    if (kind == TN_WIRE_HELLO) {
        hear_hello(l, header, header_bytes);
    } else if (kind == TN_WIRE_READY) {
        hear_ready(l);
    } else {
        return hear_open(l, kind, header, header_bytes, data, bytes, param);
    }
    return UCS_OK;
}

// ---- landing

// Bytes that are fetched at a time: enough for any network; more would only make the first frame as
// late as the last.
#define FETCH_MOST (UINT64_C(8) << 20)

static struct tn_inbound *arrival_of(const struct tn_inbound_data *load) {
    struct tn_link *l = load->link;
    size_t at = (size_t)((const char *)load - (const char *)l->arrivals) / sizeof *l->arrivals;
    return &l->arrivals[at];
}

static void landed(void *request, ucs_status_t code, size_t length, void *arg) {
    const struct tn_inbound_data *load = (const struct tn_inbound_data *)arg;
    struct tn_link *l = load->link;
    tn_ucx.ucp_request_free(request);
    l->under_way--;
    l->fetching -= load->bytes;
    arrival_of(load)->landing--;
    if (code != UCS_OK && l->broken == UCS_OK) {
        l->broken = code;
    } else if (code == UCS_OK && length != load->bytes) {
        corrupt(l, "data shorter than announced");
    }
}

static void fetch(struct tn_link *l, struct tn_inbound_data *load) {
    ucp_request_param_t param = {.op_attr_mask =
                                     UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
                                 .cb.recv_am = landed,
                                 .user_data = load};
    if (l->memory != NULL) {
        param.op_attr_mask |= UCP_OP_ATTR_FIELD_MEMH;
        param.memh = l->memory;
    }
    void *descriptor = load->descriptor;
    load->descriptor = NULL; // UCX's from here on
    ucs_status_ptr_t request = tn_ucx.ucp_am_recv_data_nbx(tn_progress_worker(), descriptor,
                                                           load->parcel, load->bytes, &param);
    if (UCS_PTR_IS_PTR(request)) {
        l->under_way++;
        l->fetching += load->bytes;
        arrival_of(load)->landing++;
    } else if (UCS_PTR_IS_ERR(request)) {
        l->broken = UCS_PTR_STATUS(request);
    }
}

// False: not now.
static bool begin(struct tn_link *l, struct tn_inbound_data *load) {
    if (load->bytes == 0 || load->parcel != NULL) {
        return true;
    }
    if (load->rendezvous && l->fetching != 0 && l->fetching + load->bytes > FETCH_MOST) {
        return false;
    }
    if (!tn_parcel_alloc_for_link(l->arena, load->bytes, tn_progress_eventfd(), &l->waiter,
                                  &l->in_line, &load->parcel)) {
        return false;
    }
    if (load->rendezvous) {
        fetch(l, load);
    } else {
        memcpy(load->parcel, load->descriptor, load->bytes);
        tn_ucx.ucp_am_data_release(tn_progress_worker(), load->descriptor);
        load->descriptor = NULL;
    }
    return true;
}

// Has all of it been announced, and agree the announcements?
static bool is_whole(struct tn_link *l, const struct tn_inbound *arrival) {
    bool apart = arrival->here && arrival->slot.control_separate == 1;
    if (!arrival->here || (apart && !arrival->control.here)) {
        return false;
    }
    if (arrival->control.here &&
        (!apart || arrival->control.bytes != arrival->slot.control_bytes)) {
        corrupt(l, "control bytes that no message has");
        return false;
    }
    return true;
}

static bool land(struct tn_link *l) {
    bool moved = false;
    while (tn_link_state(l) == TN_LINK_OPEN) {
        struct tn_inbound *arrival = arrival_at(l, l->landed);
        if (l->landed - l->published == l->peer.slots || !is_whole(l, arrival) ||
            !begin(l, &arrival->control) || !begin(l, &arrival->data)) {
            break;
        }
        l->landed++;
        moved = true;
    }
    return moved;
}

// ---- publishing

static struct tn_parcel_ref refer(const struct tn_link *l, const struct tn_inbound_data *load) {
    uint64_t offset = (uint64_t)((unsigned char *)load->parcel - l->arena->shm.base);
    return (struct tn_parcel_ref){0, 0, offset, load->bytes};
}

static void publish(struct tn_link *l, struct tn_inbound *arrival) {
    struct tn_descriptor *slot = &l->mirror.slots[l->published & (l->mirror.shape.slots - 1)];
    memcpy(slot, &arrival->slot, sizeof *slot);
    if (slot->kind == TN_DESCRIPTOR_PARCEL) {
        slot->kind = TN_DESCRIPTOR_COPIED;
        slot->policy = TARN_PARCEL_AUTO;
        slot->parcel = refer(l, &arrival->data);
    }
    if (slot->control_separate == 1) {
        slot->control = refer(l, &arrival->control);
    }
    memset(arrival, 0, sizeof *arrival);
    l->published++;
    tn_store_seq_cst(&l->mirror.head->sent, l->published);
    tn_link_wake_channel(l, TN_WAIT_MESSAGE);
}

bool tn_link_am_recv(struct tn_link *l) {
    bool moved = !l->leaving && land(l);
    while (!l->leaving && l->published != l->landed && arrival_at(l, l->published)->landing == 0 &&
           tn_link_state(l) == TN_LINK_OPEN && l->broken == UCS_OK) {
        publish(l, arrival_at(l, l->published));
        moved = true;
    }
    return moved;
}

// ---- the end

static void refuse_load(struct tn_inbound_data *load) {
    if (load->descriptor != NULL) {
        tn_ucx.ucp_am_data_release(tn_progress_worker(), load->descriptor);
        load->descriptor = NULL;
    }
}

void tn_link_release_inbound_data(struct tn_link *l) {
    for (uint32_t i = 0; l->arrivals != NULL && i < l->peer.slots; i++) {
        refuse_load(&l->arrivals[i].data);
        refuse_load(&l->arrivals[i].control);
    }
    if (l->in_line) {
        tn_wait_set_leave(&l->arena->wait_set, &l->waiter);
        l->in_line = false;
    }
}

void tn_link_free_inbound_parcels(struct tn_link *l) {
    for (uint32_t i = 0; l->arrivals != NULL && i < l->peer.slots; i++) {
        (void)tarn_parcel_free(l->arena, l->arrivals[i].data.parcel);
        (void)tarn_parcel_free(l->arena, l->arrivals[i].control.parcel);
    }
}
