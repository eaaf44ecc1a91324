// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of virtual memory. The CPU reads mapped memory with the right that
// aclrtMemSetAccess() gives to the host.
#pragma once

#include "support/acl.h"

#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)

aclrtPhysicalMemProp vmm_prop(aclrtMemAttr attribute, int device);

// 2 MiB pages of a device.
aclrtDrvMemHandle vmm_create(size_t size, int device);

char *vmm_reserve(size_t size);

// Gives the host rights to a whole mapping.
void vmm_let_host(void *at, size_t size);

// Creates and maps memory of device 0. The mapping has the only reference to it.
void vmm_fill(char *at, size_t size);
