// SPDX-License-Identifier: Apache-2.0
// Streams that programs create, and waits with a limit. A stream belongs to the context that was
// current when it was made, and ends with it. context.h has how work finds its stream.
#ifndef TARN_COMPAT_ACL_STREAM_H
#define TARN_COMPAT_ACL_STREAM_H

#include "compat/acl/context.h"

// 107000 unless `ms` is -1 (for ever) or more.
aclError tn_acl_wait_check(int32_t ms);

// The limit as Tarn takes it.
uint64_t tn_acl_wait_limit(int32_t ms);

// What a wait came to; `expired` is the code when `ms` were not enough.
aclError tn_acl_waited(tarn_status status, int32_t ms, aclError expired);

// A stream that is given, alive and of another context than the current one, or there is none
// current: 107003. Everything else is fine here, and tn_acl_order_get() says more.
aclError tn_acl_stream_check_context(aclrtStream stream);

// Ends the streams of a context whose name is gone already, after their work.
void tn_acl_streams_end(uintptr_t context);

#endif
