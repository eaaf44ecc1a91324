// SPDX-License-Identifier: Apache-2.0
// Physical memory between processes, by tokens. AscendCL exports memory once, and a process may not
// import its own. So a list holds the memory that this process exported, and the device of each
// imported memory. An entry outlives its memory until the list needs room. The lock guards the
// list.
#include <pthread.h>
#include <stdlib.h>

#include <acl/detail/share.h>

#include "compat/acl/context.h"
#include "compat/acl/fork.h"
#include "compat/acl/vmm.h"
#include "compat/face/scope.h"

struct shared {
    tarn_phys phys;
    uint64_t token; // exported under this; 0 for imported memory
    int device;     // imported for: its number on the platform
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct shared *list;
static size_t count;
static size_t room;

static void forget_list(void) { count = 0; }
TN_FACE_ON_FORK(TN_ACL_LOCK_SHARE, &lock, forget_list);

// ---- the list; call these under the lock

static void drop_dead(void) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        tarn_phys_info info = TARN_INIT(tarn_phys_info);
        if (tarn_phys_query(list[i].phys, &info) == TARN_OK) list[kept++] = list[i];
    }
    count = kept;
}

// Makes room for one entry, so that adding it cannot fail.
static aclError make_room(void) {
    if (count == room) drop_dead();
    if (count < room) return ACL_SUCCESS;
    size_t wanted = room == 0 ? 16 : 2 * room;
    struct shared *wider = (struct shared *)realloc(list, wanted * sizeof(struct shared));
    TN_ACL_REFUSE(wider == NULL, ACL_ERROR_BAD_ALLOC, "out of host memory to record shared memory");
    list = wider;
    room = wanted;
    return ACL_SUCCESS;
}

// Returns the exported memory with this number or this token, or NULL.
static const struct shared *find_exported(tarn_phys phys, uint64_t token) {
    for (size_t i = 0; i < count; i++)
        if (list[i].token != 0 && (list[i].phys == phys || list[i].token == token)) return &list[i];
    return NULL;
}

int tn_acl_share_device(tarn_phys phys) {
    int device = 0;
    TN_FACE_LOCKED(&lock);
    for (size_t i = 0; i < count; i++)
        if (list[i].phys == phys && list[i].token == 0) device = list[i].device;
    return device;
}

// ---- export

static aclError export_phys(aclrtDrvMemHandle handle, uint64_t flags, uint64_t *token) {
    static const int all = TARN_PROCESS_ANY;
    const struct tn_face_device *any = &tn_acl_face.devices.of[0];
    tarn_phys_info info = TARN_INIT(tarn_phys_info);
    tarn_shareable out = {0, -1, 0};
    tarn_phys phys = tn_acl_phys_of(handle);
    TN_ACL_INVALID(flags > ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION,
                   "flags %llu is neither 0 nor 1", (unsigned long long)flags);
    TN_ACL_TRY(tn_acl_status(tarn_phys_query(phys, &info)));
    TN_ACL_REFUSE(info.imported, ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                  "imported memory cannot be exported");
    TN_ACL_UNSUPPORTED((any->info.shareable & TARN_SHAREABLE_TOKEN) == 0,
                       "this platform has no tokens");
    TN_ACL_REFUSE((info.shareable & TARN_SHAREABLE_TOKEN) == 0, ACL_ERROR_RT_RESOURCE_ALLOC_FAIL,
                  "the memory was created when file descriptors had run out");
    TN_FACE_LOCKED(&lock);
    TN_ACL_REFUSE(find_exported(phys, 0) != NULL, ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                  "the memory was exported before");
    TN_ACL_TRY(make_room());
    TN_ACL_TRY(tn_acl_driver(tarn_phys_export(phys, TARN_SHAREABLE_TOKEN, &out)));
    if (flags == ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION)
        TN_ACL_TRY(tn_acl_driver(tarn_phys_allow(any->tarn, &out, &all, 1)));
    list[count++] = (struct shared){phys, out.token, 0};
    *token = out.token;
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtMemExportToShareableHandle, aclrtDrvMemHandle, handle, aclrtMemHandleType,
                handleType, uint64_t, flags, uint64_t *, shareableHandle) {
    TN_ACL_POINTERS(handle, shareableHandle);
    TN_ACL_ARGUMENT(handleType != ACL_MEM_HANDLE_TYPE_NONE, "handleType %d is not 0",
                    (int)handleType);
    TN_ACL_TRY(tn_acl_vmm_enter(1));
    return export_phys(handle, flags, shareableHandle);
}

// ---- import

static aclError import_phys(uint64_t token, const struct tn_face_device *device,
                            aclrtDrvMemHandle *handle) {
    const tarn_shareable in = {TARN_SHAREABLE_TOKEN, -1, token};
    tarn_phys phys = 0;
    TN_FACE_LOCKED(&lock);
    TN_ACL_INVALID(find_exported(0, token) != NULL, "the token 0x%llx was exported by this process",
                   (unsigned long long)token);
    TN_ACL_TRY(make_room());
    tarn_status status = tarn_phys_import(device->tarn, &in, &phys);
    TN_ACL_TRY(tn_acl_from(status, status == TARN_NO_ACCESS ? ACL_ERROR_RT_NO_PERMISSION
                                                            : ACL_ERROR_RT_DRV_INTERNAL_ERROR));
    list[count++] = (struct shared){phys, 0, device->number};
    *handle = (aclrtDrvMemHandle)(uintptr_t)phys;
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtMemImportFromShareableHandle, uint64_t, shareableHandle, int32_t, deviceId,
                aclrtDrvMemHandle *, handle) {
    TN_ACL_POINTER(handle);
    TN_ACL_TRY(tn_acl_vmm_enter(1));
    TN_ACL_DEVICE(device, tn_acl_find_device(deviceId, &device));
    return import_phys(shareableHandle, device, handle);
}

// ---- processes that may import

static aclError allow_pids(uint64_t token, const int32_t *pids, size_t number) {
    const tarn_shareable exported = {TARN_SHAREABLE_TOKEN, -1, token};
    TN_ACL_TRY(tn_acl_check_pids(pids, number));
    return tn_acl_driver(tarn_phys_allow(tn_acl_face.devices.of[0].tarn, &exported, pids, number));
}

static aclError check_list(const int32_t *pids, size_t number) {
    TN_ACL_ARGUMENT(pids == NULL || number == 0, "pid %p, pidNum %zu", (const void *)pids, number);
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtMemSetPidToShareableHandle, uint64_t, shareableHandle, int32_t *, pid, size_t,
                pidNum) {
    TN_ACL_TRY(check_list(pid, pidNum));
    TN_ACL_TRY(tn_acl_vmm_enter(1));
    return allow_pids(shareableHandle, pid, pidNum);
}

// ---- the second versions

static aclError check_type(const void *shareable, aclrtMemSharedHandleType type) {
    TN_ACL_TRY(tn_acl_check_pointer(shareable, "shareableHandle"));
    TN_ACL_ARGUMENT(type != ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT &&
                        type != ACL_MEM_SHARE_HANDLE_TYPE_FABRIC,
                    "shareType %d is neither 1 nor 2", (int)type);
    TN_ACL_TRY(tn_acl_vmm_enter(2));
    TN_ACL_UNSUPPORTED(type == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC,
                       "shareType 2, fabric: memory cannot leave the machine");
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtMemExportToShareableHandleV2, aclrtDrvMemHandle, handle, uint64_t, flags,
                aclrtMemSharedHandleType, shareType, void *, shareableHandle) {
    TN_ACL_POINTER(handle);
    TN_ACL_TRY(check_type(shareableHandle, shareType));
    return export_phys(handle, flags, (uint64_t *)shareableHandle);
}

TN_ACL_FUNCTION(aclrtMemImportFromShareableHandleV2, void *, shareableHandle,
                aclrtMemSharedHandleType, shareType, uint64_t, flags, aclrtDrvMemHandle *, handle) {
    TN_ACL_POINTER(handle);
    TN_ACL_TRY(check_type(shareableHandle, shareType));
    TN_ACL_INVALID(flags != 0, "flags %llu is not 0", (unsigned long long)flags);
    TN_ACL_DEVICE(device, tn_acl_current_device(&device));
    return import_phys(*(const uint64_t *)shareableHandle, device, handle);
}

TN_ACL_FUNCTION(aclrtMemSetPidToShareableHandleV2, void *, shareableHandle,
                aclrtMemSharedHandleType, shareType, int32_t *, pid, size_t, pidNum) {
    TN_ACL_TRY(check_list(pid, pidNum));
    TN_ACL_TRY(check_type(shareableHandle, shareType));
    return allow_pids(*(const uint64_t *)shareableHandle, pid, pidNum);
}
