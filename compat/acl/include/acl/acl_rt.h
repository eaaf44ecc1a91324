/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/acl_rt.h - the runtime API of AscendCL, implemented by Tarn, with one part for each noun.
 * Pools are in acl/acl_rt_memory_soma.h. docs/functions/ascendcl.txt lists the functions that are complete, partial or absent.
 */
#ifndef ACL_ACL_RT_H
#define ACL_ACL_RT_H

/* The version of the API that these headers stand for. */
#define ACL_MAJOR_VERSION 1
#define ACL_MINOR_VERSION 17
#define ACL_PATCH_VERSION 0

#include <acl/acl_base.h>
#include <acl/detail/address.h>
#include <acl/detail/allocator.h>
#include <acl/detail/attribute.h>
#include <acl/detail/callback.h>
#include <acl/detail/copy.h>
#include <acl/detail/data.h>
#include <acl/detail/device.h>
#include <acl/detail/event.h>
#include <acl/detail/graph.h>
#include <acl/detail/host.h>
#include <acl/detail/init.h>
#include <acl/detail/kernel.h>
#include <acl/detail/limit.h>
#include <acl/detail/managed.h>
#include <acl/detail/memory.h>
#include <acl/detail/model.h>
#include <acl/detail/notify.h>
#include <acl/detail/peer.h>
#include <acl/detail/query.h>
#include <acl/detail/set.h>
#include <acl/detail/share.h>
#include <acl/detail/state.h>
#include <acl/detail/stream.h>
#include <acl/detail/system.h>
#include <acl/detail/value.h>
#include <acl/detail/vmm.h>

#endif
