// SPDX-License-Identifier: Apache-2.0
// Memory of aclrtMalloc() between processes. A key of AscendCL is a key of Tarn, which is text. A
// list has the keys that this process gave away, so that it knows its own, and those it imported,
// which it closes by key.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <acl/detail/share.h>

#include "compat/acl/block.h"
#include "compat/acl/context.h"
#include "compat/acl/fork.h"
#include "compat/acl/vmm.h"

#define KEY_BYTES 65 // what AscendCL's clients have for a key, with its zero

struct entry {
    struct entry *next;
    tarn_memory_key key;
    bool imported;
    tarn_addr start;
};

// Guards the list. Tarn is called, and waited for, under it: only other keys wait too.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *first;

void tn_acl_ipc_fork(enum tn_face_fork step) {
    if (step == TN_FACE_FORK_PREPARE) {
        (void)pthread_mutex_lock(&lock);
        return;
    }
    while (step == TN_FACE_FORK_CHILD && first != NULL) {
        struct entry *gone = first;
        first = gone->next;
        free(gone);
    }
    (void)pthread_mutex_unlock(&lock);
}

static aclError enter(void) {
    aclError error = tn_acl_open();
    return error == ACL_SUCCESS && tn_acl_face.generation < 2
               ? tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "not in generation 1")
               : error;
}

// ---- the list, under the lock

// The place of the entry with that key; of NULL behind the last if there is none.
static struct entry **find(const tarn_memory_key *key) {
    struct entry **at = &first;
    while (*at != NULL && memcmp(&(*at)->key, key, sizeof *key) != 0) {
        at = &(*at)->next;
    }
    return at;
}

static aclError add(const tarn_memory_key *key, bool imported, tarn_addr start) {
    struct entry *entry = (struct entry *)malloc(sizeof *entry);
    if (entry == NULL) {
        return tn_acl_fail(ACL_ERROR_BAD_ALLOC, "no host memory for a key");
    }
    *entry = (struct entry){first, *key, imported, start};
    first = entry;
    return ACL_SUCCESS;
}

static void take_out(struct entry **at) {
    struct entry *gone = *at;
    *at = gone->next;
    free(gone);
}

// Keys of freed memory are good for nothing, and nobody closes them.
static void forget_the_freed(void) {
    struct tn_acl_block block;
    for (struct entry **at = &first; *at != NULL;) {
        if (!(*at)->imported && !tn_acl_block_query((*at)->start, &block)) {
            take_out(at);
        } else {
            at = &(*at)->next;
        }
    }
}

// Text that a client holds, as a key; what is too long for one is none.
static aclError read_key(const char *text, tarn_memory_key *key) {
    size_t length = strnlen(text, KEY_BYTES);
    memset(key, 0, sizeof *key);
    if (length == 0 || length >= sizeof key->bytes) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "'%.16s' is no key", text);
    }
    memcpy(key->bytes, text, length);
    return ACL_SUCCESS;
}

// ---- aclrtIpcMemGetExportKey

static aclError check_memory(const void *start, size_t size) {
    struct tn_acl_block block;
    bool found = tn_acl_block_query(TARN_ADDR(start), &block) && block.family == TN_ACL_MALLOC &&
                 block.start == TARN_ADDR(start);
    if (!found) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "no memory of aclrtMalloc() starts at %p",
                           start);
    }
    return size <= block.bytes ? ACL_SUCCESS
                               : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "size %zu, there are %zu",
                                             size, block.bytes);
}

// Under the lock. A key is everybody's in Tarn until its list is begun, and that first.
static aclError export(const void *start, bool to_all, tarn_memory_key *key) {
    static const int all = TARN_PROCESS_ANY;
    tarn_device *any = tn_acl_face.devices[0].tarn;
    aclError error =
        tn_acl_from(tarn_memory_export(tn_acl_addr(start), key), ACL_ERROR_RT_PARAM_INVALID);
    if (error == ACL_SUCCESS) {
        error = tn_acl_from(tarn_memory_allow(any, key, &all, to_all ? 1 : 0),
                            ACL_ERROR_RT_PARAM_INVALID);
    }
    forget_the_freed();
    if (error == ACL_SUCCESS && *find(key) == NULL) {
        error = add(key, false, tn_acl_addr(start));
    }
    return error;
}

static aclError get_key(const void *start, size_t size, char *text, size_t length, uint64_t flags) {
    tarn_memory_key key;
    if (flags > ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "flags %llu, only 0 and 1 are defined",
                           (unsigned long long)flags);
    }
    aclError error = check_memory(start, size);
    if (error != ACL_SUCCESS) {
        return error;
    }
    (void)pthread_mutex_lock(&lock);
    error = export(start, flags == ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION, &key);
    (void)pthread_mutex_unlock(&lock);
    if (error == ACL_SUCCESS) {
        memset(text, 0, length);
        memcpy(text, key.bytes, sizeof key.bytes);
    }
    return error;
}

aclError aclrtIpcMemGetExportKey(void *devPtr, size_t size, char *key, size_t len, uint64_t flags) {
    aclError error = ACL_SUCCESS;
    if (devPtr == NULL || size == 0 || key == NULL || len < KEY_BYTES) {
        error = tn_acl_fail(ACL_ERROR_INVALID_PARAM,
                            "devPtr %p, size %zu, key %p, len %zu of at least %d", devPtr, size,
                            (void *)key, len, KEY_BYTES);
    } else {
        error = enter();
    }
    if (error == ACL_SUCCESS) {
        error = get_key(devPtr, size, key, len, flags);
    }
    return tn_acl_leave(error, __func__);
}

// ---- aclrtIpcMemSetImportPid

static aclError allow(const char *text, const int32_t *pids, size_t number) {
    tarn_memory_key key;
    aclError error = read_key(text, &key);
    if (error == ACL_SUCCESS) {
        error = tn_acl_check_pids(pids, number);
    }
    if (error != ACL_SUCCESS) {
        return error;
    }
    (void)pthread_mutex_lock(&lock);
    const struct entry *entry = *find(&key);
    if (entry == NULL || entry->imported) {
        error = tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "'%s' was not exported here", text);
    } else {
        error = tn_acl_from(tarn_memory_allow(tn_acl_face.devices[0].tarn, &key, pids, number),
                            ACL_ERROR_RT_PARAM_INVALID);
    }
    (void)pthread_mutex_unlock(&lock);
    return error;
}

aclError aclrtIpcMemSetImportPid(const char *key, int32_t *pid, size_t num) {
    aclError error = key == NULL || pid == NULL || num == 0
                         ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "key %p, pid %p, num %zu",
                                       (const void *)key, (void *)pid, num)
                         : enter();
    if (error == ACL_SUCCESS) {
        error = allow(key, pid, num);
    }
    return tn_acl_leave(error, __func__);
}

// ---- aclrtIpcMemImportByKey

// Under the lock.
static aclError import(tarn_device *device, const tarn_memory_key *key, tarn_addr *start) {
    const struct entry *known = *find(key);
    if (known != NULL) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "the key is %s at 0x%llx",
                           known->imported ? "imported already," : "of this process's own memory",
                           (unsigned long long)known->start);
    }
    tarn_status status = tarn_memory_import(device, key, start);
    aclError error = tn_acl_from(status, status == TARN_NO_ACCESS ? ACL_ERROR_RT_NO_PERMISSION
                                                                  : ACL_ERROR_RT_PARAM_INVALID);
    if (error != ACL_SUCCESS) {
        return error;
    }
    error = add(key, true, *start);
    if (error != ACL_SUCCESS) {
        (void)tarn_memory_close(*start);
    }
    return error;
}

static aclError import_by_key(void **devPtr, const char *text, uint64_t flags) {
    struct tn_acl_context *context = NULL;
    tarn_memory_key key;
    tarn_addr start = 0;
    aclError error = tn_acl_context_get(&context);
    if (error != ACL_SUCCESS) {
        return error;
    }
    if (flags > ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS) {
        error = tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "flags %llu, only 0 and 1 are defined",
                            (unsigned long long)flags);
    } else {
        error = read_key(text, &key);
    }
    if (error == ACL_SUCCESS) {
        (void)pthread_mutex_lock(&lock);
        error = import(context->device->tarn, &key, &start);
        (void)pthread_mutex_unlock(&lock);
    }
    tn_acl_context_put(context);
    if (error == ACL_SUCCESS) {
        *devPtr = (void *)(uintptr_t)start;
    }
    return error;
}

aclError aclrtIpcMemImportByKey(void **devPtr, const char *key, uint64_t flags) {
    aclError error = devPtr == NULL || key == NULL
                         ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "devPtr %p, key %p", (void *)devPtr,
                                       (const void *)key)
                         : enter();
    if (error == ACL_SUCCESS) {
        error = import_by_key(devPtr, key, flags);
    }
    return tn_acl_leave(error, __func__);
}

// ---- aclrtIpcMemClose

static aclError close_key(const char *text) {
    tarn_memory_key key;
    aclError error = read_key(text, &key);
    if (error != ACL_SUCCESS) {
        return error;
    }
    (void)pthread_mutex_lock(&lock);
    struct entry **at = find(&key);
    if (*at == NULL) {
        error = tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "'%s' is no key of this process", text);
    } else if ((*at)->imported) {
        error = tn_acl_from(tarn_memory_close((*at)->start), ACL_ERROR_RT_PARAM_INVALID);
    }
    if (error == ACL_SUCCESS) {
        take_out(at);
    }
    (void)pthread_mutex_unlock(&lock);
    return error;
}

aclError aclrtIpcMemClose(const char *key) {
    aclError error = key == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "key is NULL") : enter();
    if (error == ACL_SUCCESS) {
        error = close_key(key);
    }
    return tn_acl_leave(error, __func__);
}
