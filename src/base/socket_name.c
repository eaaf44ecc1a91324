// SPDX-License-Identifier: Apache-2.0
// See socket_name.h.
#include "base/socket_name.h"

#include <stddef.h>
#include <string.h>

// An abstract name begins with a zero byte.
bool tn_socket_name_read(const char *text, struct tn_socket_name *name) {
    const char *slash = text == NULL ? NULL : strchr(text, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - text);
    if (length == 0 || length >= TN_SOCKET_NAME || strlen(slash + 1) != TN_LAUNCHER_TOKEN)
        return false;
    *name = (struct tn_socket_name){.address = {.sun_family = AF_UNIX}};
    memcpy(name->address.sun_path + 1, text, length);
    memcpy(name->token, slash + 1, TN_LAUNCHER_TOKEN);
    name->bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
    return true;
}
