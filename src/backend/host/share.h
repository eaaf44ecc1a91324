// SPDX-License-Identifier: Apache-2.0
// Physical memory between processes: a sealed file of its own, with the bytes at offset 0 and a
// trailer page that says what it is. Whoever holds the descriptor holds the memory. A descriptor
// from outside is trusted in nothing: not its kind, size, seals or trailer.
#ifndef TARN_HOST_SHARE_H
#define TARN_HOST_SHARE_H

#include <fcntl.h>

#include "backend/host/phys.h"

// Nobody may change the size, so that no access can be SIGBUS, nor add further seals.
#define TN_HOST_SHARE_SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

// What a file is for. A handle is not a block, even where somebody has the descriptor of one.
enum tn_host_share_kind { TN_HOST_SHARE_PHYS, TN_HOST_SHARE_BLOCK };

// How handles can leave the process.
#define TN_HOST_SHAREABLE (TARN_SHAREABLE_FD | TARN_SHAREABLE_TOKEN)

// Whom the trailer lets in, beside the process that exports.
enum tn_host_share_access {
    TN_HOST_SHARE_LISTED, // those in the list
    TN_HOST_SHARE_ANYBODY,
    TN_HOST_SHARE_UNSAID // anybody, until somebody is named
};

#define TN_HOST_SHARE_LIST 512u

// The last page of the file begins with this. Fixed sizes; the two processes share a machine.
struct tn_host_trailer {
    char magic[8];
    uint32_t version;
    uint32_t size;  // of this struct
    uint64_t bytes; // of the memory, at offset 0
    uint32_t location;
    uint32_t usage;
    uint32_t page_class; // beneath
    uint32_t kind;       // enum tn_host_share_kind
    uint64_t page_bytes; // PHYS: of the class asked for
    uint64_t asked;      // BLOCK: bytes asked for
    uint64_t nonce[2];   // what a key or token must know
    uint64_t user[2];    // PHYS: of the creator's tarn_phys_desc, not interpreted
    uint32_t shareable;  // PHYS: how it may be exported
    uint32_t access;     // enum tn_host_share_access: who may use a key or token
    uint32_t listed;
    int32_t list[TN_HOST_SHARE_LIST]; // processes
};

// A new sealed file for `phys`, whose other fields are filled in. Of `trailer` the kind and what is
// said there to be of that kind are the caller's. NO_HANDLES, NO_HOST_MEMORY, SYSTEM, with a text.
tarn_status tn_host_share_create(const struct tn_host *h, struct tn_host_phys *phys,
                                 const struct tn_host_trailer *trailer);

// Reads and checks the trailer of a descriptor from outside. NULL: all is good; else what is wrong.
const char *tn_host_share_read(const struct tn_host *h, int fd, enum tn_host_share_kind kind,
                               struct tn_host_trailer *trailer);

// A record for the imported memory behind `fd`, which becomes the record's. Takes the books lock.
// NO_HANDLES, NO_HOST_MEMORY, with a text.
tarn_status tn_host_share_enter(struct tn_host *h, int fd, unsigned location,
                                const struct tn_host_trailer *trailer, uint32_t *slot);

// Writes what is changed in the list, which has grown from `known` on, or in the access. False:
// errno; who is let in has not changed.
bool tn_host_share_write_list(int fd, const struct tn_host_trailer *trailer, uint32_t known);

// The failure, as errno has it, to make a file or descriptor.
tarn_status tn_host_share_refused(const char *call, int error, uint64_t bytes);

#endif
