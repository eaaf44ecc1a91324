// SPDX-License-Identifier: Apache-2.0
// Files of shareable memory: their creation and their checks. See share.h.
#include "backend/host/share.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "backend/host/sys.h"
#include "base/error.h"
#include "base/uncancelled.h"

#define MAGIC      "TARNPHY" // with its terminating zero
#define VERSION    5u
#define TMPFS_TYPE 0x01021994 // f_type of a memfd without huge pages of its own

_Static_assert(sizeof(struct tn_host_trailer) <= 4096, "a trailer fits the smallest page");

tarn_status tn_host_share_refused(const char *call, int error, uint64_t bytes) {
    return tn_fail_native(tn_host_sys_status(error), call, error,
                          "cannot make a file or descriptor for %llu shareable bytes: %s",
                          (unsigned long long)bytes, strerror(error));
}

static const char *write_file(int fd, uint64_t page, const struct tn_host_phys *phys,
                              const struct tn_host_trailer *given) {
    struct tn_host_trailer trailer = *given;
    memcpy(trailer.magic, MAGIC, sizeof trailer.magic);
    trailer.version = VERSION;
    trailer.size = sizeof trailer;
    trailer.bytes = phys->bytes;
    trailer.location = phys->location;
    trailer.usage = phys->usage;
    trailer.page_class = phys->page_class;
    if (tn_host_sys_truncate(fd, phys->bytes + page) != 0) return "ftruncate";
    if (tn_host_sys_pwrite(fd, &trailer, sizeof trailer, phys->bytes) != 0) return "pwrite";
    return tn_host_sys_seal(fd, TN_HOST_SHARE_SEALS) != 0 ? "fcntl" : NULL;
}

tarn_status tn_host_share_create(const struct tn_host *h, struct tn_host_phys *phys,
                                 const struct tn_host_trailer *trailer) {
    int fd = tn_host_sys_memfd("tarn-shareable");
    if (fd < 0) return tn_host_share_refused("memfd_create", errno, phys->bytes);
    const char *failed = write_file(fd, h->probe.page, phys, trailer);
    if (failed != NULL) {
        int error = errno;
        tn_close(fd);
        return tn_host_share_refused(failed, error, phys->bytes);
    }
    phys->fd = fd;
    phys->bound = true;
    return TARN_OK;
}

bool tn_host_share_write_list(int fd, const struct tn_host_trailer *trailer, uint32_t known) {
    const uint32_t head[2] = {trailer->access, trailer->listed};
    TARN_ASSERT(known <= trailer->listed && trailer->listed <= TN_HOST_SHARE_LIST);
    const size_t more = (trailer->listed - known) * sizeof trailer->list[0];
    uint64_t list = trailer->bytes + offsetof(struct tn_host_trailer, list);
    // The count comes last, so that a concurrent reader never reads an entry before it is written.
    return (more == 0 || tn_host_sys_pwrite(fd, &trailer->list[known], more,
                                            list + known * sizeof trailer->list[0]) == 0) &&
           tn_host_sys_pwrite(fd, head, sizeof head,
                              trailer->bytes + offsetof(struct tn_host_trailer, access)) == 0;
}

// ---- import

// Returns NULL if the descriptor is a writable memory file that cannot shrink, else the reason.
static const char *share_file_flaw(int fd, uint64_t page, uint64_t *size) {
    struct stat stat;
    struct statfs system;
    if (fstat(fd, &stat) != 0) return "it is not open";
    if (!S_ISREG(stat.st_mode) || fstatfs(fd, &system) != 0 || system.f_type != TMPFS_TYPE)
        return "it is not a memory file";
    int seals = tn_host_sys_get_seals(fd);
    if (seals < 0 || (seals & TN_HOST_SHARE_SEALS) != TN_HOST_SHARE_SEALS)
        return "its size is not sealed";
    int flags = fcntl(fd, F_GETFL);
    if ((seals & ~TN_HOST_SHARE_SEALS & (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE)) != 0 || flags < 0 ||
        (flags & O_ACCMODE) != O_RDWR)
        return "it cannot be written";
    if (stat.st_size <= (off_t)page || (uint64_t)stat.st_size % page != 0)
        return "its size is wrong";
    *size = (uint64_t)stat.st_size;
    return NULL;
}

static const char *trailer_flaw(const struct tn_host *h, int fd, uint64_t size,
                                enum tn_host_share_kind kind, struct tn_host_trailer *trailer) {
    uint64_t bytes = size - h->probe.page;
    if (tn_host_sys_pread(fd, trailer, sizeof *trailer, bytes) != 0)
        return "its trailer cannot be read";
    if (memcmp(trailer->magic, MAGIC, sizeof trailer->magic) != 0) return "it has no trailer";
    if (trailer->version != VERSION || trailer->size != sizeof *trailer)
        return "its trailer is of another version";
    if (trailer->bytes != bytes || trailer->location >= TN_HOST_LOCATIONS || trailer->usage > 255 ||
        (trailer->page_class != TARN_PAGE_BASE && trailer->page_class != TARN_PAGE_HUGE) ||
        (trailer->page_bytes & (trailer->page_bytes - 1)) != 0 || trailer->asked > bytes ||
        (trailer->asked == 0) != (trailer->kind == TN_HOST_SHARE_PHYS) ||
        trailer->kind >= TN_HOST_SHARE_EITHER)
        return "its trailer is damaged";
    if (trailer->access > TN_HOST_SHARE_UNRESTRICTED || trailer->listed > TN_HOST_SHARE_LIST ||
        (trailer->shareable & ~(uint32_t)TN_HOST_SHAREABLE) != 0)
        return "its trailer is damaged";
    if (kind != TN_HOST_SHARE_EITHER && trailer->kind != (uint32_t)kind)
        return "it is for another kind of memory";
    if (bytes % h->config.granularity != 0)
        return "its size is not a multiple of this platform's granularity";
    return NULL;
}

const char *tn_host_share_read(const struct tn_host *h, int fd, enum tn_host_share_kind kind,
                               struct tn_host_trailer *trailer) {
    uint64_t size = 0;
    const char *flaw = share_file_flaw(fd, h->probe.page, &size);
    return flaw != NULL ? flaw : trailer_flaw(h, fd, size, kind, trailer);
}

tarn_status tn_host_share_enter(struct tn_host *h, int fd, unsigned location,
                                const struct tn_host_trailer *trailer, uint32_t *slot) {
    const struct tn_host_phys made = {
        .bytes = trailer->bytes,
        .fd = fd,
        .location = (uint8_t)location,
        .page_class = (uint8_t)trailer->page_class,
        .shareable = (uint8_t)trailer->shareable,
        .usage = (uint8_t)trailer->usage,
        .live = true,
        .imported = true,
        .bound = true,
    };
    TARN_ASSERT(fd >= 0 && location < TN_HOST_LOCATIONS && trailer->bytes != 0);
    TN_LOCKED(&h->phys_lock);
    tarn_status status = tn_host_phys_count_file(h);
    if (status == TARN_OK) {
        status = tn_host_phys_new_record(h, slot);
        if (status == TARN_OK)
            *tn_host_phys_at(h, *slot) = made;
        else
            h->own_files--;
    }
    return status;
}
