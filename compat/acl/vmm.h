// SPDX-License-Identifier: Apache-2.0
// What the files of virtual memory share: handles, locations, and the reservations. A handle of
// AscendCL is Tarn's number for the memory, so there is nothing to look up. The platform's
// granularity may be finer: 2 MiB and 1 GiB are AscendCL's own, and looked after here.
#ifndef TARN_COMPAT_ACL_VMM_H
#define TARN_COMPAT_ACL_VMM_H

#include <acl/detail/vmm.h>

#include "compat/acl/face.h"

#define TN_ACL_HUGE  TARN_PAGE_BYTES(TARN_PAGE_HUGE)
#define TN_ACL_GIANT TARN_PAGE_BYTES(TARN_PAGE_GIANT)

static inline tarn_addr tn_acl_addr(const void *ptr) {
    return (tarn_addr)(uintptr_t)ptr;
}

static inline tarn_phys tn_acl_phys_of(aclrtDrvMemHandle handle) {
    return (tarn_phys)(uintptr_t)handle;
}

static inline aclrtDrvMemHandle tn_acl_phys_handle(tarn_phys phys) {
    return (aclrtDrvMemHandle)(uintptr_t)phys;
}

// After the acl layer's tests: opens the devices. 207000: RC mode, or an older generation than the
// function's.
aclError tn_acl_vmm_enter(int generation);

// 107001, with a text.
aclError tn_acl_no_device(uint32_t id);

// Where rights are given: device or host. 107000: another type, a host with an id; 107001.
aclError tn_acl_access_location(aclrtMemLocation given, tarn_location *location);

// Processes that may import: 107000 for a number that is none.
aclError tn_acl_check_pids(const int32_t *pids, size_t count);

// The device that imported memory was imported for.
int tn_acl_share_device(tarn_phys phys);

// ---- reservations of the program

// Untied until something is mapped: type 0. Nodes of the host count as the host.
struct tn_acl_space {
    tarn_addr start;
    uint64_t size;
    tarn_location tie;
    bool imported; // tied to imported memory
};

// Takes the lock of all reservations and finds the one that holds `addr`; NULL: none. Changes of
// mappings are made under the lock, so that what is found stays true.
struct tn_acl_space *tn_acl_space_lock(tarn_addr addr);
void tn_acl_space_unlock(void);

#endif
