// SPDX-License-Identifier: Apache-2.0
// Unwinding by the compiler's own library. It reads the tables that every program carries for
// exceptions, so that it needs no frame pointers.
#include "check/unwind.h"

#include <stdbool.h>
#include <unwind.h>

struct trace {
    uintptr_t *frames;
    size_t count;
    size_t room;
    bool self; // the frame of tn_unwind itself is past
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *argument) {
    struct trace *trace = (struct trace *)argument;
    uintptr_t address = _Unwind_GetIP(context);
    if (!trace->self) {
        trace->self = true;
        return _URC_NO_REASON;
    }
    if (address == 0 || trace->count == trace->room) {
        return _URC_END_OF_STACK;
    }
    trace->frames[trace->count++] = address;
    return _URC_NO_REASON;
}

__attribute__((noinline)) size_t tn_unwind(uintptr_t *frames, size_t room) {
    struct trace trace = {frames, 0, room, false};
    (void)_Unwind_Backtrace(step, &trace);
    return trace.count;
}
