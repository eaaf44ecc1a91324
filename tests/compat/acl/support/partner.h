// SPDX-License-Identifier: Apache-2.0
// A second process. It imports memory on request, checks that the memory contains "shared", writes
// "answered" there, and returns the result.
#pragma once

#include <sys/types.h>

#include "support/acl.h"

struct order {
    enum { BY_TOKEN, BY_TOKEN_2, BY_KEY } how;
    uint64_t token; // of 2 MiB
    char key[65];
    int32_t device;
    uint64_t other; // BY_TOKEN: the token of memory that is imported for device 0 too; 0: none
};

// Results of a partner that could import the memory but found a mistake.
enum { PARTNER_SAW_WRONG_BYTES = -1, PARTNER_COULD_NOT_USE = -2 };

struct partner {
    pid_t pid;
    int to[2];
    int from[2];
};

struct partner partner_hire(void);
aclError partner_import(const struct partner *partner, const struct order *order);
void partner_dismiss(const struct partner *partner);
