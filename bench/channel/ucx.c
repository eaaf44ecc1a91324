// SPDX-License-Identifier: Apache-2.0
// Carrier: UCX, tagged messages over the shared memory that it selects. Both sides poll, as UCX
// does.
#include <string.h>
#include <unistd.h>

#include <ucp/api/ucp.h>

#include "stream.h"

struct side {
    ucp_context_h context;
    ucp_worker_h worker;
    ucp_ep_h peer;
};

static void must(struct stream *stream, ucs_status_t status) {
    if (status != UCS_OK) stream_fail(stream, ucs_status_string(status));
}

static void meet(struct stream *stream, int socket, struct side *side) {
    static char theirs[4096];
    ucp_address_t *mine;
    size_t bytes;
    must(stream, ucp_worker_get_address(side->worker, &mine, &bytes));
    if (write(socket, mine, bytes) != (ssize_t)bytes || read(socket, theirs, sizeof theirs) <= 0)
        stream_fail(stream, "exchange of addresses");
    ucp_worker_release_address(side->worker, mine);
    ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS,
                              .address = (const ucp_address_t *)(void *)theirs};
    must(stream, ucp_ep_create(side->worker, &params, &side->peer));
}

static void open_side(struct stream *stream, int socket, struct side *side) {
    ucp_config_t *config;
    ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES, .features = UCP_FEATURE_TAG};
    ucp_worker_params_t worker = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                  .thread_mode = UCS_THREAD_MODE_SINGLE};
    must(stream, ucp_config_read(NULL, NULL, &config));
    must(stream, ucp_init(&params, config, &side->context));
    ucp_config_release(config);
    must(stream, ucp_worker_create(side->context, &worker, &side->worker));
    meet(stream, socket, side);
}

static void finish(struct stream *stream, const struct side *side, ucs_status_ptr_t request) {
    if (request == NULL) return;
    if (UCS_PTR_IS_ERR(request)) stream_fail(stream, ucs_status_string(UCS_PTR_STATUS(request)));
    while (ucp_request_check_status(request) == UCS_INPROGRESS)
        (void)ucp_worker_progress(side->worker);
    must(stream, ucp_request_check_status(request));
    ucp_request_free(request);
}

static void produce(struct stream *stream, int socket, const char *name) {
    struct side side;
    ucs_status_ptr_t requests[STREAM_DEPTH_MOST];
    ucp_request_param_t param = {0};
    char *memory = (char *)stream_memory(stream->depth * stream->bytes);
    bool more = true;
    char byte;
    (void)name;
    memset(requests, 0, sizeof requests);
    open_side(stream, socket, &side);
    for (uint64_t n = 0; more; n++) {
        unsigned slot = (unsigned)(n % stream->depth);
        char *message = memory + slot * stream->bytes;
        finish(stream, &side, requests[slot]);
        more = stream_write(stream, n, message);
        requests[slot] = ucp_tag_send_nbx(side.peer, message, stream->bytes, 1, &param);
    }
    for (uint32_t i = 0; i < stream->depth; i++) finish(stream, &side, requests[i]);
    (void)ucp_worker_progress(side.worker);
    (void)!read(socket, &byte, 1);
}

static void consume(struct stream *stream, int socket, const char *name) {
    struct side side;
    ucp_request_param_t param = {0};
    void *message = stream_memory(stream->bytes);
    char byte = 0;
    (void)name;
    open_side(stream, socket, &side);
    do {
        finish(stream, &side,
               ucp_tag_recv_nbx(side.worker, message, stream->bytes, 1, UINT64_MAX, &param));
    } while (stream_read(stream, message));
    (void)!write(socket, &byte, 1);
}

const struct carrier carry_ucx = {"ucx", produce, consume};
