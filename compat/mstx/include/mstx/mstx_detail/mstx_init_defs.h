/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One image's slots, and what looks for a tool to fill them. All of it is hidden and weak: every
 * file of an image that includes MSTX defines it, the linker keeps one, and no other image sees it.
 * The names are those of this implementation alone, so that files compiled against another maker's
 * MSTX may lie in the same image.
 */
#if defined(MSTX_IMPL_GUARD)
#ifndef MSTX_MSTX_DETAIL_MSTX_INIT_DEFS_H
#define MSTX_MSTX_DETAIL_MSTX_INIT_DEFS_H

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <unistd.h>

#include <mstx/mstx_detail/mstx_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MSTX_DETAIL_ONE_AN_IMAGE __attribute__((weak, visibility("hidden")))

/* Slots, module after module. */
enum mstxDetailSlotId {
    MSTX_DETAIL_MARK_A,
    MSTX_DETAIL_RANGE_START_A,
    MSTX_DETAIL_RANGE_END,
    MSTX_DETAIL_GET_TOOL_ID,
    MSTX_DETAIL_DOMAIN_CREATE_A,
    MSTX_DETAIL_DOMAIN_DESTROY,
    MSTX_DETAIL_DOMAIN_MARK_A,
    MSTX_DETAIL_DOMAIN_RANGE_START_A,
    MSTX_DETAIL_DOMAIN_RANGE_END,
    MSTX_DETAIL_HEAP_REGISTER,
    MSTX_DETAIL_HEAP_UNREGISTER,
    MSTX_DETAIL_REGIONS_REGISTER,
    MSTX_DETAIL_REGIONS_UNREGISTER,
    MSTX_DETAIL_PERMISSIONS_ASSIGN,
    MSTX_DETAIL_SLOTS
};

/* The low bits of a state; above them, while RUNNING, is the process that looks. */
enum { MSTX_DETAIL_FRESH = 0, MSTX_DETAIL_RUNNING = 1, MSTX_DETAIL_DONE = 2 };

/* thread: who looks, while RUNNING. A slot: mstxDetailUnknown until somebody has looked, then the
 * tool's function or NULL. The tool writes to `given`, which nobody calls from: what it took is
 * published when it has said that it is ready, so that it is never called before, and never after
 * it has failed. */
struct mstxDetailContext {
    unsigned state;
    const void *thread;
    mstxFuncPointer slots[MSTX_DETAIL_SLOTS];
    mstxFuncPointer given[MSTX_DETAIL_SLOTS];
    mstxFuncPointer *core[MSTX_API_CORE_SIZE + 1];
    mstxFuncPointer *domain[MSTX_API_CORE2_SIZE + 1];
    mstxFuncPointer *mem[MSTX_API_CORE_MEM_SIZE + 1];
};

extern struct mstxDetailContext mstxDetailImage MSTX_DETAIL_ONE_AN_IMAGE;
void mstxDetailUnknown(void) MSTX_DETAIL_ONE_AN_IMAGE;
int mstxDetailGetTable(mstxFuncModule module, mstxFuncTable *outTable,
                       unsigned int *outSize) MSTX_DETAIL_ONE_AN_IMAGE;
int mstxDetailInject(void) MSTX_DETAIL_ONE_AN_IMAGE;
void mstxDetailLook(void) MSTX_DETAIL_ONE_AN_IMAGE;
mstxFuncPointer mstxDetailFind(unsigned slot) MSTX_DETAIL_ONE_AN_IMAGE;

/* By its name in the C library: its own declaration depends on macros that the program chose. */
extern char *mstxDetailGetenv(const char *name) __asm__("secure_getenv");

struct mstxDetailContext mstxDetailImage = {
    MSTX_DETAIL_FRESH,
    0,
    {mstxDetailUnknown, mstxDetailUnknown, mstxDetailUnknown, mstxDetailUnknown, mstxDetailUnknown,
     mstxDetailUnknown, mstxDetailUnknown, mstxDetailUnknown, mstxDetailUnknown, mstxDetailUnknown,
     mstxDetailUnknown, mstxDetailUnknown, mstxDetailUnknown, mstxDetailUnknown},
    {mstxDetailUnknown, mstxDetailUnknown, mstxDetailUnknown, mstxDetailUnknown, mstxDetailUnknown,
     mstxDetailUnknown, mstxDetailUnknown, mstxDetailUnknown, mstxDetailUnknown, mstxDetailUnknown,
     mstxDetailUnknown, mstxDetailUnknown, mstxDetailUnknown, mstxDetailUnknown},
    {0, &mstxDetailImage.given[MSTX_DETAIL_MARK_A],
     &mstxDetailImage.given[MSTX_DETAIL_RANGE_START_A],
     &mstxDetailImage.given[MSTX_DETAIL_RANGE_END], &mstxDetailImage.given[MSTX_DETAIL_GET_TOOL_ID],
     0},
    {0, &mstxDetailImage.given[MSTX_DETAIL_DOMAIN_CREATE_A],
     &mstxDetailImage.given[MSTX_DETAIL_DOMAIN_DESTROY],
     &mstxDetailImage.given[MSTX_DETAIL_DOMAIN_MARK_A],
     &mstxDetailImage.given[MSTX_DETAIL_DOMAIN_RANGE_START_A],
     &mstxDetailImage.given[MSTX_DETAIL_DOMAIN_RANGE_END], 0},
    {0, &mstxDetailImage.given[MSTX_DETAIL_HEAP_REGISTER],
     &mstxDetailImage.given[MSTX_DETAIL_HEAP_UNREGISTER],
     &mstxDetailImage.given[MSTX_DETAIL_REGIONS_REGISTER],
     &mstxDetailImage.given[MSTX_DETAIL_REGIONS_UNREGISTER],
     &mstxDetailImage.given[MSTX_DETAIL_PERMISSIONS_ASSIGN], 0},
};

/* What a slot holds before a tool was looked for. Never called. */
void mstxDetailUnknown(void) {
}

int mstxDetailGetTable(mstxFuncModule module, mstxFuncTable *outTable, unsigned int *outSize) {
    if (outTable == 0 || outSize == 0) {
        return MSTX_FAIL;
    }
    switch ((int)module) {
    case MSTX_API_MODULE_CORE:
        *outTable = mstxDetailImage.core;
        *outSize = MSTX_API_CORE_SIZE;
        return MSTX_SUCCESS;
    case MSTX_API_MODULE_CORE_DOMAIN:
        *outTable = mstxDetailImage.domain;
        *outSize = MSTX_API_CORE2_SIZE;
        return MSTX_SUCCESS;
    case MSTX_API_MODULE_CORE_MEM:
        *outTable = mstxDetailImage.mem;
        *outSize = MSTX_API_CORE_MEM_SIZE;
        return MSTX_SUCCESS;
    default:
        return MSTX_FAIL;
    }
}

/* Finds a tool and lets it fill the slots. 0: there is none, or it would not. The library stays
 * open for ever. */
int mstxDetailInject(void) {
    const char *path = mstxDetailGetenv("MSTX_INJECTION_PATH");
    void *library = path != 0 && path[0] != '\0' ? dlopen(path, RTLD_LAZY | RTLD_LOCAL) : 0;
#if defined(RTLD_DEFAULT)
    void *everything = RTLD_DEFAULT;
#else
    void *everything = 0; /* which is what it is */
#endif
    void *found = dlsym(library != 0 ? library : everything, "InitInjectionMstx");
    mstxInitInjectionFunc init = 0;
    __builtin_memcpy(&init, &found, sizeof init);
    return init != 0 && init(mstxDetailGetTable) == MSTX_SUCCESS;
}

/*
 * Looks for a tool, once in this image; who comes meanwhile waits. Not so who is called by the tool
 * while that is being initialised, which would wait for itself, nor the child of a process that was
 * forked in the middle, in which nobody is left to finish: they go on as if there were no tool.
 */
void mstxDetailLook(void) {
    struct mstxDetailContext *image = &mstxDetailImage;
    const unsigned running = ((unsigned)getpid() << 2) | MSTX_DETAIL_RUNNING;
    const void *self = &errno; /* a place of this thread alone */
    unsigned state = MSTX_DETAIL_FRESH;
    if (__atomic_compare_exchange_n(&image->state, &state, running, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE)) {
        int slot;
        int injected;
        __atomic_store_n(&image->thread, self, __ATOMIC_RELAXED);
        injected = mstxDetailInject();
        for (slot = 0; slot < MSTX_DETAIL_SLOTS; slot++) {
            mstxFuncPointer taken = image->given[slot];
            taken = injected && taken != mstxDetailUnknown ? taken : 0;
            __atomic_store_n(&image->slots[slot], taken, __ATOMIC_RELEASE);
        }
        __atomic_store_n(&image->state, (unsigned)MSTX_DETAIL_DONE, __ATOMIC_RELEASE);
        return;
    }
    while (state == running && __atomic_load_n(&image->thread, __ATOMIC_RELAXED) != self) {
        sched_yield();
        state = __atomic_load_n(&image->state, __ATOMIC_ACQUIRE);
    }
}

/* What to call, once a tool was looked for. */
mstxFuncPointer mstxDetailFind(unsigned slot) {
    mstxFuncPointer function;
    mstxDetailLook();
    function = __atomic_load_n(&mstxDetailImage.slots[slot], __ATOMIC_ACQUIRE);
    return function != mstxDetailUnknown ? function : 0;
}

/* The tool's function for a slot, or NULL. */
static inline __attribute__((unused)) mstxFuncPointer mstxDetailSlot(unsigned slot) {
    mstxFuncPointer function = __atomic_load_n(&mstxDetailImage.slots[slot], __ATOMIC_ACQUIRE);
    return function != mstxDetailUnknown ? function : mstxDetailFind(slot);
}

#ifdef __cplusplus
}
#endif

#endif
#endif
