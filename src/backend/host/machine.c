// SPDX-License-Identifier: Apache-2.0
// The file of a machine. Only one process at a time looks for it and creates it: the one that has bound a
// socket of the machine's name, which the kernel frees when that process ends. See machine.h.
#include "backend/host/machine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>

#include "backend/host/sys.h"
#include "base/error.h"
#include "base/uncancelled.h"
#include "base/variable.h"

enum {
    SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL,
    WAIT_MS = 10000 // for processes that join at the same time
};

#define PREFIX "tarn-machine-"

tarn_status tn_host_machine_name(char name[TN_CARD_NAME], bool *named) {
    const char *text = tn_variable_text("TARN_MACHINE");
    char why[256];
    *named = text != NULL;
    if (text == NULL) return TARN_OK;
    TN_REFUSE(!tn_variable_is_name(text), TARN_BAD_CONFIG, "%s",
              tn_variables_check("", why, sizeof why) ? "TARN_MACHINE" : why);
    (void)snprintf(name, TN_CARD_NAME, "%s", text);
    return TARN_OK;
}

// ---- one at a time

static int bind_name(const char *name) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, PREFIX "%u-%s",
                          (unsigned)geteuid(), name);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    socklen_t bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, bytes) == 0) return fd;
    int error = errno;
    tn_close(fd);
    errno = error;
    return -1;
}

static tarn_status wait_for_turn(const char *name, int *turn) {
    const struct timespec pause = {.tv_nsec = 1000000};
    TN_UNCANCELLED;
    *turn = bind_name(name);
    for (int i = 0; i < WAIT_MS && *turn < 0 && errno == EADDRINUSE; i++) {
        (void)nanosleep(&pause, NULL);
        *turn = bind_name(name);
    }
    return *turn >= 0 ? TARN_OK
                      : tn_fail_native(tn_host_sys_status(errno), "bind", errno,
                                       "machine %s cannot be joined: %s", name, strerror(errno));
}

// ---- looking for the file

// A process may end, and close its files, while they are looked at. Files of other users cannot be opened.
static bool is_harmless(int error) {
    return error == ENOENT || error == ESRCH || error == EACCES || error == EPERM;
}

// Opens the file if it is the user's own and cannot shrink. Returns 0 or an errno.
static int open_if_ours(const char *path, int *found) {
    struct stat stat;
    int fd = tn_host_sys_open(path, O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) return is_harmless(errno) ? 0 : errno;
    int seals = tn_host_sys_get_seals(fd);
    int error = seals < 0 && errno != EINVAL ? errno : 0;
    if (seals >= 0 && (seals & SEALS) == SEALS && fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode) &&
        stat.st_uid == geteuid() && stat.st_size == (off_t)sizeof(struct tn_host_card_file))
        *found = fd;
    else
        tn_close(fd);
    return error;
}

// Returns 0 or an errno, as the next one. *found is -1 if there is no such file.
static int look_in_process(const char *pid, const char *wanted, int *found) {
    char folder[64], path[352], target[128];
    int error = 0;
    (void)snprintf(folder, sizeof folder, "/proc/%.20s/fd", pid);
    DIR *files = opendir(folder);
    if (files == NULL) return is_harmless(errno) ? 0 : errno;
    for (struct dirent *entry; error == 0 && *found < 0 && (entry = readdir(files)) != NULL;) {
        ssize_t length = readlinkat(dirfd(files), entry->d_name, target, sizeof target - 1);
        if (length <= 0) continue;
        target[length] = '\0';
        if (strcmp(target, wanted) != 0) continue;
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        error = open_if_ours(path, found);
    }
    (void)closedir(files);
    return error;
}

// A failure must not look like a machine that nobody is in.
static int look_for_file(const char *name, int *found) {
    char wanted[128];
    int error = 0;
    *found = -1;
    (void)snprintf(wanted, sizeof wanted, "/memfd:" PREFIX "%s (deleted)", name);
    DIR *processes = opendir("/proc");
    if (processes == NULL) return errno;
    for (struct dirent *entry; error == 0 && *found < 0 && (entry = readdir(processes)) != NULL;)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
            error = look_in_process(entry->d_name, wanted, found);
    (void)closedir(processes);
    return error;
}

int tn_host_machine_reopen(int fd) {
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return tn_host_sys_open(path, O_RDWR);
}

// ---- the file

static int make_file(const char *name) {
    char text[128];
    const struct tn_host_card_file head = {.magic = TN_CARD_MAGIC,
                                           .version = TN_CARD_VERSION,
                                           .size = sizeof(struct tn_host_card_file)};
    (void)snprintf(text, sizeof text, PREFIX "%s", name);
    int fd = tn_host_sys_memfd(text);
    if (fd < 0) return -1;
    if (fchmod(fd, 0600) == 0 && tn_host_sys_truncate(fd, sizeof head) == 0 &&
        tn_host_sys_pwrite(fd, &head, offsetof(struct tn_host_card_file, cards), 0) == 0 &&
        tn_host_sys_seal(fd, SEALS) == 0)
        return fd;
    int error = errno;
    tn_close(fd);
    errno = error;
    return -1;
}

static tarn_status open_or_make(const char *name, bool create, int *fd) {
    int error = look_for_file(name, fd);
    if (error != 0)
        return tn_fail_native(tn_host_sys_status(error), "open", error,
                              "machine %s cannot be looked for in /proc: %s", name,
                              strerror(error));
    if (*fd >= 0) return TARN_OK;
    TN_REFUSE(!create, TARN_BAD_DEVICE, "no process of this user is in a machine %s", name);
    *fd = make_file(name);
    return *fd >= 0 ? TARN_OK
                    : tn_fail_native(tn_host_sys_status(errno), "memfd_create", errno,
                                     "the memory of machine %s cannot be made: %s", name,
                                     strerror(errno));
}

static tarn_status map_file(const char *name, int fd, struct tn_host_card_file **file) {
    uint64_t at = tn_host_sys_mmap(0, sizeof **file, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == 0)
        return tn_fail_native(tn_host_sys_status(errno), "mmap", errno,
                              "the memory of machine %s cannot be mapped: %s", name,
                              strerror(errno));
    *file = (struct tn_host_card_file *)(uintptr_t)at;
    if (memcmp((*file)->magic, TN_CARD_MAGIC, sizeof(*file)->magic) == 0 &&
        (*file)->version == TN_CARD_VERSION && (*file)->size == sizeof **file)
        return TARN_OK;
    (void)munmap(*file, sizeof **file);
    return tn_fail(TARN_BAD_CONFIG, "machine %s is of another release of Tarn", name);
}

tarn_status tn_host_machine_enter(const char *name, bool create, int *fd,
                                  struct tn_host_card_file **file) {
    int turn = -1;
    TN_TRY(wait_for_turn(name, &turn));
    tarn_status status = open_or_make(name, create, fd);
    tn_close(turn);
    TN_TRY(status);
    status = map_file(name, *fd, file);
    if (status != TARN_OK) tn_close(*fd);
    return status;
}
