/* SPDX-License-Identifier: Apache-2.0 */
/* acl/acl_rt_allocator.h - allocators of the program. acl/acl_rt.h contains them too. */
#ifndef ACL_ACL_RT_ALLOCATOR_H
#define ACL_ACL_RT_ALLOCATOR_H

#include <acl/acl_base.h>
#include <acl/detail/allocator.h>

#endif
