/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/acl_base.h - types and error codes.
 */
#ifndef ACL_ACL_BASE_H
#define ACL_ACL_BASE_H

#include <acl/detail/errors.h>
#include <acl/detail/types.h>

#endif
