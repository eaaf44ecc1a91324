// SPDX-License-Identifier: Apache-2.0
// How a pool learns that work has passed, behind a table of calls: by events of a device, or by
// being told (tarn_pool_passed). Called under the pool's order lock only.
#ifndef TARN_CORE_POOL_ORDER_H
#define TARN_CORE_POOL_ORDER_H

#include <tarn/pool.h>

typedef struct tn_pool_order tn_pool_order;

// A point in a stream. 0 is none.
typedef uint64_t tn_pool_mark;

typedef struct tn_pool_order_ops {
    // TARN_OK, or why `stream` is not a stream.
    tarn_status (*known)(tn_pool_order *order, tarn_stream stream);
    // Marks the end of the work given to `stream` so far.
    tarn_status (*mark)(tn_pool_order *order, tarn_stream stream, tn_pool_mark *mark);
    // Whether the work before a mark is over; with `wait` it waits until it is. The mark is gone
    // once this has said yes. No in spite of `wait`: it must not be waited for here. A stream that
    // failed or is no more runs nothing: yes.
    bool (*passed)(tn_pool_order *order, tn_pool_mark mark, bool wait);
    void (*destroy)(tn_pool_order *order);
} tn_pool_order_ops;

struct tn_pool_order {
    const tn_pool_order_ops *ops;
};

tarn_status tn_pool_order_events(tarn_device *device, tn_pool_order **order);

#endif
