// SPDX-License-Identifier: Apache-2.0
// The layout of a mailbox: head, credits, returns and descriptors, each at the start of a page.
#include "channel/mailbox.h"

#include "base/error.h"

static uint64_t whole_pages(uint64_t bytes) {
    return (bytes + TN_SHM_PAGE - 1) & ~(uint64_t)(TN_SHM_PAGE - 1);
}

static uint64_t granted_at(void) { return whole_pages(sizeof(struct tn_mailbox_head)); }

static uint64_t returns_at(const struct tn_mailbox_shape *shape) {
    return granted_at() + whole_pages(shape->ports * sizeof(uint32_t));
}

static uint64_t slots_at(const struct tn_mailbox_shape *shape) {
    return returns_at(shape) + whole_pages(shape->returns * sizeof(uint64_t));
}

static bool is_power_up_to(uint32_t n, uint32_t max) {
    return n != 0 && (n & (n - 1)) == 0 && n <= max;
}

bool tn_mailbox_shape_valid(const struct tn_mailbox_shape *shape) {
    return shape->ports >= 1 && shape->ports <= TN_PORTS_MAX &&
           is_power_up_to(shape->slots, TN_MAILBOX_SLOTS_MAX) &&
           is_power_up_to(shape->returns, TN_IN_FLIGHT_MAX);
}

uint64_t tn_mailbox_bytes(const struct tn_mailbox_shape *shape) {
    return slots_at(shape) + whole_pages((uint64_t)shape->slots * TN_DESCRIPTOR_BYTES);
}

static void locate_parts(const struct tn_mailbox_shape *shape, struct tn_mailbox *box) {
    unsigned char *base = box->shm.base;
    TARN_ASSERT(tn_mailbox_shape_valid(shape) && box->shm.bytes == tn_mailbox_bytes(shape));
    TARN_ASSERT((uintptr_t)base % TN_SHM_PAGE == 0); // its cache lines are apart
    box->shape = *shape;
    box->head = (struct tn_mailbox_head *)(void *)base;
    box->granted = (_Atomic uint32_t *)(void *)(base + granted_at());
    box->returns = (_Atomic uint64_t *)(void *)(base + returns_at(shape));
    box->slots = (struct tn_descriptor *)(void *)(base + slots_at(shape));
}

tarn_status tn_mailbox_create(const struct tn_mailbox_shape *shape, struct tn_mailbox *box) {
    uint64_t bytes = tn_mailbox_bytes(shape);
    TN_TRY(tn_shm_create("tarn-channel-mailbox", bytes, TN_SHM_PAGE, TN_SHM_ONE_WRITES, &box->shm));
    tarn_status status = tn_shm_populate(&box->shm, bytes, false);
    if (status != TARN_OK) {
        tn_shm_close(&box->shm);
        return status;
    }
    locate_parts(shape, box);
    box->head->magic = TN_MAILBOX_MAGIC;
    box->head->bytes = bytes;
    return TARN_OK;
}

tarn_status tn_mailbox_create_private(const struct tn_mailbox_shape *shape,
                                      struct tn_mailbox *box) {
    tarn_status status = tn_shm_create_private(tn_mailbox_bytes(shape), &box->shm);
    if (status == TARN_OK) locate_parts(shape, box);
    return status;
}

tarn_status tn_mailbox_adopt(int fd, const struct tn_mailbox_shape *shape, struct tn_mailbox *box) {
    tarn_status status = tn_shm_adopt(fd, tn_mailbox_bytes(shape), TN_SHM_PAGE, false, &box->shm);
    if (status == TARN_OK) locate_parts(shape, box);
    return status;
}
