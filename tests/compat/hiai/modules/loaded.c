// SPDX-License-Identifier: Apache-2.0
// An engine in a shared object, as graph files name one by so_name: answers a byte with its double.
#include <hiaiengine/hiaix.h>

struct reply {
    HIAI_StatusT status;
    uint64_t value;
};

static HIAI_StatusT process(HIAIX_Engine *self, uint32_t port, void *msg, void *arg) {
    const HIAIX_RawMessage *raw = (const HIAIX_RawMessage *)msg;
    HIAI_PortID_t to = {HIAIX_GetEngineId(self).graph_id, 1, 0};
    struct reply reply = {HIAI_OK, *(const unsigned char *)raw->ctrl * 2u};
    (void)port;
    (void)arg;
    return HIAIX_SendRaw(to, "reply", &reply, sizeof reply, NULL, 0, HIAIX_DEFAULT_TIMEOUT_MS);
}

HIAIX_REGISTER_ENGINE("Loaded", 1, 1, process)
