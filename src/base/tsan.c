// SPDX-License-Identifier: Apache-2.0
// See tsan.h. The only state is of the calling thread.
#include "base/tsan.h"

void tn_tsan_ignore_now(bool begin, bool sync) {
    (begin ? AnnotateIgnoreReadsBegin : AnnotateIgnoreReadsEnd)(__FILE__, __LINE__);
    (begin ? AnnotateIgnoreWritesBegin : AnnotateIgnoreWritesEnd)(__FILE__, __LINE__);
    if (sync) (begin ? AnnotateIgnoreSyncBegin : AnnotateIgnoreSyncEnd)(__FILE__, __LINE__);
}

static _Thread_local unsigned depth; // of calls

void tn_tsan_enter(void) {
    if (depth++ == 0) tn_tsan_ignore_now(true, true);
}

void tn_tsan_leave(void) {
    if (depth > 0 && --depth == 0) tn_tsan_ignore_now(false, true);
}

void tn_tsan_show(bool begin) {
    if (depth > 0) tn_tsan_ignore_now(!begin, true);
}
