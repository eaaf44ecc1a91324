/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crt/host_defines.h - the words of device code; see host_defines.h.
 */
#ifndef CRT_HOST_DEFINES_H
#define CRT_HOST_DEFINES_H

#include <host_defines.h>

#endif
