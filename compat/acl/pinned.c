// SPDX-License-Identifier: Apache-2.0
// See pinned.h. The lock guards the list of retired blocks, and ensures that each block ends once.
// No call waits for a device under it.
#include "compat/acl/pinned.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "compat/acl/fork.h"
#include "compat/acl/memory.h"
#include "compat/face/scope.h"
#include "src/base/list.h"

#define POISON 0xA5

// Limit of retired bytes. Above it a free waits, if waiting is allowed.
#define MAX_RETIRED ((size_t)256 << 20)

struct retired {
    struct retired *next;
    tarn_addr start;
    size_t bytes;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct retired *retired;
static size_t retired_bytes;

static bool are_devices_idle(void) {
    bool idle = true;
    for (int i = 0; i < tn_acl_face.devices.count && idle; i++)
        idle = tarn_device_synchronize(tn_acl_face.devices.of[i].tarn, 0) == TARN_OK;
    return idle;
}

// Frees the retired blocks if no work is left that could use them. Inside a function that a stream
// runs, there is.
static void sweep_retired(void) {
    struct retired *list = NULL;
    (void)pthread_mutex_lock(&lock);
    if (retired != NULL && are_devices_idle()) {
        list = retired;
        retired = NULL;
        retired_bytes = 0;
    }
    (void)pthread_mutex_unlock(&lock);
    TN_CHAIN_DRAIN(struct retired, block, list, next) {
        (void)tarn_host_free((void *)(uintptr_t)block->start);
        free(block);
    }
}

aclError tn_acl_pinned_alloc(struct tn_face_device *device, const struct tn_acl_request *request,
                             void **ptr) {
    struct tn_acl_block block = {.family = request->family, .device = device};
    const uint32_t flags = request->family == TN_ACL_MANAGED ? TARN_HOST_ON_TOUCH : 0;
    void *got = NULL;
    sweep_retired();
    aclError error = tn_acl_status(tarn_host_alloc(device->tarn, request->bytes, flags, &got));
    if (error == ACL_ERROR_RT_MEMORY_ALLOCATION && request->family == TN_ACL_HOST) *ptr = NULL;
    TN_ACL_TRY(error);
    if (tn_acl_face.poison) memset(got, POISON, request->bytes);
    tn_acl_block_mark(TARN_ADDR(got), &block);
    tn_acl_block_annotate(TARN_ADDR(got), request->family, request->size);
    *ptr = got;
    return ACL_SUCCESS;
}

bool tn_acl_pinned_set_registered(tarn_addr start, bool registered) {
    struct tn_acl_block block;
    TN_FACE_LOCKED(&lock);
    bool changes = tn_acl_block_query(start, &block) && block.start == start &&
                   block.family == TN_ACL_HOST && block.registered != registered;
    if (changes) {
        block.registered = registered;
        tn_acl_block_remark(&block);
    }
    return changes;
}

// Removes the mark, for one of the threads that try. Sets *many if too much is retired already.
static bool claim_block(const struct tn_acl_block *block, bool *many) {
    struct tn_acl_block now;
    TN_FACE_LOCKED(&lock);
    *many = retired_bytes > MAX_RETIRED;
    bool mine = tn_acl_block_query(block->start, &now) && now.family == block->family;
    if (mine) (void)tarn_address_set_user(block->start, 0);
    return mine;
}

// A free that may not wait retires the block: beside work, or inside a function that a stream runs.
// It waits, if it can, if no host memory is left for the record or too much is retired.
aclError tn_acl_pinned_free(const struct tn_acl_block *block) {
    bool many = false;
    sweep_retired();
    struct retired *record = (struct retired *)malloc(sizeof *record);
    if (!claim_block(block, &many)) {
        free(record);
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "0x%llx is freed already",
                           (unsigned long long)block->start);
    }
    bool waits = record == NULL || many || are_devices_idle();
    tarn_status status = waits ? tarn_host_free((void *)(uintptr_t)block->start) : TARN_BUSY;
    if (status == TARN_BUSY && record != NULL) {
        TN_FACE_LOCKED(&lock);
        *record = (struct retired){retired, block->start, block->bytes};
        retired = record;
        retired_bytes += record->bytes;
        return ACL_SUCCESS;
    }
    free(record);
    if (status == TARN_BUSY) {
        tn_acl_block_remark(block);
        return tn_acl_fail(ACL_ERROR_BAD_ALLOC, "out of host memory to free 0x%llx later",
                           (unsigned long long)block->start);
    }
    return tn_acl_status(status);
}

// The blocks belong to the parent.
static void forget_retired(void) {
    TN_CHAIN_DRAIN(struct retired, block, retired, next) free(block);
    retired_bytes = 0;
}
TN_FACE_ON_FORK(TN_ACL_LOCK_PINNED, &lock, forget_retired);
