// SPDX-License-Identifier: Apache-2.0
// Loads UCX. By default UCX catches signals and prints, which it must not do inside another
// program. If the program uses UCX itself, or configures it in the environment, those settings
// stay.
#include "channel/ucx/link.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/library.h"

struct tn_ucx tn_ucx;

static const char *const ucp_names[] = {"libucp.so.0", NULL};
static const char *const ucs_names[] = {"libucs.so.0", NULL};

#define SYMBOL(name) {#name, offsetof(struct tn_ucx, name), false},
static const struct tn_symbol ucp_table[] = {TN_UCP_LIST(SYMBOL)};
static const struct tn_symbol ucs_table[] = {
    {"ucs_status_string", offsetof(struct tn_ucx, status_string), false},
    {"ucs_global_opts_set_value", offsetof(struct tn_ucx, set_option), true},
    {"ucs_debug_disable_signals", offsetof(struct tn_ucx, disable_signals), true},
};
#define COUNT(table) (sizeof(table) / sizeof *(table))

tarn_status tn_ucx_load(void) {
    static bool loaded;
    const struct tn_library *ucp;
    const struct tn_library *ucs;
    if (loaded) return TARN_OK;
    void *before = dlopen(ucs_names[0], RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (before != NULL) (void)dlclose(before); // drops the reference that dlopen() added
    TN_TRY(tn_library_open("UCX", NULL, ucs_names, "ucs_status_string", &ucs));
    TN_TRY(tn_library_open("UCX", NULL, ucp_names, "ucp_worker_create", &ucp));
    TN_TRY(tn_library_resolve("UCX", ucs, ucs_table, COUNT(ucs_table), &tn_ucx));
    TN_TRY(tn_library_resolve("UCX", ucp, ucp_table, COUNT(ucp_table), &tn_ucx));
    bool silent = before == NULL; // else the program uses UCX itself
    if (silent && getenv("UCX_LOG_LEVEL") == NULL && tn_ucx.set_option != NULL)
        (void)tn_ucx.set_option("LOG_LEVEL", "fatal");
    if (silent && getenv("UCX_HANDLE_ERRORS") == NULL && tn_ucx.disable_signals != NULL)
        tn_ucx.disable_signals();
    loaded = true;
    return TARN_OK;
}
