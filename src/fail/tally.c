// SPDX-License-Identifier: Apache-2.0
// See tally.h.
#include "fail/tally.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic.h"

#define TALLY_BYTES (TN_FAIL_TALLY_NAMES * sizeof(struct tn_fail_tally_entry))

static struct tn_fail_tally_entry *entries; // written before the first call is counted

void tn_fail_tally_open(const char *path) {
    struct stat file;
    int fd = path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0) return;
    // A page without a block would raise SIGBUS on a full disk.
    if (fstat(fd, &file) == 0 && file.st_size >= (off_t)TALLY_BYTES &&
        posix_fallocate(fd, 0, TALLY_BYTES) == 0) {
        void *table = mmap(NULL, TALLY_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        entries = table != MAP_FAILED ? (struct tn_fail_tally_entry *)table : NULL;
    }
    (void)close(fd);
}

bool tn_fail_tally_is_open(void) { return entries != NULL; }

// FNV-1a; never 0.
static uint64_t hash_name(const char *name) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *name != '\0'; name++) hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return hash | 1;
}

uint64_t tn_fail_tally_add(const char *name) {
    uint64_t hash = hash_name(name);
    for (unsigned i = 0; entries != NULL && i < TN_FAIL_TALLY_NAMES; i++) {
        struct tn_fail_tally_entry *entry = &entries[(hash + i) % TN_FAIL_TALLY_NAMES];
        uint64_t found = 0;
        if (tn_cas_relaxed(&entry->hash, &found, hash)) {
            (void)snprintf(entry->name, sizeof entry->name, "%s", name);
            found = hash;
        }
        if (found == hash) return tn_add_relaxed(&entry->count, 1) + 1;
    }
    return 0;
}
