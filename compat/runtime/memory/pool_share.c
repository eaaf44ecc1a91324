// SPDX-License-Identifier: Apache-2.0
// See pool.h: pools shared between processes. Such a pool has segments of plain memory, and a table
// of their keys, whose descriptor other processes get. A pointer travels as the index of its
// segment in the table and its distance from the segment's start. Each import of a pointer is a
// mapping of its own, which ends when the pointer is freed. Any thread.
#include <string.h>

#include <tarn/address.h>

#include "compat/face/scope.h"
#include "compat/runtime/memory/memory.h"
#include "compat/runtime/memory/policy.h"
#include "compat/runtime/memory/pool.h"
#include "compat/runtime/memory/pool_table.h"
#include "compat/runtime/memory/vmm.h"

// ---- pools

static tn_rt_error check_share(const void *where, unsigned type, unsigned long long flags) {
    return where != NULL && flags == 0 && type == TN_RT_PHYS_FD
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE,
                            "shared_handle %p, handle type 0x%x (only 0x1), flags 0x%llx", where,
                            type, flags);
}

tn_rt_error tn_rt_pool_export(void *fd, void *handle, unsigned type, unsigned long long flags) {
    int own = -1;
    TN_RT_TRY(check_share(fd, type, flags));
    TN_RT_GET(tn_rt_pool, pool, tn_rt_pool_get(handle, &pool));
    TN_RT_REFUSE(pool->table == NULL || pool->imported, TN_RT_INVALID_VALUE, "the pool was %s",
                 pool->imported ? "imported" : "created without handle types");
    TN_RT_TRY(tn_rt_pool_table_fd(pool->table, &own));
    pool->exported = true;
    memcpy(fd, &own, sizeof own);
    return TN_RT_OK;
}

tn_rt_error tn_rt_pool_import(void *handle, void *fd, unsigned type, unsigned long long flags) {
    struct tn_rt_pool TN_FACE_HELD *pool = NULL;
    struct tn_rt_pool_table *table = NULL;
    TN_RT_TRY(tn_rt_check_pointer(handle, "mem_pool"));
    TN_RT_TRY(check_share(fd, type, flags));
    TN_RT_TRY(tn_rt_pool_table_open((int)(uintptr_t)fd, &table));
    struct tn_face_device *device =
        tn_rt_memory_policy.pool_imports_to_first ? tn_rt_device(0) : tn_rt_current();
    tn_rt_error error = tn_rt_pool_new(device, 0, table, true, &pool);
    if (error == TN_RT_OK)
        tn_rt_give(handle, pool->object.handle);
    else
        tn_rt_pool_table_end(table);
    return error;
}

// ---- pointers

#define POINTER_MAGIC UINT64_C(0x31727450506e5448) // "HTnPPtr1"

static tn_rt_error export_block(const struct tn_rt_block *block, struct tn_rt_pool_pointer *data) {
    struct tn_rt_pool TN_FACE_HELD *pool = tn_rt_pool_of(block->pool_user);
    tarn_key key;
    TN_RT_REFUSE(pool == NULL, TN_RT_INVALID_VALUE, "0x%llx was freed meanwhile",
                 (unsigned long long)block->start);
    TN_RT_REFUSE(pool->table == NULL || (tn_rt_memory_policy.pool_exports_first && !pool->exported),
                 TN_RT_INVALID_VALUE, "0x%llx is of a pool that %s",
                 (unsigned long long)block->start,
                 pool->table == NULL ? "has no handle types" : "was not exported itself");
    TN_RT_TRY(tn_rt_error_of(tarn_pool_export(pool->tarn, block->start, &key, &data->offset)));
    data->bytes = block->bytes;
    tn_rt_pool_table_name(pool->table, data->pool);
    return tn_rt_pool_table_add(pool->table, &key, &data->segment);
}

tn_rt_error tn_rt_pool_export_pointer(void *data, const void *ptr) {
    struct tn_rt_pool_pointer own = {.magic = POINTER_MAGIC};
    struct tn_rt_block block;
    TN_RT_TRY(tn_rt_check_pointer(data, "export_data"));
    TN_RT_TRY(tn_rt_check_pointer(ptr, "dev_ptr"));
    TN_RT_REFUSE(tn_rt_block_find(ptr, TN_RT_BLOCK_POOLED, &block) != TN_RT_OK ||
                     block.start != TARN_ADDR(ptr),
                 tn_rt_memory_policy.pool_exports_first ? TN_RT_INVALID_VALUE : TN_RT_OUT_OF_MEMORY,
                 "%p is not the start of a block of a pool", ptr);
    TN_RT_TRY(export_block(&block, &own));
    memcpy(data, &own, sizeof own);
    return TN_RT_OK;
}

// The data came from another process.
static tn_rt_error check_part(tarn_addr base, const struct tn_rt_pool_pointer *data) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    TN_RT_TRY(tn_rt_error_of(tarn_address_query(base, &info)));
    bool inside =
        data->bytes != 0 && data->bytes <= info.bytes && data->offset <= info.bytes - data->bytes;
    return inside ? TN_RT_OK
                  : tn_rt_fail(TN_RT_OUT_OF_MEMORY, "export_data: %llu bytes at %llu of %llu",
                               (unsigned long long)data->bytes, (unsigned long long)data->offset,
                               (unsigned long long)info.bytes);
}

static tn_rt_error import_block(const struct tn_rt_pool *pool,
                                const struct tn_rt_pool_pointer *data, tarn_addr *addr) {
    tarn_key key;
    tarn_addr base = 0;
    uint64_t name[2] = {0, 0};
    if (pool->table != NULL) tn_rt_pool_table_name(pool->table, name);
    TN_RT_REFUSE(data->magic != POINTER_MAGIC || memcmp(name, data->pool, sizeof name) != 0 ||
                     !tn_rt_pool_table_key(pool->table, data->segment, &key),
                 TN_RT_OUT_OF_MEMORY, "export_data does not describe a pointer of the pool");
    TN_RT_TRY(
        tn_rt_error_or(tarn_memory_import(pool->device->tarn, &key, &base), TN_RT_OUT_OF_MEMORY));
    tn_rt_error error = check_part(base, data);
    if (error == TN_RT_OK)
        error = tn_rt_block_mark_part(base, TN_RT_BLOCK_IMPORTED, pool->device, data->offset,
                                      data->bytes);
    if (error == TN_RT_OK)
        *addr = base + data->offset;
    else
        (void)tarn_memory_free(base, 0);
    return error;
}

tn_rt_error tn_rt_pool_import_pointer(void **ptr, void *handle, const void *data) {
    struct tn_rt_pool_pointer own;
    tarn_addr addr = 0;
    TN_RT_TRY(tn_rt_check_pointer(ptr, "dev_ptr"));
    TN_RT_TRY(tn_rt_check_pointer(data, "export_data"));
    memcpy(&own, data, sizeof own);
    TN_RT_GET(tn_rt_pool, pool, tn_rt_pool_get(handle, &pool));
    TN_RT_TRY(import_block(pool, &own, &addr));
    *ptr = (void *)(uintptr_t)addr;
    return TN_RT_OK;
}
