// SPDX-License-Identifier: Apache-2.0
// Sends messages to the command that started this process; see launcher.h.
#include "base/launcher.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

static bool send_message(const char *name, const char *message, size_t bytes, int flags) {
    const struct timeval limit = {1, 0};
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = name != NULL ? strlen(name) : 0;
    if (length == 0 || length >= sizeof address.sun_path) return false;
    int error = errno, file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    memcpy(address.sun_path + 1, name, length); // a leading null byte: an abstract name
    (void)setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    ssize_t sent =
        sendto(file, message, bytes, MSG_NOSIGNAL | flags, (const struct sockaddr *)&address,
               (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length));
    if (file >= 0) (void)close(file);
    errno = error;
    return sent >= 0;
}

void tn_launcher_report(const char *name, char message) {
    (void)send_message(name, &message, 1, MSG_DONTWAIT);
}

bool tn_launcher_failed(const char *name, const char *text) {
    char message[TN_LAUNCHER_MESSAGE] = {TN_LAUNCHER_FAILED};
    size_t length = strlen(text);
    length = length < sizeof message - 1 ? length : sizeof message - 1;
    memcpy(message + 1, text, length);
    return send_message(name, message, length + 1, 0);
}
