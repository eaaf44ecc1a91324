// SPDX-License-Identifier: Apache-2.0
// The library of a vendor contains no Tarn. So the copy inside a library that stands in for one emits no
// memory events: tools see only what a program with the vendor's own library shows.
#include "annotate/annotate.h"

__attribute__((constructor)) static void silence_events(void) {
    tn_store_relaxed(&tn_annotate_state, 0);
}
