// SPDX-License-Identifier: Apache-2.0
// See block.h. The table is a treap: ordered by start, and a heap by a rank that is a hash of the
// start, which keeps it shallow whatever order blocks come in.
#include "compat/hip/block.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <tarn/annotate.h>

#include "compat/hip/lock.h"
#include "compat/hip/order.h"
#include "compat/hip/pool.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards all below
static struct tn_hip_block *root;

static _Atomic(uint32_t) last_id;

struct tn_hip_block *tn_hip_block_new(enum tn_hip_block_kind kind, size_t bytes, unsigned flags) {
    struct tn_hip_block *block = (struct tn_hip_block *)calloc(1, sizeof *block);
    if (block == NULL) {
        (void)tn_hip_fail(hipErrorOutOfMemory, "no host memory for the record of a block");
        return NULL;
    }
    block->kind = kind;
    block->bytes = bytes;
    block->flags = flags;
    block->device = tn_hip_current();
    block->id = atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1;
    return block;
}

void tn_hip_block_free(struct tn_hip_block *block) {
    free(block->advice);
    free(block->key);
    free(block);
}

// ---- the tree, under the lock

static uint64_t rank_of(uintptr_t start) {
    uint64_t x = start;
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

// The blocks of `tree` that start before `start`, and the others.
static void split(struct tn_hip_block *tree, uintptr_t start, struct tn_hip_block **before,
                  struct tn_hip_block **behind) {
    while (tree != NULL) {
        if (tree->start < start) {
            *before = tree;
            before = &tree->behind;
            tree = tree->behind;
        } else {
            *behind = tree;
            behind = &tree->before;
            tree = tree->before;
        }
    }
    *before = NULL;
    *behind = NULL;
}

// Puts the children of a node in its place.
static void unlink_at(struct tn_hip_block **at) {
    struct tn_hip_block *before = (*at)->before;
    struct tn_hip_block *behind = (*at)->behind;
    while (before != NULL && behind != NULL) {
        if (before->rank >= behind->rank) {
            *at = before;
            at = &before->behind;
            before = before->behind;
        } else {
            *at = behind;
            at = &behind->before;
            behind = behind->before;
        }
    }
    *at = before != NULL ? before : behind;
}

// Where the block that starts at `start` hangs; where NULL hangs if there is none.
static struct tn_hip_block **place_of(uintptr_t start) {
    struct tn_hip_block **at = &root;
    while (*at != NULL && (*at)->start != start) {
        at = start < (*at)->start ? &(*at)->before : &(*at)->behind;
    }
    return at;
}

static struct tn_hip_block *holder_of(uintptr_t address) {
    struct tn_hip_block *best = NULL;
    for (struct tn_hip_block *at = root; at != NULL;) {
        bool right = at->start <= address;
        best = right ? at : best;
        at = right ? at->behind : at->before;
    }
    return best != NULL && address - best->start < best->bytes ? best : NULL;
}

// ---- calls

void tn_hip_block_insert(struct tn_hip_block *block, uintptr_t start) {
    block->start = start;
    block->rank = rank_of(start);
    (void)pthread_mutex_lock(&lock);
    struct tn_hip_block **at = &root;
    while (*at != NULL && (*at)->rank >= block->rank) {
        at = start < (*at)->start ? &(*at)->before : &(*at)->behind;
    }
    split(*at, start, &block->before, &block->behind);
    *at = block;
    (void)pthread_mutex_unlock(&lock);
}

static const char *kind_text(enum tn_hip_block_kind kind) {
    switch (kind) {
    case TN_HIP_BLOCK_DEVICE:
        return "device memory";
    case TN_HIP_BLOCK_MANAGED:
        return "managed memory";
    case TN_HIP_BLOCK_HOST:
        return "pinned host memory";
    case TN_HIP_BLOCK_REGISTERED:
        return "registered host memory";
    case TN_HIP_BLOCK_OPENED:
        return "memory of another process";
    case TN_HIP_BLOCK_POOLED:
        return "memory of a pool";
    case TN_HIP_BLOCK_MAPPED:
        break;
    }
    return "a mapping";
}

static hipError_t refuse(const void *ptr) {
    struct tn_hip_block other;
    if (!tn_hip_block_look(ptr, &other)) {
        return tn_hip_fail(hipErrorInvalidValue, "%p is in no memory of HIP", ptr);
    }
    return tn_hip_fail(hipErrorInvalidValue, "%p is %s %s of %zu bytes from 0x%llx", ptr,
                       (uintptr_t)ptr == other.start ? "the start of" : "inside",
                       kind_text(other.kind), other.bytes, (unsigned long long)other.start);
}

struct tn_hip_block *tn_hip_block_take(const void *start, unsigned kinds) {
    (void)pthread_mutex_lock(&lock);
    struct tn_hip_block **at = place_of((uintptr_t)start);
    struct tn_hip_block *block = *at;
    if (block != NULL && (block->kind & kinds) != 0) {
        unlink_at(at);
    } else {
        block = NULL;
    }
    (void)pthread_mutex_unlock(&lock);
    if (block == NULL) {
        (void)refuse(start);
        tarn_annotate_refused("a free by HIP", (tarn_addr)(uintptr_t)start);
    }
    return block;
}

static hipError_t each(struct tn_hip_block *block,
                       hipError_t (*change)(struct tn_hip_block *block, void *arg), void *arg) {
    if (block == NULL) {
        return hipErrorNotReady;
    }
    hipError_t error = each(block->before, change, arg);
    if (error == hipErrorNotReady) {
        error = change(block, arg);
    }
    return error == hipErrorNotReady ? each(block->behind, change, arg) : error;
}

struct choice {
    bool (*wanted)(const struct tn_hip_block *block, const void *arg);
    const void *arg;
    uintptr_t start; // out
};

static hipError_t choose(struct tn_hip_block *block, void *arg) {
    struct choice *choice = (struct choice *)arg;
    choice->start = block->start;
    return choice->wanted(block, choice->arg) ? hipSuccess : hipErrorNotReady;
}

struct tn_hip_block *tn_hip_block_take_any(bool (*wanted)(const struct tn_hip_block *block,
                                                          const void *arg),
                                           const void *arg) {
    struct choice choice = {.wanted = wanted, .arg = arg};
    struct tn_hip_block *block = NULL;
    (void)pthread_mutex_lock(&lock);
    if (each(root, choose, &choice) == hipSuccess) {
        struct tn_hip_block **at = place_of(choice.start);
        block = *at;
        unlink_at(at);
    }
    (void)pthread_mutex_unlock(&lock);
    return block;
}

// Pages of pools are mapped too, but only what is in a block is the program's.
static bool look_at_mapping(uintptr_t address, struct tn_hip_block *copy) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    if (tarn_address_query(address, &info) != TARN_OK || info.kind != TARN_ADDRESS_MAPPED ||
        tn_hip_pool_holds(address)) {
        return false;
    }
    struct tn_hip_device *device = NULL;
    if (info.location.type == TARN_LOCATION_DEVICE) {
        device = tn_hip_device(tn_hip_ordinal_of(info.location.id));
        device = device != NULL ? device : tn_hip_current(); // one that is not visible here
    }
    *copy = (struct tn_hip_block){.start = (uintptr_t)info.base,
                                  .bytes = (size_t)info.bytes,
                                  .kind = TN_HIP_BLOCK_MAPPED,
                                  .device = device,
                                  .phys = info.phys};
    return true;
}

bool tn_hip_block_look(const void *ptr, struct tn_hip_block *copy) {
    (void)pthread_mutex_lock(&lock);
    struct tn_hip_block *block = holder_of((uintptr_t)ptr);
    if (block != NULL) {
        *copy = *block;
    }
    (void)pthread_mutex_unlock(&lock);
    return block != NULL || look_at_mapping((uintptr_t)ptr, copy);
}

hipError_t tn_hip_block_change(const void *ptr, unsigned kinds,
                               hipError_t (*change)(struct tn_hip_block *block, void *arg),
                               void *arg) {
    hipError_t error = hipErrorInvalidValue;
    (void)pthread_mutex_lock(&lock);
    struct tn_hip_block *block = holder_of((uintptr_t)ptr);
    bool good = block != NULL && (block->kind & kinds) != 0;
    if (good) {
        error = change(block, arg);
    }
    (void)pthread_mutex_unlock(&lock);
    return good ? error : refuse(ptr);
}

hipError_t tn_hip_block_each(hipError_t (*change)(struct tn_hip_block *block, void *arg),
                             void *arg) {
    (void)pthread_mutex_lock(&lock);
    hipError_t error = each(root, change, arg);
    (void)pthread_mutex_unlock(&lock);
    return error;
}

// The blocks belong to the parent.
static void forget_blocks(void) {
    while (root != NULL) {
        struct tn_hip_block *block = root;
        unlink_at(&root);
        tn_hip_block_free(block);
    }
}

TN_FACE_ON_FORK(TN_HIP_LOCK_BLOCK, &lock, forget_blocks);
