// SPDX-License-Identifier: Apache-2.0
// Physical memory between processes, by tokens. What Tarn does not remember is in a list of notes:
// which memory was exported, since AscendCL allows that once and no import of one's own, and for
// which device memory was imported. A note goes some time after its memory.
#include <pthread.h>
#include <stdlib.h>

#include <acl/detail/share.h>

#include "compat/acl/context.h"
#include "compat/acl/fork.h"
#include "compat/acl/vmm.h"

struct note {
    tarn_phys phys;
    uint64_t token; // exported as; 0: imported
    int device;     // imported for
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the below
static struct note *notes;
static size_t count;
static size_t room;

void tn_acl_share_fork(enum tn_face_fork step) {
    if (step == TN_FACE_FORK_PREPARE) {
        (void)pthread_mutex_lock(&lock);
        return;
    }
    if (step == TN_FACE_FORK_CHILD) {
        count = 0;
    }
    (void)pthread_mutex_unlock(&lock);
}

// ---- notes, all under the lock

static void forget_the_dead(void) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        tarn_phys_info info = TARN_INIT(tarn_phys_info);
        if (tarn_phys_query(notes[i].phys, &info) == TARN_OK) {
            notes[kept++] = notes[i];
        }
    }
    count = kept;
}

// Room for one more: the next note cannot fail.
static aclError make_room(void) {
    if (count == room) {
        forget_the_dead();
    }
    if (count < room) {
        return ACL_SUCCESS;
    }
    size_t wanted = room == 0 ? 16 : 2 * room;
    struct note *wider = (struct note *)realloc(notes, wanted * sizeof(struct note));
    if (wider == NULL) {
        return tn_acl_fail(ACL_ERROR_BAD_ALLOC, "no host memory for a note of shared memory");
    }
    notes = wider;
    room = wanted;
    return ACL_SUCCESS;
}

static bool is_own(uint64_t token) {
    for (size_t i = 0; i < count; i++) {
        if (notes[i].token == token && token != 0) {
            return true;
        }
    }
    return false;
}

static bool was_exported(tarn_phys phys) {
    for (size_t i = 0; i < count; i++) {
        if (notes[i].phys == phys && notes[i].token != 0) {
            return true;
        }
    }
    return false;
}

int tn_acl_share_device(tarn_phys phys) {
    int device = 0;
    (void)pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++) {
        if (notes[i].phys == phys && notes[i].token == 0) {
            device = notes[i].device;
        }
    }
    (void)pthread_mutex_unlock(&lock);
    return device;
}

// ---- export

static aclError check_export(tarn_phys phys, uint64_t flags) {
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    if (flags > ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "flags %llu, only 0 and 1 are defined",
                           (unsigned long long)flags);
    }
    aclError error = tn_acl_from(tarn_phys_query(phys, &info), ACL_ERROR_RT_PARAM_INVALID);
    if (error == ACL_SUCCESS && info.imported) {
        error = tn_acl_fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR, "imported memory is not exported");
    }
    if (error == ACL_SUCCESS &&
        (tn_acl_face.devices[0].info.shareable & TARN_SHAREABLE_TOKEN) == 0) {
        error = tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "this platform has no tokens");
    }
    if (error == ACL_SUCCESS && (info.shareable & TARN_SHAREABLE_TOKEN) == 0) {
        error = tn_acl_fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL,
                            "the memory was created when file descriptors had run out");
    }
    return error;
}

// Under the lock.
static aclError export_once(tarn_phys phys, bool to_all, uint64_t *token) {
    static const int all = TARN_PROCESS_ANY;
    tarn_shareable out = {0, -1, 0};
    if (was_exported(phys)) {
        return tn_acl_fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR, "the memory was exported before");
    }
    aclError error = make_room();
    if (error == ACL_SUCCESS) {
        error = tn_acl_from(tarn_phys_export(phys, TARN_SHAREABLE_TOKEN, &out),
                            ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    }
    if (error == ACL_SUCCESS && to_all) {
        error = tn_acl_from(tarn_phys_allow(tn_acl_face.devices[0].tarn, &out, &all, 1),
                            ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    }
    if (error == ACL_SUCCESS) {
        notes[count++] = (struct note){phys, out.token, 0};
        *token = out.token;
    }
    return error;
}

static aclError export(aclrtDrvMemHandle handle, uint64_t flags, uint64_t *token) {
    tarn_phys phys = tn_acl_phys_of(handle);
    aclError error = check_export(phys, flags);
    if (error == ACL_SUCCESS) {
        (void)pthread_mutex_lock(&lock);
        error = export_once(phys, flags == ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION, token);
        (void)pthread_mutex_unlock(&lock);
    }
    return error;
}

aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType handleType,
                                         uint64_t flags, uint64_t *shareableHandle) {
    aclError error = ACL_SUCCESS;
    if (handle == NULL || shareableHandle == NULL || handleType != ACL_MEM_HANDLE_TYPE_NONE) {
        error = tn_acl_fail(ACL_ERROR_INVALID_PARAM, "handle %p, shareableHandle %p, handleType %d",
                            handle, (void *)shareableHandle, (int)handleType);
    } else {
        error = tn_acl_vmm_enter(1);
    }
    if (error == ACL_SUCCESS) {
        error = export(handle, flags, shareableHandle);
    }
    return tn_acl_leave(error, __func__);
}

// ---- import

// Under the lock.
static aclError import_noted(const struct tn_acl_device *device, uint64_t token, tarn_phys *phys) {
    const tarn_shareable in = {TARN_SHAREABLE_TOKEN, -1, token};
    if (is_own(token)) {
        return tn_acl_fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR, "the token 0x%llx is of this process",
                           (unsigned long long)token);
    }
    aclError error = make_room();
    if (error != ACL_SUCCESS) {
        return error;
    }
    tarn_status status = tarn_phys_import(device->tarn, &in, phys);
    error = tn_acl_from(status, status == TARN_NO_ACCESS ? ACL_ERROR_RT_NO_PERMISSION
                                                         : ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    if (error == ACL_SUCCESS) {
        notes[count++] = (struct note){*phys, 0, device->ordinal};
    }
    return error;
}

static aclError import(uint64_t token, int32_t ordinal, aclrtDrvMemHandle *handle) {
    const struct tn_acl_device *device = tn_acl_device(ordinal);
    tarn_phys phys = 0;
    if (device == NULL) {
        return tn_acl_no_device((uint32_t)ordinal);
    }
    (void)pthread_mutex_lock(&lock);
    aclError error = import_noted(device, token, &phys);
    (void)pthread_mutex_unlock(&lock);
    if (error == ACL_SUCCESS) {
        *handle = tn_acl_phys_handle(phys);
    }
    return error;
}

aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle, int32_t deviceId,
                                           aclrtDrvMemHandle *handle) {
    aclError error = handle == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "handle is NULL")
                                    : tn_acl_vmm_enter(1);
    if (error == ACL_SUCCESS) {
        error = import(shareableHandle, deviceId, handle);
    }
    return tn_acl_leave(error, __func__);
}

// ---- who may import

static aclError allow(uint64_t token, const int32_t *pids, size_t number) {
    const tarn_shareable exported = {TARN_SHAREABLE_TOKEN, -1, token};
    aclError error = tn_acl_check_pids(pids, number);
    return error != ACL_SUCCESS
               ? error
               : tn_acl_from(tarn_phys_allow(tn_acl_face.devices[0].tarn, &exported, pids, number),
                             ACL_ERROR_RT_DRV_INTERNAL_ERROR);
}

aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t *pid, size_t pidNum) {
    aclError error =
        pid == NULL || pidNum == 0
            ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "pid %p, pidNum %zu", (void *)pid, pidNum)
            : tn_acl_vmm_enter(1);
    if (error == ACL_SUCCESS) {
        error = allow(shareableHandle, pid, pidNum);
    }
    return tn_acl_leave(error, __func__);
}

// ---- the second versions

static aclError check_type(const void *shareable, aclrtMemSharedHandleType type) {
    if (shareable == NULL ||
        (type != ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT && type != ACL_MEM_SHARE_HANDLE_TYPE_FABRIC)) {
        return tn_acl_fail(ACL_ERROR_INVALID_PARAM, "shareableHandle %p, shareType %d", shareable,
                           (int)type);
    }
    aclError error = tn_acl_vmm_enter(2);
    if (error == ACL_SUCCESS && type == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC) {
        error = tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                            "shareType 2, fabric: memory does not leave the machine");
    }
    return error;
}

aclError aclrtMemExportToShareableHandleV2(aclrtDrvMemHandle handle, uint64_t flags,
                                           aclrtMemSharedHandleType shareType,
                                           void *shareableHandle) {
    aclError error = handle == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "handle is NULL")
                                    : check_type(shareableHandle, shareType);
    if (error == ACL_SUCCESS) {
        error = export(handle, flags, (uint64_t *)shareableHandle);
    }
    return tn_acl_leave(error, __func__);
}

static aclError import_for_current(const uint64_t *token, uint64_t flags,
                                   aclrtDrvMemHandle *handle) {
    struct tn_acl_context *context = NULL;
    if (flags != 0) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "flags %llu, only 0 is defined",
                           (unsigned long long)flags);
    }
    aclError error = tn_acl_context_get(&context);
    if (error == ACL_SUCCESS) {
        error = import(*token, context->device->ordinal, handle);
        tn_acl_context_put(context);
    }
    return error;
}

aclError aclrtMemImportFromShareableHandleV2(void *shareableHandle,
                                             aclrtMemSharedHandleType shareType, uint64_t flags,
                                             aclrtDrvMemHandle *handle) {
    aclError error = handle == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "handle is NULL")
                                    : check_type(shareableHandle, shareType);
    if (error == ACL_SUCCESS) {
        error = import_for_current((const uint64_t *)shareableHandle, flags, handle);
    }
    return tn_acl_leave(error, __func__);
}

aclError aclrtMemSetPidToShareableHandleV2(void *shareableHandle,
                                           aclrtMemSharedHandleType shareType, int32_t *pid,
                                           size_t pidNum) {
    aclError error =
        pid == NULL || pidNum == 0
            ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "pid %p, pidNum %zu", (void *)pid, pidNum)
            : check_type(shareableHandle, shareType);
    if (error == ACL_SUCCESS) {
        error = allow(*(const uint64_t *)shareableHandle, pid, pidNum);
    }
    return tn_acl_leave(error, __func__);
}
