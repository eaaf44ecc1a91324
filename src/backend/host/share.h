// SPDX-License-Identifier: Apache-2.0
// Physical memory shared between processes: a sealed file of its own, with the bytes at offset 0
// and a trailer page that describes it. The holder of the descriptor has access to the memory.
// A descriptor from another process is not trusted: its kind, size, seals and trailer are checked.
#pragma once

#include <fcntl.h>

#include "backend/host/phys.h"

// The size cannot change, so no access raises SIGBUS, and no further seals can be added.
#define TN_HOST_SHARE_SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

// The use of a file. A token is of a handle only, and a key of a block only. A descriptor, which
// tn_host_share_read() checks as EITHER, may be of both.
enum tn_host_share_kind { TN_HOST_SHARE_PHYS, TN_HOST_SHARE_BLOCK, TN_HOST_SHARE_EITHER };

// The ways to export a handle.
#define TN_HOST_SHAREABLE (TARN_SHAREABLE_FD | TARN_SHAREABLE_TOKEN)

// The processes that may use a key or token, beside the exporter.
enum tn_host_share_access {
    TN_HOST_SHARE_LISTED,      // those in the list
    TN_HOST_SHARE_ANY,         // all
    TN_HOST_SHARE_UNRESTRICTED // all, until the first call of tarn_*_allow names one
};

#define TN_HOST_SHARE_LIST 512u

// The last page of the file begins with this struct, in the byte order of the machine.
struct tn_host_trailer {
    char magic[8];
    uint32_t version;
    uint32_t size;  // of this struct
    uint64_t bytes; // of the memory, at offset 0
    uint32_t location;
    uint32_t usage;
    uint32_t page_class; // of the pages beneath
    uint32_t kind;       // enum tn_host_share_kind
    uint64_t page_bytes; // of the class that was requested
    uint64_t asked;      // BLOCK: bytes that were requested
    uint64_t nonce[2];   // a key or token must contain these bits
    uint64_t user[2];    // PHYS: of the creator's tarn_phys_desc, not interpreted
    uint32_t shareable;  // PHYS: the permitted ways to export it
    uint32_t access;     // enum tn_host_share_access
    uint32_t listed;
    int32_t list[TN_HOST_SHARE_LIST]; // process ids
};

// Makes a sealed file for `phys`, whose other fields are set. The caller sets the kind in `trailer`
// and the fields marked with that kind. NO_HANDLES, NO_HOST_MEMORY, SYSTEM, with a text.
tarn_status tn_host_share_create(const struct tn_host *h, struct tn_host_phys *phys,
                                 const struct tn_host_trailer *trailer);

// Reads and checks the trailer of a descriptor of another process. Returns NULL, or the reason to
// refuse.
const char *tn_host_share_read(const struct tn_host *h, int fd, enum tn_host_share_kind kind,
                               struct tn_host_trailer *trailer);

// Makes a record for the imported memory of `fd`, which the record then owns. Takes the phys lock.
// NO_HANDLES, NO_HOST_MEMORY, with a text.
tarn_status tn_host_share_enter(struct tn_host *h, int fd, unsigned location,
                                const struct tn_host_trailer *trailer, uint32_t *slot);

// Writes the access and the list, of which the first `known` entries are unchanged. Returns false
// with errno on failure; the effective list has not changed then.
bool tn_host_share_write_list(int fd, const struct tn_host_trailer *trailer, uint32_t known);

// Fails with the status for `error`, an errno of a call that makes a file or descriptor.
tarn_status tn_host_share_refused(const char *call, int error, uint64_t bytes);
