// SPDX-License-Identifier: Apache-2.0
// Sends messages to the command that started this process; see launcher.h.
#include "base/launcher.h"

#include <errno.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/socket_name.h"

static bool send_message(const char *variable, char kind, const char *text, int flags) {
    const struct timeval limit = {1, 0};
    struct tn_socket_name name;
    char message[TN_LAUNCHER_TOKEN + TN_LAUNCHER_MESSAGE];
    size_t length = strlen(text);
    if (!tn_socket_name_read(variable, &name)) return false;
    length = length < TN_LAUNCHER_MESSAGE - 1 ? length : TN_LAUNCHER_MESSAGE - 1;
    memcpy(message, name.token, TN_LAUNCHER_TOKEN);
    message[TN_LAUNCHER_TOKEN] = kind;
    memcpy(message + TN_LAUNCHER_TOKEN + 1, text, length);
    int error = errno, file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    (void)setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    ssize_t sent = sendto(file, message, TN_LAUNCHER_TOKEN + 1 + length, MSG_NOSIGNAL | flags,
                          (const struct sockaddr *)&name.address, name.bytes);
    if (file >= 0) (void)close(file);
    errno = error;
    return sent >= 0;
}

void tn_launcher_report(const char *variable, char message) {
    (void)send_message(variable, message, "", MSG_DONTWAIT);
}

bool tn_launcher_failed(const char *variable, const char *text) {
    return send_message(variable, TN_LAUNCHER_FAILED, text, 0);
}

void tn_launcher_refused(const char *variable, const char *text) {
    (void)send_message(variable, TN_LAUNCHER_REFUSED, text, MSG_DONTWAIT);
}
