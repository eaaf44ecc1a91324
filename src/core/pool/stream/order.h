// SPDX-License-Identifier: Apache-2.0
// The order of streams behind a table of calls, by which a pool learns that work has passed. A pool
// without a device has no such table: tarn_pool_passed() reports to it. Called under the pool's
// order lock only.
#ifndef TARN_CORE_POOL_STREAM_ORDER_H
#define TARN_CORE_POOL_STREAM_ORDER_H

#include <tarn/pool.h>

struct tn_vector_clock;

typedef struct tn_pool_order tn_pool_order;

// A point in a stream. 0 is none.
typedef uint64_t tn_pool_mark;

typedef struct tn_pool_order_ops {
    // Returns TARN_OK if `stream` is a stream, else the status of the failure.
    tarn_status (*known)(tn_pool_order *order, tarn_stream stream);
    // Marks the end of the work enqueued on `stream` so far.
    tarn_status (*mark)(tn_pool_order *order, tarn_stream stream, tn_pool_mark *mark);
    // Returns true if the work before a mark has passed, and destroys the mark then. With `wait` it
    // waits for the work. Returns false even with `wait` if waiting is forbidden in this context.
    // The work of a stream that failed or was destroyed has passed.
    bool (*passed)(tn_pool_order *order, tn_pool_mark mark, bool wait);
    // Destroys a mark, passed or not.
    void (*discard)(tn_pool_order *order, tn_pool_mark mark);
    // Returns the vector clock of a stream with a reference, or NULL. Pools that select their reuse
    // call it and `discard`; an order for others may lack both.
    struct tn_vector_clock *(*clock)(tn_pool_order *order, tarn_stream stream);
    void (*destroy)(tn_pool_order *order);
} tn_pool_order_ops;

struct tn_pool_order {
    const tn_pool_order_ops *ops;
};

tarn_status tn_pool_order_events(tarn_device *device, tn_pool_order **order);

#endif
