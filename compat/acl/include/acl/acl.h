/* SPDX-License-Identifier: Apache-2.0 */
/* acl/acl.h - the header that programs for AscendCL include. It has no models and no operators. */
#ifndef ACL_ACL_H
#define ACL_ACL_H

#include <acl/acl_mdl.h>
#include <acl/acl_rt.h>
#include <acl/acl_rt_memory_soma.h>

#endif
