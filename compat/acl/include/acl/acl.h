/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/acl.h - what programs for AscendCL include. Models and operators are not here.
 */
#ifndef ACL_ACL_H
#define ACL_ACL_H

#include <acl/acl_rt.h>

#endif
