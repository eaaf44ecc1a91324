// SPDX-License-Identifier: Apache-2.0
// Statistics of a channel, and looking at those of any process through its open descriptors. What
// another process shows is copied and only ever printed.
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/struct.h"
#include "channel/channel.h"

tarn_status tarn_channel_query_stats(tarn_channel *channel, tarn_channel_stats *stats) {
    tarn_channel_stats own = {.struct_size = sizeof own};
    tarn_status status = tn_channel_usable(channel);
    if (status != TARN_OK) {
        return status;
    }
    tn_wait_set_reclaim(&channel->arena->wait_set);
    (void)tn_channel_is_alive(channel);
    tn_spin_lock(&channel->send_lock);
    uint64_t taken = tn_load_acquire(&channel->peer.head->consumed);
    if (taken >= channel->peer_consumed && taken <= channel->sent) {
        channel->peer_consumed = taken;
    }
    tn_mailbox_set(&channel->own, TN_CHANNEL_queued, channel->sent - channel->peer_consumed);
    tn_spin_unlock(&channel->send_lock);
#define COPY(name, text) own.name = tn_load_relaxed(&channel->own.head->stats[TN_CHANNEL_##name]);
    TARN_CHANNEL_STATS_LIST(COPY)
#undef COPY
    return tn_struct_write(stats, &own, sizeof own, "tarn_channel_stats");
}

// ---- from outside

// The head of a file of one of our two kinds, mapped for reading. `bytes` is what is read of it.
static tarn_status open_head(const char *path, size_t bytes, const void **head) {
    struct stat file;
    if (path == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "path NULL");
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        bool refused = errno == EACCES || errno == EPERM;
        return tn_fail_native(refused ? TARN_NO_ACCESS : TARN_SYSTEM, "open", errno, "%s", path);
    }
    int seals = fcntl(fd, F_GET_SEALS);
    bool good = seals >= 0 && (seals & F_SEAL_SHRINK) != 0 && fstat(fd, &file) == 0 &&
                file.st_size >= (off_t)bytes;
    void *mapped = good ? mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    (void)close(fd);
    if (mapped == MAP_FAILED) {
        return tn_fail(TARN_BAD_ARGUMENT, "%s is no memory of an arena or channel", path);
    }
    *head = mapped;
    return TARN_OK;
}

static tarn_status not_ours(const char *path, const char *what) {
    return tn_fail(TARN_BAD_ARGUMENT, "%s is not %s", path, what);
}

tarn_status tarn_arena_peek(const char *path, tarn_arena_stats *stats) {
    const void *head;
    tarn_arena_stats own = {.struct_size = sizeof own};
    tarn_status status = open_head(path, sizeof(struct tn_arena_board), &head);
    if (status != TARN_OK) {
        return status;
    }
    const struct tn_arena_board *board = (const struct tn_arena_board *)head;
    bool ours = board->magic == TN_ARENA_BOARD_MAGIC && board->bytes == sizeof *board;
#define COPY(name, text) own.name = tn_load_relaxed(&board->stats[TN_ARENA_##name]);
    TARN_ARENA_STATS_LIST(COPY)
#undef COPY
    (void)munmap((void *)(uintptr_t)head, sizeof *board);
    return ours ? tn_struct_write(stats, &own, sizeof own, "tarn_arena_stats")
                : not_ours(path, "the board of an arena");
}

tarn_status tarn_channel_peek(const char *path, tarn_channel_stats *stats) {
    const void *head;
    tarn_channel_stats own = {.struct_size = sizeof own};
    tarn_status status = open_head(path, sizeof(struct tn_mailbox_head), &head);
    if (status != TARN_OK) {
        return status;
    }
    const struct tn_mailbox_head *box = (const struct tn_mailbox_head *)head;
    bool ours = box->magic == TN_MAILBOX_MAGIC;
#define COPY(name, text) own.name = tn_load_relaxed(&box->stats[TN_CHANNEL_##name]);
    TARN_CHANNEL_STATS_LIST(COPY)
#undef COPY
    (void)munmap((void *)(uintptr_t)head, sizeof *box);
    return ours ? tn_struct_write(stats, &own, sizeof own, "tarn_channel_stats")
                : not_ours(path, "the box of a channel");
}
