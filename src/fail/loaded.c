// SPDX-License-Identifier: Apache-2.0
// See loaded.h. A report keeps errno and never waits.
#include "fail/loaded.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void tn_fail_loaded_report(const char *name) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = name != NULL ? strlen(name) : 0;
    if (length == 0 || length >= sizeof address.sun_path) {
        return;
    }
    int error = errno, file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    memcpy(address.sun_path + 1, name, length); // a leading null byte: an abstract name
    (void)sendto(file, "", 1, MSG_NOSIGNAL, (const struct sockaddr *)&address,
                 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length));
    if (file >= 0) {
        (void)close(file);
    }
    errno = error;
}
