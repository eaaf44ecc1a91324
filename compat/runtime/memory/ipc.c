// SPDX-License-Identifier: Apache-2.0
// See memory.h: device memory shared with other processes by keys of Tarn. The record of a block
// keeps the key by which it was exported or opened. So keys of the own process are recognised,
// which vendors do not let it open. A key of another process is opened once for each device.
#include "compat/runtime/memory/memory.h"

#include <pthread.h>
#include <string.h>

#include "compat/face/scope.h"
#include "compat/runtime/base/lock.h"

// Orders the look-up of a key with the opening or closing that follows. Tarn is called, and may
// wait, under it; only other openings and closings wait for it.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// ---- export

static tn_rt_error keep_key(const struct tn_rt_block *block, const tarn_key *key, unsigned opens) {
    struct tn_rt_record TN_FACE_HELD *record = NULL;
    TN_FACE_LOCKED(&tn_rt_records_lock);
    TN_RT_TRY(tn_rt_record_make(block, &record));
    record->key = *key;
    record->has_key = true;
    record->opens = opens;
    return TN_RT_OK;
}

// An address inside a block exports the block, as with vendors' libraries. Importers get its start.
tn_rt_error tn_rt_ipc_export(void *handle, const void *ptr) {
    struct tn_rt_block block;
    tarn_key key;
    TN_RT_TRY(tn_rt_check_pointer(handle, "handle"));
    TN_RT_TRY(tn_rt_check_pointer(ptr, "devPtr"));
    tn_rt_error error = tn_rt_block_find(ptr, TN_RT_BLOCK_DEVICE, &block);
    if (error != TN_RT_OK || block.start != TARN_ADDR(ptr))
        tarn_annotate_refused("tarn_memory_export", TARN_ADDR(ptr));
    TN_RT_TRY(error);
    TN_RT_TRY(tn_rt_error_of(tarn_memory_export(block.start, &key)));
    TN_RT_TRY(keep_key(&block, &key, 0));
    memcpy(handle, &key, sizeof key);
    return TN_RT_OK;
}

// ---- opening

// If a live block has that key, sets *start and opens it once more. TN_RT_NOT_READY: no block has
// it. TN_RT_INVALID_CONTEXT: a block of this process has it. Called under the lock.
static tn_rt_error join_record(struct tn_rt_record *record, const tarn_key *key, tarn_addr *start) {
    struct tn_rt_block block;
    TN_FACE_LOCKED(&tn_rt_records_lock);
    bool same = record->has_key && memcmp(&record->key, key, sizeof *key) == 0;
    if (!same || !tn_rt_block_query((const void *)(uintptr_t)record->start, &block))
        return TN_RT_NOT_READY;
    TN_RT_REFUSE(block.kind == TN_RT_BLOCK_DEVICE, TN_RT_INVALID_CONTEXT,
                 "the handle is of this process's own 0x%llx", (unsigned long long)block.start);
    if (block.device != tn_rt_current()) return TN_RT_NOT_READY;
    record->opens++;
    *start = block.start;
    return TN_RT_OK;
}

static tn_rt_error join_any(const tarn_key *key, tarn_addr *start) {
    tn_rt_error error = TN_RT_NOT_READY;
    uint32_t cursor = 0;
    while (error == TN_RT_NOT_READY) {
        struct tn_rt_record TN_FACE_HELD *record =
            (struct tn_rt_record *)tn_face_handle_next(TN_RT_RECORD, NULL, NULL, &cursor);
        if (record == NULL) break;
        error = join_record(record, key, start);
    }
    return error;
}

// Called under the lock.
static tn_rt_error import_key(const tarn_key *key, tarn_addr *start) {
    struct tn_rt_block block;
    tarn_addr addr = 0;
    tarn_status status = tarn_memory_import(tn_rt_current()->tarn, key, &addr);
    if (status != TARN_OK) {
        tn_rt_error error = tn_rt_error_of(status);
        return status == TARN_BAD_HANDLE ? TN_RT_INVALID_VALUE : error;
    }
    tn_rt_block_mark(addr, TN_RT_BLOCK_OPENED, 0);
    tn_rt_error error = tn_rt_block_find((const void *)(uintptr_t)addr, TN_RT_BLOCK_OPENED, &block);
    if (error == TN_RT_OK) error = keep_key(&block, key, 1);
    if (error == TN_RT_OK)
        *start = addr;
    else
        (void)tarn_memory_free(addr, 0);
    return error;
}

tn_rt_error tn_rt_ipc_open(void **ptr, const void *handle, unsigned flags) {
    tarn_key key;
    tarn_addr start = 0;
    TN_RT_REFUSE(ptr == NULL || flags > TN_RT_IPC_LAZY, TN_RT_INVALID_VALUE,
                 "devPtr %p, flags 0x%x", (void *)ptr, flags);
    memcpy(&key, handle, sizeof key);
    TN_FACE_LOCKED(&lock);
    tn_rt_error error = join_any(&key, &start);
    TN_RT_TRY(error == TN_RT_NOT_READY ? import_key(&key, &start) : error);
    *ptr = (void *)(uintptr_t)start;
    return TN_RT_OK;
}

// ---- closing

tn_rt_error tn_rt_ipc_end(const struct tn_rt_block *block) {
    struct tn_rt_record TN_FACE_HELD *record = tn_rt_record_get(block);
    // Of the memory: a block may be a part of it.
    tarn_addr start = record != NULL ? record->start : block->start;
    TN_RT_TRY(tn_rt_error_of(tarn_memory_free(start, 0)));
    tn_rt_record_end(block);
    return TN_RT_OK;
}

// The last closing ends the mapping.
tn_rt_error tn_rt_ipc_close(const void *ptr) {
    struct tn_rt_block block;
    TN_FACE_LOCKED(&lock);
    TN_RT_TRY(tn_rt_block_find_end(ptr, TN_RT_BLOCK_OPENED, "end of an import", &block));
    struct tn_rt_record TN_FACE_HELD *record = tn_rt_record_get(&block);
    if (record == NULL || record->opens == 1) return tn_rt_ipc_end(&block);
    record->opens--;
    return TN_RT_OK;
}

TN_FACE_ON_FORK(TN_RT_LOCK_IPC, &lock, NULL);
