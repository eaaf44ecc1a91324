// SPDX-License-Identifier: Apache-2.0
// See pinned.h.
#include "compat/acl/pinned.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "compat/acl/fork.h"

#define POISON 0xA5

// Bytes that may be retired; beyond them a free function waits after all, where it may.
#define RETIRED_MOST ((size_t)256 << 20)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the list of the retired
static struct tn_acl_block *retired;
static size_t retired_bytes;

static bool is_idle(void) {
    bool idle = true;
    for (int i = 0; i < tn_acl_face.count && idle; i++) {
        idle = tarn_device_synchronize_for(tn_acl_face.devices[i].tarn, 0) == TARN_OK;
    }
    return idle;
}

static void retire(struct tn_acl_block *block) {
    (void)pthread_mutex_lock(&lock);
    block->next = retired;
    retired = block;
    retired_bytes += block->bytes;
    (void)pthread_mutex_unlock(&lock);
}

// Takes what is retired off the list, if there is any and no work is left that could use it.
static struct tn_acl_block *take_retired(void) {
    (void)pthread_mutex_lock(&lock);
    struct tn_acl_block *list = retired;
    if (list != NULL && is_idle()) {
        retired = NULL;
        retired_bytes = 0;
    } else {
        list = NULL;
    }
    (void)pthread_mutex_unlock(&lock);
    return list;
}

static bool are_many_retired(void) {
    (void)pthread_mutex_lock(&lock);
    bool many = retired_bytes > RETIRED_MOST;
    (void)pthread_mutex_unlock(&lock);
    return many;
}

static void sweep_retired(void) {
    for (struct tn_acl_block *block = take_retired(), *next; block != NULL; block = next) {
        next = block->next;
        if (tarn_host_free((void *)block->start) == TARN_BUSY) {
            retire(block);
        } else {
            free(block);
        }
    }
}

aclError tn_acl_pinned_take(struct tn_acl_device *device, enum tn_acl_family family, size_t bytes,
                            void **ptr) {
    void *got = NULL;
    sweep_retired();
    struct tn_acl_block *block = tn_acl_block_new(family, device, bytes);
    if (block == NULL) {
        return ACL_ERROR_BAD_ALLOC;
    }
    tarn_status status = tarn_host_alloc(device->tarn, bytes, 0, &got);
    if (status != TARN_OK) {
        free(block);
        return tn_acl_from(status, ACL_ERROR_RT_PARAM_INVALID);
    }
    if (tn_acl_face.poison) {
        memset(got, POISON, bytes);
    }
    block->pinned = true;
    tn_acl_block_insert(block, (uintptr_t)got);
    *ptr = got;
    return ACL_SUCCESS;
}

aclError tn_acl_pinned_end(struct tn_acl_block *block) {
    sweep_retired();
    if (!is_idle() && !are_many_retired()) {
        retire(block);
        return ACL_SUCCESS;
    }
    tarn_status status = tarn_host_free((void *)block->start);
    if (status == TARN_BUSY) { // inside a function that a stream called
        retire(block);
        return ACL_SUCCESS;
    }
    if (status != TARN_OK) {
        tn_acl_block_insert(block, block->start);
        return tn_acl_from(status, ACL_ERROR_RT_PARAM_INVALID);
    }
    free(block);
    return ACL_SUCCESS;
}

// The blocks belong to the parent.
void tn_acl_pinned_fork(enum tn_face_fork step) {
    if (step == TN_FACE_FORK_PREPARE) {
        (void)pthread_mutex_lock(&lock);
        return;
    }
    while (step == TN_FACE_FORK_CHILD && retired != NULL) {
        struct tn_acl_block *block = retired;
        retired = block->next;
        free(block);
    }
    retired_bytes = step == TN_FACE_FORK_CHILD ? 0 : retired_bytes;
    (void)pthread_mutex_unlock(&lock);
}
