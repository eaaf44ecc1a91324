// SPDX-License-Identifier: Apache-2.0
// Replaces the rest of this folder if the headers of UCX are missing. Every call is refused.
#include "base/error.h"
#include "channel/link.h"

static tarn_status refuse_link(const char *address) {
    return tn_fail(TARN_UNSUPPORTED, "\"%s\": this library was built without UCX", address);
}

tarn_status tn_link_listen(const char *address, struct tn_link_listener **listener) {
    (void)listener;
    return refuse_link(address);
}

void tn_link_unlisten(struct tn_link_listener *listener) { (void)listener; }

tarn_status tn_link_accept(struct tn_link_listener *listener, uint64_t deadline_ns,
                           struct tn_handshake_state *h) {
    (void)listener;
    (void)deadline_ns;
    (void)h;
    return refuse_link(TN_LINK_SCHEME);
}

tarn_status tn_link_connect(const char *address, uint64_t deadline_ns,
                            struct tn_handshake_state *h) {
    (void)deadline_ns;
    (void)h;
    return refuse_link(address);
}

void tn_link_leave(struct tn_link *link) { (void)link; }

void tn_link_free(struct tn_link *link) { (void)link; }

const char *tn_link_corrupt(const struct tn_link *link) {
    (void)link;
    return NULL;
}

void tn_link_close_in_child(void) {}
