// SPDX-License-Identifier: Apache-2.0
// Physical memory between processes: a sealed file of its own, with the bytes at offset 0 and a
// trailer page that says what it is. Whoever holds the descriptor holds the memory.
#ifndef TARN_HOST_SHARE_H
#define TARN_HOST_SHARE_H

#include <fcntl.h>

#include "backend/host/phys.h"

// Nobody may change the size, so that no access can be SIGBUS, nor add further seals.
#define TN_HOST_SHARE_SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

// A new sealed file for `phys`, whose other fields are filled in. NO_HANDLES, NO_HOST_MEMORY,
// SYSTEM, with a text.
tarn_status tn_host_share_create(const struct tn_host *h, struct tn_host_phys *phys);

// The slots of the table.
tarn_status tn_host_phys_export(void *p, tarn_backend_phys phys, uint32_t type,
                                tarn_shareable *out);
tarn_status tn_host_phys_import(void *p, int device, const tarn_shareable *in,
                                tarn_backend_phys *phys, tarn_backend_phys_info *info);

#endif
