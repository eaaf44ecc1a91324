// SPDX-License-Identifier: Apache-2.0
// Pools shared between processes. A pool with handle types has segments of plain memory, and a table
// of their keys, whose descriptor other processes get. A pointer travels as the index of its segment
// in the table and its distance from the segment's start. Each import of a pointer is a mapping of
// its own, which ends when the pointer is freed. Any thread.
#include <string.h>

#include <hip/detail/pool.h>

#include <tarn/address.h>

#include "compat/hip/face.h"
#include "compat/runtime/memory.h"
#include "compat/runtime/pool.h"
#include "compat/runtime/pool_table.h"

// ---- pools

static tn_rt_error check_share(const void *where, hipMemAllocationHandleType type, unsigned flags) {
    if (where == NULL || flags != 0 || type != hipMemHandleTypePosixFileDescriptor) {
        return tn_rt_fail(TN_RT_INVALID_VALUE,
                          "shared_handle %p, handle type 0x%x (only 0x1), flags 0x%x", where,
                          (unsigned)type, flags);
    }
    return TN_RT_OK;
}

static tn_rt_error export_pool(void *where, hipMemPool_t handle, hipMemAllocationHandleType type,
                               unsigned flags) {
    struct tn_rt_pool *pool = NULL;
    int fd = -1;
    TN_RT_TRY(check_share(where, type, flags));
    TN_RT_TRY(tn_rt_pool_get(handle, &pool));
    tn_rt_error error =
        pool->table == NULL || pool->imported
            ? tn_rt_fail(TN_RT_INVALID_VALUE, "the pool was %s",
                         pool->imported ? "imported" : "created without handle types")
            : tn_rt_pool_table_fd(pool->table, &fd);
    tn_rt_pool_put(pool);
    if (error == TN_RT_OK) {
        memcpy(where, &fd, sizeof fd); // the caller's variable need not be aligned
    }
    return error;
}

hipError_t hipMemPoolExportToShareableHandle(void *shared_handle, hipMemPool_t mem_pool,
                                             hipMemAllocationHandleType handle_type,
                                             unsigned int flags) {
    return TN_HIP_CALL(export_pool(shared_handle, mem_pool, handle_type, flags));
}

static tn_rt_error import_pool(hipMemPool_t *handle, void *given, hipMemAllocationHandleType type,
                               unsigned flags) {
    struct tn_rt_pool *pool = NULL;
    struct tn_rt_pool_table *table = NULL;
    TN_RT_TRY(tn_rt_check_pointer(handle, "mem_pool"));
    TN_RT_TRY(check_share(given, type, flags));
    TN_RT_TRY(tn_rt_pool_table_open((int)(uintptr_t)given, &table));
    struct tn_rt_device *device =
        tn_rt_policy.pool_imports_to_first ? tn_rt_device(0) : tn_rt_current();
    tn_rt_error error = tn_rt_pool_new(device, 0, table, true, &pool);
    if (error != TN_RT_OK) {
        tn_rt_pool_table_end(table);
        return error;
    }
    *handle = (hipMemPool_t)pool->object.handle;
    return TN_RT_OK;
}

hipError_t hipMemPoolImportFromShareableHandle(hipMemPool_t *mem_pool, void *shared_handle,
                                               hipMemAllocationHandleType handle_type,
                                               unsigned int flags) {
    return TN_HIP_CALL(import_pool(mem_pool, shared_handle, handle_type, flags));
}

// ---- pointers

#define POINTER_MAGIC UINT64_C(0x31727450506e5448) // "HTnPPtr1"

struct pointer_data {
    uint64_t magic;
    uint64_t pool[2]; // the name of its table
    uint64_t offset;  // in the segment
    uint64_t bytes;
    uint32_t segment;
    uint32_t zero[5];
};

_Static_assert(sizeof(struct pointer_data) == sizeof(hipMemPoolPtrExportData), "it is HIP's size");

static tn_rt_error export_block(const struct tn_rt_block *block, struct pointer_data *data) {
    struct tn_rt_pool *pool = tn_rt_pool_of(block);
    tarn_memory_key key;
    if (pool->table == NULL) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "0x%llx is of a pool without handle types",
                          (unsigned long long)block->start);
    }
    TN_RT_TRY(tn_rt_from(tarn_pool_export(pool->tarn, block->start, &key, &data->offset)));
    data->magic = POINTER_MAGIC;
    data->bytes = block->bytes;
    tn_rt_pool_table_name(pool->table, data->pool);
    return tn_rt_pool_table_add(pool->table, &key, &data->segment);
}

static tn_rt_error export_pointer(hipMemPoolPtrExportData *out, const void *ptr) {
    struct pointer_data data = {0};
    struct tn_rt_block block;
    TN_RT_TRY(tn_rt_check_pointer(out, "export_data"));
    TN_RT_TRY(tn_rt_check_pointer(ptr, "dev_ptr"));
    if (tn_rt_block_find(ptr, TN_RT_BLOCK_POOLED, &block) != TN_RT_OK ||
        block.start != TARN_ADDR(ptr)) {
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "%p is not the start of a block of a pool", ptr);
    }
    TN_RT_TRY(export_block(&block, &data));
    memcpy(out, &data, sizeof data);
    return TN_RT_OK;
}

hipError_t hipMemPoolExportPointer(hipMemPoolPtrExportData *export_data, void *dev_ptr) {
    return TN_HIP_CALL(export_pointer(export_data, dev_ptr));
}

// The data came from another process.
static tn_rt_error check_part(tarn_addr base, const struct pointer_data *data) {
    tarn_address_info info = TARN_INIT(tarn_address_info);
    TN_RT_TRY(tn_rt_from(tarn_address_query(base, &info)));
    bool inside =
        data->bytes != 0 && data->bytes <= info.bytes && data->offset <= info.bytes - data->bytes;
    return inside ? TN_RT_OK
                  : tn_rt_fail(TN_RT_OUT_OF_MEMORY, "export_data: %llu bytes at %llu of %llu",
                               (unsigned long long)data->bytes, (unsigned long long)data->offset,
                               (unsigned long long)info.bytes);
}

static tn_rt_error import_block(const struct tn_rt_pool *pool, const struct pointer_data *data,
                                tarn_addr *addr) {
    tarn_memory_key key;
    tarn_addr base = 0;
    uint64_t name[2] = {0, 0};
    if (pool->table != NULL) {
        tn_rt_pool_table_name(pool->table, name);
    }
    if (data->magic != POINTER_MAGIC || memcmp(name, data->pool, sizeof name) != 0 ||
        !tn_rt_pool_table_key(pool->table, data->segment, &key)) {
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY,
                          "export_data does not describe a pointer of the pool");
    }
    TN_RT_TRY(
        tn_rt_translate(tarn_memory_import(pool->device->tarn, &key, &base), TN_RT_OUT_OF_MEMORY));
    tn_rt_error error = check_part(base, data);
    if (error == TN_RT_OK) {
        error = tn_rt_block_mark_part(base, pool->device, data->offset, data->bytes);
    }
    if (error != TN_RT_OK) {
        (void)tarn_memory_close(base);
        return error;
    }
    *addr = base + data->offset;
    return TN_RT_OK;
}

static tn_rt_error import_pointer(void **ptr, hipMemPool_t handle,
                                  const hipMemPoolPtrExportData *given) {
    struct tn_rt_pool *pool = NULL;
    struct pointer_data data;
    tarn_addr addr = 0;
    TN_RT_TRY(tn_rt_check_pointer(ptr, "dev_ptr"));
    TN_RT_TRY(tn_rt_check_pointer(given, "export_data"));
    TN_RT_TRY(tn_rt_pool_get(handle, &pool));
    memcpy(&data, given, sizeof data);
    tn_rt_error error = import_block(pool, &data, &addr);
    tn_rt_pool_put(pool);
    if (error == TN_RT_OK) {
        *ptr = (void *)(uintptr_t)addr;
    }
    return error;
}

hipError_t hipMemPoolImportPointer(void **dev_ptr, hipMemPool_t mem_pool,
                                   hipMemPoolPtrExportData *export_data) {
    return TN_HIP_CALL(import_pointer(dev_ptr, mem_pool, export_data));
}
