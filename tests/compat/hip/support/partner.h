// SPDX-License-Identifier: Apache-2.0
// Two processes that use HIP, parent and child, with a line between them on which words and
// descriptors go. Neither has called HIP when its part begins. A part that fails ends its process;
// the other one sees the line go dead and fails too.
#pragma once

#include <sys/types.h>

#include "support/hip.h"

struct partner {
    int line;
    pid_t pid; // of the other: the child, or the parent
};
typedef void part(struct partner *other);

// Plays both parts, in two processes of their own. The test fails if one does, or is killed by
// anybody but partner_kill().
void play(part *parent, part *child);

// For a part that wants a child of its own: to be begun before its own first call of HIP.
// The end waits for the child; once is enough, and a second time does nothing.
struct partner partner_begin(part *child);
void partner_end(struct partner *child);

// Ends the child without a chance to clean up. It is gone at return.
void partner_kill(struct partner *child);

// One word says that something is done. hear() fails when another word comes, or none any more.
void say(const struct partner *other, char word);
void hear(const struct partner *other, char word);

// As messages with rights (SCM_RIGHTS) on the line. What is sent stays open here; what is received
// is the caller's to close.
void send_fd(const struct partner *other, int fd);
int receive_fd(const struct partner *other);

// Out of the other's table, which must have let it and still has it; -1 with errno where this
// kernel does not allow it.
void let_take(void);
int take_fd(const struct partner *other, int number);
