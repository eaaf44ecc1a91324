// SPDX-License-Identifier: Apache-2.0
// Names of code by another program, tarn-symbols, which reads debug information. The libraries that
// read it end or crash their process when memory, descriptors or the debug information itself fail
// them, so they are not loaded into the programs of users. Any thread may call; takes its own lock.
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#define TN_NAMER_PROGRAM "tarn-symbols"

enum { TN_NAMER_PATH = 4096, TN_NAMER_ANSWER = 1 << 16 };

// A question, followed by `path_bytes` bytes: the file, with its zero byte.
struct tn_namer_question {
    uint64_t offset; // of an instruction, from the lowest page of the file in memory
    uint32_t path_bytes;
    uint32_t unused;
};

// An answer, followed by `bytes` bytes. Each place is three texts with their zero bytes: function,
// file and line, where "" stands for an unknown one. No places: the file cannot be read.
struct tn_namer_answer {
    uint32_t places;
    uint32_t bytes; // at most TN_NAMER_ANSWER
};

// Sends bytes of a question or an answer. Returns false if the socket is closed.
static inline bool tn_namer_send(int socket, const void *data, size_t bytes) {
    const char *from = (const char *)data;
    while (bytes > 0) {
        ssize_t sent = send(socket, from, bytes, MSG_NOSIGNAL);
        if (sent <= 0 && errno != EINTR) return false;
        from += sent > 0 ? sent : 0;
        bytes -= sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

// The texts are NULL if unknown, and valid during the call. Returns false to stop.
typedef bool (*tn_namer_visit)(void *context, const char *function, const char *file, int line);

// Names the program to start. Without this call it is ../check/tarn-symbols, from the folder of the
// library that contains this function.
void tn_namer_use(const char *program);

// Calls `visit` for each place of an instruction: first for the innermost inlined function, then for
// each function around it. Returns false without a call if there is no answer, because the program
// does not start, ends, or does not know the file.
bool tn_namer_ask(const char *path, uint64_t offset, tn_namer_visit visit, void *context);
