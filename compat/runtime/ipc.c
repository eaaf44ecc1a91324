// SPDX-License-Identifier: Apache-2.0
// See memory.h: device memory shared with other processes by keys of Tarn. The record of a block
// keeps the key by which it was exported or opened. So keys of the own process are recognised,
// which vendors do not let it open. A key of another process is opened once for each device.
#include "compat/runtime/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "compat/runtime/lock.h"

// Orders the look-up of a key with the opening or closing that follows. Tarn is called, and may
// wait, under it; only other openings and closings wait for it.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// ---- export

static tn_rt_error keep_key(const struct tn_rt_block *block, const tarn_memory_key *key,
                            unsigned opens) {
    struct tn_rt_record *record = NULL;
    tn_rt_records_lock();
    tn_rt_error error = tn_rt_record_make(block, &record);
    if (error == TN_RT_OK) {
        record->key = *key;
        record->has_key = true;
        record->opens = opens;
    }
    tn_rt_records_unlock();
    if (record != NULL) tn_rt_record_put(record);
    return error;
}

tn_rt_error tn_rt_ipc_export(const void *ptr, tarn_memory_key *key) {
    struct tn_rt_block block;
    TN_RT_TRY(tn_rt_block_find(ptr, TN_RT_BLOCK_DEVICE, &block));
    TN_RT_TRY(tn_rt_from(tarn_memory_export(block.start, key)));
    return keep_key(&block, key, 0);
}

// ---- opening

// If a live block has that key, sets *start and opens it once more. TN_RT_NOT_READY: no block has
// it. TN_RT_INVALID_CONTEXT: a block of this process has it. Called under the lock.
static tn_rt_error join_record(struct tn_rt_record *record, const tarn_memory_key *key,
                               tarn_addr *start) {
    struct tn_rt_block block;
    tn_rt_records_lock();
    bool same = record->has_key && memcmp(&record->key, key, sizeof *key) == 0;
    tn_rt_records_unlock();
    if (!same || !tn_rt_block_query((const void *)(uintptr_t)record->start, &block))
        return TN_RT_NOT_READY;
    TN_RT_REFUSE(block.kind == TN_RT_BLOCK_DEVICE, TN_RT_INVALID_CONTEXT,
                 "the handle is of this process's own 0x%llx", (unsigned long long)block.start);
    if (block.device != tn_rt_current()) return TN_RT_NOT_READY;
    record->opens++;
    *start = block.start;
    return TN_RT_OK;
}

static tn_rt_error join_any(const tarn_memory_key *key, tarn_addr *start) {
    tn_rt_error error = TN_RT_NOT_READY;
    uint32_t cursor = 0;
    struct tn_face_object *object;
    while (error == TN_RT_NOT_READY &&
           (object = tn_face_handle_next(TN_RT_RECORD, NULL, NULL, &cursor)) != NULL) {
        error = join_record((struct tn_rt_record *)object, key, start);
        tn_face_object_put(object);
    }
    return error;
}

// Called under the lock.
static tn_rt_error import_key(const tarn_memory_key *key, tarn_addr *start) {
    struct tn_rt_block block;
    tarn_addr addr = 0;
    tarn_status status = tarn_memory_import(tn_rt_current()->tarn, key, &addr);
    if (status != TARN_OK) {
        tn_rt_error error = tn_rt_from(status);
        return status == TARN_BAD_HANDLE ? TN_RT_INVALID_VALUE : error;
    }
    tn_rt_block_mark(addr, TN_RT_BLOCK_OPENED, 0);
    tn_rt_error error = tn_rt_block_find((const void *)(uintptr_t)addr, TN_RT_BLOCK_OPENED, &block);
    if (error == TN_RT_OK) error = keep_key(&block, key, 1);
    if (error != TN_RT_OK) {
        (void)tarn_memory_close(addr);
        return error;
    }
    *start = addr;
    return TN_RT_OK;
}

tn_rt_error tn_rt_ipc_open(const tarn_memory_key *key, void **ptr) {
    tarn_addr start = 0;
    (void)pthread_mutex_lock(&lock);
    tn_rt_error error = join_any(key, &start);
    if (error == TN_RT_NOT_READY) error = import_key(key, &start);
    (void)pthread_mutex_unlock(&lock);
    if (error == TN_RT_OK) *ptr = (void *)(uintptr_t)start;
    return error;
}

// ---- closing

tn_rt_error tn_rt_ipc_end(const struct tn_rt_block *block) {
    struct tn_rt_record *record = tn_rt_record_get(block);
    tarn_addr start = block->start; // of the memory: a block may be a part of it
    if (record != NULL) {
        start = record->start;
        tn_rt_record_put(record);
    }
    TN_RT_TRY(tn_rt_from(tarn_memory_close(start)));
    tn_rt_record_end(block);
    return TN_RT_OK;
}

// Called under the lock. The last closing ends the mapping.
static tn_rt_error close_once(const void *ptr) {
    struct tn_rt_block block;
    TN_RT_TRY(tn_rt_block_find(ptr, TN_RT_BLOCK_OPENED, &block));
    TN_RT_REFUSE(block.start != TARN_ADDR(ptr), TN_RT_INVALID_VALUE,
                 "%p is inside the memory opened at 0x%llx", ptr, (unsigned long long)block.start);
    struct tn_rt_record *record = tn_rt_record_get(&block);
    bool last = record == NULL || record->opens == 1;
    if (!last) record->opens--;
    if (record != NULL) tn_rt_record_put(record);
    return last ? tn_rt_ipc_end(&block) : TN_RT_OK;
}

tn_rt_error tn_rt_ipc_close(const void *ptr) {
    (void)pthread_mutex_lock(&lock);
    tn_rt_error error = close_once(ptr);
    (void)pthread_mutex_unlock(&lock);
    return error;
}

TN_FACE_ON_FORK(TN_RT_LOCK_IPC, &lock, NULL);
