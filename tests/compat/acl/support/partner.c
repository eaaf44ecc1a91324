// SPDX-License-Identifier: Apache-2.0
// See partner.h.
#include "support/partner.h"

#include <sys/wait.h>
#include <unistd.h>

#include "support/vmm.h"

static aclError look_at(char *memory) {
    if (strcmp(memory, "shared") != 0) return PARTNER_SAW_WRONG_BYTES;
    strcpy(memory, "answered");
    return ACL_SUCCESS;
}

// A reservation must not mix own and imported memory.
static bool takes_own_memory(char *at, int32_t device) {
    aclrtPhysicalMemProp prop = vmm_prop(ACL_HBM_MEM_HUGE, device);
    aclrtDrvMemHandle own = NULL;
    bool refused = aclrtMallocPhysical(&own, 2 * MIB, &prop, 0) == 0 &&
                   aclrtMapMem(at, 2 * MIB, 0, own, 0) == ACL_ERROR_RT_DRV_INTERNAL_ERROR &&
                   aclrtFreePhysical(own) == 0;
    return !refused;
}

// The device that it was imported for has rights, and it is freed like any other.
static aclError use_physical(aclrtDrvMemHandle handle, int32_t device) {
    aclrtMemLocation location = {(uint32_t)device, ACL_MEM_LOCATION_TYPE_DEVICE};
    aclrtMemAccessDesc host = {ACL_RT_MEM_ACCESS_FLAGS_READWRITE, {0, 0}, {0}};
    aclrtPhysicalMemProp prop;
    uint64_t flag = 0;
    void *start = NULL;
    if (aclrtReserveMemAddress(&start, 4 * MIB, 0, NULL, 0) != 0 ||
        aclrtMapMem(start, 2 * MIB, 0, handle, 0) != 0 ||
        takes_own_memory((char *)start + 2 * MIB, device) ||
        aclrtMemGetAllocationPropertiesFromHandle(handle, &prop) != 0 ||
        prop.memAttr != ACL_HBM_MEM_HUGE || aclrtFreePhysical(handle) != 0 ||
        aclrtMemGetAccess(start, &location, &flag) != 0 || flag != 3 ||
        aclrtMemSetAccess(start, 2 * MIB, &host, 1) != 0)
        return PARTNER_COULD_NOT_USE;
    aclError error = look_at(start);
    return aclrtUnmapMem(start) == 0 && aclrtReleaseMemAddress(start) == 0 ? error
                                                                           : PARTNER_COULD_NOT_USE;
}

// Other memory, imported later for another device, does not change the device of the first.
static aclError use_beside(aclrtDrvMemHandle handle, const struct order *order) {
    aclrtDrvMemHandle other = NULL;
    aclError error = aclrtSetDevice(0);
    if (error == 0) error = aclrtMemImportFromShareableHandle(order->other, 0, &other);
    if (error == 0) error = use_physical(handle, order->device);
    return other != NULL && aclrtFreePhysical(other) != 0 ? PARTNER_COULD_NOT_USE : error;
}

static aclError obey(struct order *order) {
    aclrtDrvMemHandle handle = NULL;
    void *memory = NULL;
    aclError error = ACL_SUCCESS;
    switch (order->how) {
    case BY_TOKEN:
        error = aclrtMemImportFromShareableHandle(order->token, order->device, &handle);
        if (error == 0 && order->other != 0) return use_beside(handle, order);
        return error == 0 ? use_physical(handle, order->device) : error;
    case BY_TOKEN_2:
        error = aclrtMemImportFromShareableHandleV2(&order->token,
                                                    ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT, 0, &handle);
        return error == 0 ? use_physical(handle, order->device) : error;
    default:
        error = aclrtIpcMemImportByKey(&memory, order->key, 1);
        if (error == 0) {
            error = look_at(memory);
            if (aclrtIpcMemImportByKey(&memory, order->key, 0) != ACL_ERROR_RT_PARAM_INVALID ||
                aclrtIpcMemClose(order->key) != 0 ||
                aclrtIpcMemClose(order->key) != ACL_ERROR_RT_PARAM_INVALID)
                error = PARTNER_COULD_NOT_USE;
        }
        return error;
    }
}

static int work(const struct partner *p) {
    struct order order;
    while (read(p->to[0], &order, sizeof order) == sizeof order) {
        aclError error = aclrtSetDevice(order.device);
        if (error == 0) error = obey(&order);
        if (write(p->from[1], &error, sizeof error) != sizeof error) return 1;
    }
    return 0;
}

struct partner partner_hire(void) {
    struct partner p;
    assert_int_equal(pipe(p.to), 0);
    assert_int_equal(pipe(p.from), 0);
    p.pid = fork();
    assert_true(p.pid >= 0);
    if (p.pid == 0) {
        (void)close(p.to[1]);
        (void)close(p.from[0]);
        _exit(work(&p));
    }
    assert_int_equal(close(p.to[0]), 0);
    assert_int_equal(close(p.from[1]), 0);
    return p;
}

aclError partner_import(const struct partner *partner, const struct order *order) {
    aclError error = PARTNER_COULD_NOT_USE;
    assert_int_equal(write(partner->to[1], order, sizeof *order), sizeof *order);
    assert_int_equal(read(partner->from[0], &error, sizeof error), sizeof error);
    return error;
}

void partner_dismiss(const struct partner *partner) {
    int status = 0;
    assert_int_equal(close(partner->to[1]), 0);
    assert_int_equal(waitpid(partner->pid, &status, 0), partner->pid);
    assert_int_equal(close(partner->from[0]), 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}
