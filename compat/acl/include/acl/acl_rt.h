/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/acl_rt.h - the runtime API of AscendCL, implemented by Tarn, with one part for each noun.
 * docs/functions/ascendcl.txt lists the functions that are complete, partial or absent.
 */
#ifndef ACL_ACL_RT_H
#define ACL_ACL_RT_H

#include <acl/acl_base.h>
#include <acl/detail/allocator.h>
#include <acl/detail/callback.h>
#include <acl/detail/copy.h>
#include <acl/detail/device.h>
#include <acl/detail/event.h>
#include <acl/detail/host.h>
#include <acl/detail/init.h>
#include <acl/detail/kernel.h>
#include <acl/detail/limit.h>
#include <acl/detail/memory.h>
#include <acl/detail/notify.h>
#include <acl/detail/peer.h>
#include <acl/detail/pool.h>
#include <acl/detail/query.h>
#include <acl/detail/set.h>
#include <acl/detail/share.h>
#include <acl/detail/stream.h>
#include <acl/detail/system.h>
#include <acl/detail/value.h>
#include <acl/detail/vmm.h>

#endif
