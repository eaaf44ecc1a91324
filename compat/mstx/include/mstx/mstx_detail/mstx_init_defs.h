/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slots of one image, and the search for a tool that fills them. All symbols are hidden and
 * weak: every file of an image that includes MSTX defines them, the linker keeps one copy, and no
 * other image sees it. The names belong to this implementation only, so that files compiled against
 * another MSTX may be in the same image.
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

/* The slots of each module, in the order of their numbers there, which begin with 1. */
#define MSTX_DETAIL_CORE_SLOTS(X) X(MARK_A) X(RANGE_START_A) X(RANGE_END) X(GET_TOOL_ID)
#define MSTX_DETAIL_DOMAIN_SLOTS(X)                                                                \
    X(DOMAIN_CREATE_A)                                                                             \
    X(DOMAIN_DESTROY) X(DOMAIN_MARK_A) X(DOMAIN_RANGE_START_A) X(DOMAIN_RANGE_END)
#define MSTX_DETAIL_MEM_SLOTS(X)                                                                   \
    X(HEAP_REGISTER)                                                                               \
    X(HEAP_UNREGISTER) X(REGIONS_REGISTER) X(REGIONS_UNREGISTER) X(PERMISSIONS_ASSIGN)
#define MSTX_DETAIL_ALL_SLOTS(X)                                                                   \
    MSTX_DETAIL_CORE_SLOTS(X) MSTX_DETAIL_DOMAIN_SLOTS(X) MSTX_DETAIL_MEM_SLOTS(X)

#define MSTX_DETAIL_ID(name) MSTX_DETAIL_##name,
enum mstxDetailSlotId { MSTX_DETAIL_ALL_SLOTS(MSTX_DETAIL_ID) MSTX_DETAIL_SLOTS };

/* The low bits of a state. While RUNNING, the bits above contain the searching process. */
enum { MSTX_DETAIL_FRESH = 0, MSTX_DETAIL_RUNNING = 1, MSTX_DETAIL_DONE = 2 };

/* thread: the searching thread, while RUNNING. A slot contains mstxDetailUnknown until the
 * search is over, then the tool's function or NULL. The tool writes to `given`. Its functions
 * are copied to `slots` only after its initialisation has succeeded, so that they are never
 * called before. */
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

/* Declared by the name in the C library, because its own declaration depends on feature macros. */
extern char *mstxDetailGetenv(const char *name) __asm__("secure_getenv");

#define MSTX_DETAIL_UNKNOWN(name) mstxDetailUnknown,
#define MSTX_DETAIL_GIVEN(name)   &mstxDetailImage.given[MSTX_DETAIL_##name],
struct mstxDetailContext mstxDetailImage = {
    MSTX_DETAIL_FRESH,
    0,
    {MSTX_DETAIL_ALL_SLOTS(MSTX_DETAIL_UNKNOWN)},
    {MSTX_DETAIL_ALL_SLOTS(MSTX_DETAIL_UNKNOWN)},
    {0, MSTX_DETAIL_CORE_SLOTS(MSTX_DETAIL_GIVEN) 0},
    {0, MSTX_DETAIL_DOMAIN_SLOTS(MSTX_DETAIL_GIVEN) 0},
    {0, MSTX_DETAIL_MEM_SLOTS(MSTX_DETAIL_GIVEN) 0},
};

/* The value of every slot before the search. Never called. */
void mstxDetailUnknown(void) {}

int mstxDetailGetTable(mstxFuncModule module, mstxFuncTable *outTable, unsigned int *outSize) {
    if (outTable == 0 || outSize == 0) return MSTX_FAIL;
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
    default: return MSTX_FAIL;
    }
}

/* Finds a tool and lets it fill the slots. Returns 0 if there is none, or if it fails. The library
 * stays open. */
int mstxDetailInject(void) {
    const char *path = mstxDetailGetenv("MSTX_INJECTION_PATH");
    void *library = path != 0 && path[0] != '\0' ? dlopen(path, RTLD_LAZY | RTLD_LOCAL) : 0;
#if defined(RTLD_DEFAULT)
    void *everything = RTLD_DEFAULT;
#else
    void *everything = 0; /* the value of RTLD_DEFAULT */
#endif
    void *found = dlsym(library != 0 ? library : everything, "InitInjectionMstx");
    mstxInitInjectionFunc init = 0;
    __builtin_memcpy(&init, &found, sizeof init);
    return init != 0 && init(mstxDetailGetTable) == MSTX_SUCCESS;
}

/*
 * Searches for a tool, once in this image. Other threads wait meanwhile. Two callers do not wait
 * and continue as if there were no tool: the searching thread itself, when the tool calls back
 * during its initialisation, and the child of a process that was forked during the search.
 */
void mstxDetailLook(void) {
    struct mstxDetailContext *image = &mstxDetailImage;
    const unsigned running = ((unsigned)getpid() << 2) | MSTX_DETAIL_RUNNING;
    const void *self = &errno; /* an address that differs for each thread */
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

/* Searches for a tool if necessary. Returns the tool's function for a slot, or NULL. */
mstxFuncPointer mstxDetailFind(unsigned slot) {
    mstxFuncPointer function;
    mstxDetailLook();
    function = __atomic_load_n(&mstxDetailImage.slots[slot], __ATOMIC_ACQUIRE);
    return function != mstxDetailUnknown ? function : 0;
}

/* Returns the tool's function for a slot, or NULL. */
static inline __attribute__((unused)) mstxFuncPointer mstxDetailSlot(unsigned slot) {
    mstxFuncPointer function = __atomic_load_n(&mstxDetailImage.slots[slot], __ATOMIC_ACQUIRE);
    return function != mstxDetailUnknown ? function : mstxDetailFind(slot);
}

#ifdef __cplusplus
}
#endif

#endif
#endif
