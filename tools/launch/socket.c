// SPDX-License-Identifier: Apache-2.0
// Opens a socket with a token; see socket.h.
#include "tools/launch/socket.h"

#include <errno.h>
#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/socket_name.h"

enum { WORDS = TN_LAUNCHER_TOKEN / 4, SUFFIX = 8 };

// The first digits of the random text become a part of the name, so they are not of the token.
static bool make_digits(char *text, size_t count) {
    unsigned char random[TN_LAUNCHER_TOKEN + SUFFIX];
    if (getrandom(random, count, 0) != (ssize_t)count) return false;
    for (size_t i = 0; i < count; i++) text[i] = "0123456789abcdef"[random[i] % 16];
    return true;
}

// Lets the kernel drop datagrams without the token before they take room in the socket, so that
// another user can neither fill it nor wake this process. Kernels without filters for these sockets
// leave the work to the receiver.
static void drop_strangers(int file, const char token[TN_LAUNCHER_TOKEN]) {
    struct sock_filter code[2 * WORDS + 2];
    unsigned short used = 0;
    for (unsigned i = 0; i < WORDS; i++) {
        const unsigned char *at = (const unsigned char *)token + 4 * (size_t)i;
        uint32_t word =
            (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
        code[used++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 4 * i);
        code[used] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, word, 0,
                                                  (unsigned char)(2 * WORDS - used));
        used++;
    }
    code[used++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, UINT32_MAX);
    code[used++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, 0);
    const struct sock_fprog program = {used, code};
    (void)setsockopt(file, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

int tn_socket_open(int type, const char *kind, const char *variable,
                   char token[TN_LAUNCHER_TOKEN]) {
    char digits[TN_LAUNCHER_TOKEN + SUFFIX], name[TN_SOCKET_NAME];
    char text[TN_SOCKET_NAME + TN_LAUNCHER_TOKEN + 1];
    struct tn_socket_name own;
    if (!make_digits(digits, sizeof digits)) return -1;
    memcpy(token, digits + SUFFIX, TN_LAUNCHER_TOKEN);
    (void)snprintf(name, sizeof name, "tarn-%s-%d-%.*s", kind, (int)getpid(), SUFFIX, digits);
    (void)snprintf(text, sizeof text, "%s/%.*s", name, TN_LAUNCHER_TOKEN, token);
    int file = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0) return -1;
    if (type == SOCK_DGRAM) drop_strangers(file, token);
    if (tn_socket_name_read(text, &own) &&
        bind(file, (const struct sockaddr *)&own.address, own.bytes) == 0 &&
        setenv(variable, text, 1) == 0)
        return file;
    int error = errno;
    (void)close(file);
    errno = error;
    return -1;
}
