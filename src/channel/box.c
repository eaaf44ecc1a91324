// SPDX-License-Identifier: Apache-2.0
// Where things lie in a box: the head, the credits, the returns, the slots, each from a new page.
#include "channel/box.h"

#include "base/error.h"

static uint64_t pages(uint64_t bytes) {
    return (bytes + TN_SHM_PAGE - 1) & ~(uint64_t)(TN_SHM_PAGE - 1);
}

static uint64_t granted_at(void) {
    return pages(sizeof(struct tn_box_head));
}

static uint64_t returns_at(const struct tn_box_shape *shape) {
    return granted_at() + pages(shape->ports * sizeof(uint32_t));
}

static uint64_t slots_at(const struct tn_box_shape *shape) {
    return returns_at(shape) + pages(shape->returns * sizeof(uint64_t));
}

static bool is_power(uint32_t n) {
    return n != 0 && (n & (n - 1)) == 0;
}

bool tn_box_shape_is_good(const struct tn_box_shape *shape) {
    return shape->ports >= 1 && shape->ports <= TN_PORTS_MOST && is_power(shape->slots) &&
           shape->slots <= TN_SLOTS_MOST && is_power(shape->returns) &&
           shape->returns <= TN_FLIGHT_MOST;
}

uint64_t tn_box_bytes(const struct tn_box_shape *shape) {
    return slots_at(shape) + pages((uint64_t)shape->slots * TN_SLOT_BYTES);
}

static void find(const struct tn_box_shape *shape, struct tn_box *box) {
    unsigned char *base = box->shm.base;
    box->shape = *shape;
    box->head = (struct tn_box_head *)(void *)base;
    box->granted = (_Atomic uint32_t *)(void *)(base + granted_at());
    box->returns = (_Atomic uint64_t *)(void *)(base + returns_at(shape));
    box->slots = (struct tn_slot *)(void *)(base + slots_at(shape));
}

tarn_status tn_box_create(const struct tn_box_shape *shape, struct tn_box *box) {
    uint64_t bytes = tn_box_bytes(shape);
    tarn_status status =
        tn_shm_create("tarn-channel-box", bytes, TN_SHM_PAGE, TN_SHM_ONE_WRITES, &box->shm);
    if (status != TARN_OK) {
        return status;
    }
    status = tn_shm_populate(&box->shm, bytes, false);
    if (status != TARN_OK) {
        tn_shm_close(&box->shm);
        return status;
    }
    find(shape, box);
    box->head->magic = TN_BOX_MAGIC;
    box->head->bytes = bytes;
    return TARN_OK;
}

tarn_status tn_box_create_private(const struct tn_box_shape *shape, struct tn_box *box) {
    tarn_status status = tn_shm_create_private(tn_box_bytes(shape), &box->shm);
    if (status == TARN_OK) {
        find(shape, box);
    }
    return status;
}

tarn_status tn_box_adopt(int fd, const struct tn_box_shape *shape, struct tn_box *box) {
    tarn_status status = tn_shm_adopt(fd, tn_box_bytes(shape), TN_SHM_PAGE, false, &box->shm);
    if (status == TARN_OK) {
        find(shape, box);
    }
    return status;
}

void tn_box_close(struct tn_box *box) {
    tn_shm_close(&box->shm);
}
