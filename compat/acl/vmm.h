// SPDX-License-Identifier: Apache-2.0
// Virtual memory: handles, locations and reservations, for the files vmm_*.c. A handle of AscendCL
// is Tarn's number of the memory. AscendCL's granularities, 2 MiB and 1 GiB, may be coarser than
// those of the platform, so this face checks them. Any thread may call these functions.
#pragma once

#include <acl/detail/vmm.h>

#include "compat/acl/face.h"

#define TN_ACL_HUGE  TARN_PAGE_BYTES(TARN_PAGE_HUGE)
#define TN_ACL_GIANT TARN_PAGE_BYTES(TARN_PAGE_GIANT)

static inline tarn_phys tn_acl_phys_of(aclrtDrvMemHandle handle) {
    return (tarn_phys)(uintptr_t)handle;
}

// Opens the devices, after the checks of the acl layer. 207000 in RC mode, or in an older
// generation than `generation`, the function's first.
aclError tn_acl_vmm_enter(int generation);

// Returns 107000 if a number in the list of processes is not positive.
aclError tn_acl_check_pids(const int32_t *pids, size_t count);

// Returns the device that imported memory was imported for.
int tn_acl_share_device(tarn_phys phys);

// ---- reservations of the program

// A reservation is tied to the location of the first memory that is mapped there, and to own or to
// imported memory. Nodes of the host count as the host.
struct tn_acl_space {
    tarn_addr start;
    uint64_t bytes;
    tarn_location tie; // type 0: not tied
    bool imported;
};

// Reads the reservation of this face from the answer to a query. Returns false if the address is in
// none.
bool tn_acl_space_read(const tarn_address_info *info, struct tn_acl_space *space);

// Stores the tie of a reservation.
void tn_acl_space_tie(const struct tn_acl_space *space);
