// SPDX-License-Identifier: Apache-2.0
// The functions of UCX that links call. They are loaded from libucp and libucs for the first link,
// so that programs without links do not need UCX. The table is written once.
#ifndef TARN_CHANNEL_UCX_API_H
#define TARN_CHANNEL_UCX_API_H

#include <tarn/base.h>
#include <ucp/api/ucp.h>

#define TN_UCP_LIST(X)                                                                             \
    X(ucp_config_read)                                                                             \
    X(ucp_config_modify)                                                                           \
    X(ucp_config_release)                                                                          \
    X(ucp_init_version)                                                                            \
    X(ucp_cleanup)                                                                                 \
    X(ucp_worker_create)                                                                           \
    X(ucp_worker_destroy)                                                                          \
    X(ucp_worker_query)                                                                            \
    X(ucp_worker_progress)                                                                         \
    X(ucp_worker_get_efd)                                                                          \
    X(ucp_worker_arm)                                                                              \
    X(ucp_worker_set_am_recv_handler)                                                              \
    X(ucp_listener_create)                                                                         \
    X(ucp_listener_destroy)                                                                        \
    X(ucp_listener_reject)                                                                         \
    X(ucp_ep_create)                                                                               \
    X(ucp_ep_close_nbx)                                                                            \
    X(ucp_am_send_nbx)                                                                             \
    X(ucp_am_recv_data_nbx)                                                                        \
    X(ucp_am_data_release)                                                                         \
    X(ucp_mem_map)                                                                                 \
    X(ucp_mem_unmap)                                                                               \
    X(ucp_request_check_status)                                                                    \
    X(ucp_request_free)

struct tn_ucx {
#define TN_UCX_FIELD(name) __typeof__(&name) name;
    TN_UCP_LIST(TN_UCX_FIELD)
#undef TN_UCX_FIELD
    const char *(*status_string)(ucs_status_t status);
    ucs_status_t (*set_option)(const char *name, const char *value); // may be NULL
    void (*disable_signals)(void);                                   // may be NULL
};
extern struct tn_ucx tn_ucx;

// Loads the table once. Returns UNSUPPORTED if libucp is missing or too old. One thread at a time.
tarn_status tn_ucx_load(void);

#endif
