/* SPDX-License-Identifier: Apache-2.0 */
/* acl/acl_rt_memory_soma.h - pools of memory in the order of streams. acl/acl_rt.h does not contain them. */
#ifndef ACL_ACL_RT_MEMORY_SOMA_H
#define ACL_ACL_RT_MEMORY_SOMA_H

#include <acl/acl_rt.h>
#include <acl/detail/pool.h>

#endif
