// SPDX-License-Identifier: Apache-2.0
// Memory of aclrtMalloc() between processes. A key of AscendCL is the text of a key of Tarn. A list
// holds the keys that this process exported, which it must not import, and those that it imported,
// which it closes by key. A second list has the keys that were closed last, so that memory tools can
// explain a second close. The lock guards both; calls of Tarn may wait under it.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <acl/detail/share.h>

#include <tarn/annotate.h>

#include "compat/acl/block.h"
#include "compat/acl/context.h"
#include "compat/acl/fork.h"
#include "compat/acl/vmm.h"
#include "compat/face/scope.h"
#include "src/base/list.h"

struct entry {
    struct entry *next;
    tarn_key key;
    bool imported;
    tarn_addr start;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *first;

enum { CLOSED = 64 };

static struct {
    tarn_key key;
    tarn_addr start;
} closed[CLOSED];
static unsigned closed_count; // so far

// Tools know a key by the address of its memory.
static void remove_entry(struct entry **link) {
    struct entry *gone = *link;
    unsigned place = closed_count++ % CLOSED;
    closed[place].key = gone->key;
    closed[place].start = gone->start;
    tarn_annotate_handle_end(gone->start);
    *link = gone->next;
    free(gone);
}

static void refuse_close(const tarn_key *key) {
    for (unsigned i = 0; i < CLOSED && i < closed_count; i++)
        if (memcmp(&closed[i].key, key, sizeof *key) == 0)
            tarn_annotate_refused_handle("aclrtIpcMemClose", closed[i].start);
}

static void forget_keys(void) {
    TN_CHAIN_DRAIN(struct entry, gone, first, next) free(gone);
    closed_count = 0;
}
TN_FACE_ON_FORK(TN_ACL_LOCK_IPC, &lock, forget_keys);

// ---- the list; call these under the lock

// Returns the link to the entry with that key, or the last link if there is none.
static struct entry **find_link(const tarn_key *key) {
    struct entry **link = &first;
    while (*link != NULL && memcmp(&(*link)->key, key, sizeof *key) != 0) link = &(*link)->next;
    return link;
}

static aclError add_entry(const tarn_key *key, bool imported, tarn_addr start) {
    struct entry *entry = (struct entry *)malloc(sizeof *entry);
    TN_ACL_REFUSE(entry == NULL, ACL_ERROR_BAD_ALLOC, "out of host memory for a key");
    *entry = (struct entry){first, *key, imported, start};
    first = entry;
    tarn_annotate_handle_begin(start);
    return ACL_SUCCESS;
}

// Reads a client's text. A text that is too long cannot be a key.
static aclError read_key(const char *text, tarn_key *key) {
    size_t length = strnlen(text, TN_ACL_KEY_BYTES);
    memset(key, 0, sizeof *key);
    TN_ACL_INVALID(length == 0 || length >= sizeof key->bytes, "'%.16s' is not a key", text);
    memcpy(key->bytes, text, length);
    return ACL_SUCCESS;
}

// ---- aclrtIpcMemGetExportKey

// Tarn lets every process import a key until its list of processes exists, so the list is made
// before the program sees the key.
TN_ACL_FUNCTION(aclrtIpcMemGetExportKey, void *, devPtr, size_t, size, char *, key, size_t, len,
                uint64_t, flags) {
    static const int all = TARN_PROCESS_ANY;
    bool to_all = flags == ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION;
    struct tn_acl_block block;
    struct tn_acl_block freed;
    tarn_key made;
    TN_ACL_POINTERS(devPtr, key);
    TN_ACL_ARGUMENT(size == 0 || len < TN_ACL_KEY_BYTES, "size %zu is 0, or len %zu is below %d",
                    size, len, TN_ACL_KEY_BYTES);
    TN_ACL_TRY(tn_acl_enter(2));
    TN_ACL_INVALID(flags != 0 && !to_all, "flags %llu is neither 0 nor 1",
                   (unsigned long long)flags);
    TN_ACL_INVALID(!tn_acl_block_query(TARN_ADDR(devPtr), &block) ||
                       block.family != TN_ACL_MALLOC || block.start != TARN_ADDR(devPtr),
                   "no memory of aclrtMalloc() starts at %p", devPtr);
    TN_ACL_INVALID(size > block.bytes, "size %zu exceeds the memory's %zu bytes", size,
                   block.bytes);
    TN_FACE_LOCKED(&lock);
    for (struct entry **link = &first; *link != NULL;) // keys of freed memory are useless
        if (!(*link)->imported && !tn_acl_block_query((*link)->start, &freed))
            remove_entry(link);
        else
            link = &(*link)->next;
    TN_ACL_TRY(tn_acl_status(tarn_memory_export(block.start, &made)));
    TN_ACL_TRY(tn_acl_status(
        tarn_memory_allow(tn_acl_face.devices.of[0].tarn, &made, &all, to_all ? 1 : 0)));
    if (*find_link(&made) == NULL) TN_ACL_TRY(add_entry(&made, false, block.start));
    memset(key, 0, len);
    memcpy(key, made.bytes, sizeof made.bytes);
    return ACL_SUCCESS;
}

// ---- aclrtIpcMemSetImportPid

TN_ACL_FUNCTION(aclrtIpcMemSetImportPid, const char *, key, int32_t *, pid, size_t, num) {
    tarn_key read;
    TN_ACL_POINTERS(key, pid);
    TN_ACL_ARGUMENT(num == 0, "num is 0");
    TN_ACL_TRY(tn_acl_enter(2));
    TN_ACL_TRY(read_key(key, &read));
    TN_ACL_TRY(tn_acl_check_pids(pid, num));
    TN_FACE_LOCKED(&lock);
    const struct entry *entry = *find_link(&read);
    TN_ACL_INVALID(entry == NULL || entry->imported, "'%s' was not exported by this process", key);
    return tn_acl_status(tarn_memory_allow(tn_acl_face.devices.of[0].tarn, &read, pid, num));
}

// ---- aclrtIpcMemImportByKey

TN_ACL_FUNCTION(aclrtIpcMemImportByKey, void **, devPtr, const char *, key, uint64_t, flags) {
    tarn_key read;
    tarn_addr start = 0;
    TN_ACL_POINTERS(devPtr, key);
    TN_ACL_TRY(tn_acl_enter(2));
    TN_ACL_DEVICE(device, tn_acl_current_device(&device));
    TN_ACL_INVALID(flags > ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS,
                   "flags %llu is neither 0 nor 1", (unsigned long long)flags);
    TN_ACL_TRY(read_key(key, &read));
    TN_FACE_LOCKED(&lock);
    const struct entry *known = *find_link(&read);
    TN_ACL_INVALID(known != NULL, "the key is %s at 0x%llx",
                   known->imported ? "imported already," : "of this process's own memory",
                   (unsigned long long)known->start);
    tarn_status status = tarn_memory_import(device->tarn, &read, &start);
    TN_ACL_TRY(tn_acl_from(status, status == TARN_NO_ACCESS ? ACL_ERROR_RT_NO_PERMISSION
                                                            : ACL_ERROR_RT_PARAM_INVALID));
    aclError error = add_entry(&read, true, start);
    if (error == ACL_SUCCESS)
        *devPtr = (void *)(uintptr_t)start;
    else
        (void)tarn_memory_free(start, 0);
    return error;
}

// ---- aclrtIpcMemClose

TN_ACL_FUNCTION(aclrtIpcMemClose, const char *, key) {
    tarn_key read;
    TN_ACL_POINTER(key);
    TN_ACL_TRY(tn_acl_enter(2));
    TN_ACL_TRY(read_key(key, &read));
    TN_FACE_LOCKED(&lock);
    struct entry **link = find_link(&read);
    if (*link == NULL) refuse_close(&read);
    TN_ACL_INVALID(*link == NULL, "'%s' is not a key of this process", key);
    if ((*link)->imported) TN_ACL_TRY(tn_acl_status(tarn_memory_free((*link)->start, 0)));
    remove_entry(link);
    return ACL_SUCCESS;
}
