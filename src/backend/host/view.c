// SPDX-License-Identifier: Apache-2.0
// The views of handles. See view.h.
#include "backend/host/view.h"

#include <stdlib.h>

#include "backend/host/map.h"
#include "backend/host/memory.h"
#include "backend/host/space.h"
#include "backend/host/sys.h"
#include "base/error.h"

static tarn_status view_open(struct tn_host *h, uint32_t slot, void *owner) {
    struct tn_host_phys *phys = tn_host_phys_at(h, slot);
    struct tn_host_view *view = (struct tn_host_view *)tn_host_sys_alloc(sizeof *view);
    TN_REFUSE(view == NULL, TARN_NO_HOST_MEMORY, "out of host memory for the record of a view");
    view->owner = owner;
    tarn_status status =
        tn_host_memory_place_locked(h, phys->location - 1, slot, phys->bytes, 0, &view->addr);
    if (status == TARN_OK)
        phys->view = view;
    else
        free(view);
    return status;
}

tarn_status tn_host_view_hold(struct tn_host *h, uint32_t slot, void *owner, uint64_t count) {
    struct tn_host_phys *phys = tn_host_phys_at(h, slot);
    TARN_ASSERT(phys->location != TN_HOST_HERE);
    TN_TRY(phys->view == NULL ? view_open(h, slot, owner) : TARN_OK);
    TARN_ASSERT(phys->view->owner == owner);
    phys->view->refs += count;
    return TARN_OK;
}

void *tn_host_view_drop(struct tn_host *h, uint32_t slot, uint64_t count) {
    struct tn_host_phys *phys = tn_host_phys_at(h, slot);
    struct tn_host_view *view = phys->view;
    void *owner = view->owner;
    TARN_ASSERT(view->refs >= count);
    view->refs -= count;
    if (view->refs == 0) {
        phys->view = NULL;
        tn_host_unmap_in(h, tn_host_space_find(h, view->addr), view->addr, phys->bytes);
        free(view);
    }
    return owner;
}
