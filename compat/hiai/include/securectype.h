/* SPDX-License-Identifier: Apache-2.0 */
/*
 * securectype.h - the statuses of securec.h.
 */
#ifndef SECURECTYPE_H
#define SECURECTYPE_H

#include <errno.h>

#ifndef errno_t
typedef int errno_t;
#define errno_t errno_t
#endif

#ifndef EOK
#define EOK 0
#endif
/* The destination was cleared. */
#define EINVAL_AND_RESET   150
#define ERANGE_AND_RESET   162
#define EOVERLAP_AND_RESET 182

#define SECUREC_MEM_MAX_LEN    0x7fffffffUL
#define SECUREC_STRING_MAX_LEN 0x7fffffffUL

#endif
