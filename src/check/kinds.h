// SPDX-License-Identifier: Apache-2.0
// Every kind of report: its name, severity, meaning, an example, and the usual cure. Reports, `tarn
// check --explain` and docs/check.md are made from this list. Constant.
#ifndef TARN_CHECK_KINDS_H
#define TARN_CHECK_KINDS_H

#include <stddef.h>

// X(IDENTIFIER, "name", severity, "meaning", "example", "cure"). In each list the frequent kinds
// come first.
#define TN_CHECK_KIND_ACCESS_LIST(X)                                                               \
    X(HEAP_OVERFLOW, "heap-overflow", ERROR, "an access runs over the end of a live region",       \
      "tarn_fill(block, size + 8, 0)",                                                             \
      "give the size that was asked for, not a rounded one; look at the last row of a copy")       \
    X(HEAP_UNDERFLOW, "heap-underflow", ERROR, "an access begins before the start of a region",    \
      "tarn_copy(block - 8, from, 16)",                                                            \
      "look at what is subtracted from the pointer: a header that is not there, an index of -1")   \
    X(UNALLOCATED_ACCESS, "unallocated-access", ERROR,                                             \
      "an access to bytes of a heap that were never handed out, far from any live region",         \
      "tarn_fill(pool_base + 65536, 16, 0)",                                                       \
      "keep the address that the pool gave; do not compute one from the start of the pool")        \
    X(USE_AFTER_FREE, "use-after-free", ERROR, "an access to bytes of a region that has ended",    \
      "tarn_pool_free(pool, block); tarn_fill(block, 16, 0)",                                      \
      "free after the last use, and forget the pointer then")                                      \
    X(USE_AFTER_REUSE, "use-after-reuse", ERROR,                                                   \
      "an access by an old pointer, whose bytes belong to a younger region by now",                \
      "free(a); b = alloc(); write(a)",                                                            \
      "free after the last use; both generations of the address are shown")                        \
    X(WRITE_AFTER_FREE, "write-after-free", ERROR,                                                 \
      "bytes that were filled when their region ended had changed when they were looked at again", \
      "free(a); a[4] = 1; b = alloc()",                                                            \
      "a plain store is seen late only: run with --fence to stop at the store itself")             \
    X(REDZONE_DAMAGE, "redzone-damage", ERROR,                                                     \
      "bytes beside a region, which nobody owns, changed while it was live", "block[size] = 0",    \
      "look for a loop or a string that goes one too far; --fence stops at the store itself")      \
    X(CROSS_REGION_COPY, "cross-region-copy", ERROR, "one access runs over two live regions",      \
      "tarn_copy(to, a, a_bytes + b_bytes)",                                                       \
      "copy each region by itself; that two are neighbours is chance")                             \
    X(UNINITIALISED_READ, "uninitialised-read", ERROR,                                             \
      "a read of bytes that nobody has written since the region began",                            \
      "block = alloc(64); tarn_copy(out, block, 64)",                                              \
      "write first, or say so with tarn_check_initialised() when others wrote it")                 \
    X(UNUSED_MEMORY, "unused-memory", WARN, "a region ended with bytes that were never written",   \
      "block = alloc(100); write(block, 20); free(block)", "ask for less")                         \
    X(PERMISSION_VIOLATION, "permission-violation", ERROR,                                         \
      "an access of a kind that the region's permissions leave out",                               \
      "mstxMemPermissionsAssign(... READ); tarn_fill(block, 4, 0)",                                \
      "assign WRITE again before writing, or find who writes to what was meant to be constant")    \
    X(MISALIGNED_ACCESS, "misaligned-access", ERROR,                                               \
      "an access at an address that is no multiple of what the hardware wants",                    \
      "a vector load of 32 bytes at block + 6",                                                    \
      "align the offset; the option `alignment` says what is wanted")

#define TN_CHECK_KIND_FREE_LIST(X)                                                                 \
    X(DOUBLE_FREE, "double-free", ERROR, "a region is freed or unregistered a second time",        \
      "tarn_pool_free(pool, a); tarn_pool_free(pool, a)",                                          \
      "one owner frees; the stack of the first free is shown")                                     \
    X(INVALID_FREE, "invalid-free", ERROR,                                                         \
      "what is freed is no start of a region: inside one, or in none",                             \
      "tarn_pool_free(pool, block + 16)",                                                          \
      "free the address that was given, not one that moved on")                                    \
    X(WRONG_DOMAIN, "wrong-domain", ERROR, "a handle of one domain is used in another",            \
      "mstxMemRegionsUnregister(other_domain, &batch)",                                            \
      "pass the domain in which it was registered")                                                \
    X(MISMATCHED_POOL_FREE, "mismatched-pool-free", ERROR,                                         \
      "a region of one heap is given back to another",                                             \
      "block = alloc(weights); free(activations, block)",                                          \
      "keep the pool beside the block, or one pool for each kind of block")                        \
    X(BAD_HANDLE, "bad-handle", ERROR, "a handle of a heap or region that nobody gave out",        \
      "mstxMemHeapUnregister(domain, (mstxMemHeapHandle_t)pointer)",                               \
      "zero handles before a call that may leave them untouched, and pass on what came back")      \
    X(WRONG_FAMILY_FREE, "wrong-family-free", ERROR,                                               \
      "memory of one kind is freed by the call of another",                                        \
      "tarn_memory_free(block_of_a_pool, 0)", "free with the partner of the call that allocated")  \
    X(LEAK, "leak", ERROR, "regions that are live at the end, grouped by where they began",        \
      "block = alloc(64); return", "free it; a suppression keeps what lives on purpose silent")    \
    X(LEAK_IN_HEAP, "leak-in-heap", NOTE, "a heap ended with live regions in it",                  \
      "mstxMemHeapUnregister(domain, heap) before its regions",                                    \
      "allowed, and often meant; unregister the regions first if it is not")                       \
    X(STEP_GROWTH, "step-growth", WARN,                                                            \
      "a region that began in one step of the program is live after later ones",                   \
      "each training step keeps one more tensor", "find who keeps it: a list, a cache, a log")     \
    X(RESOURCE_LEAK, "resource-leak", ERROR,                                                       \
      "a reservation, handle, mapping, descriptor, stream or event that nobody gave back",         \
      "tarn_space_reserve(...); return", "release in the reverse order of the acquisitions")

#define TN_CHECK_KIND_MISUSE_LIST(X)                                                               \
    X(BAD_ARGUMENT, "bad-argument", ERROR, "an annotation with a NULL, empty or wrapping range",   \
      "mstxMemHeapRegister(domain, NULL)", "fill the descriptor before the call")                  \
    X(UNKNOWN_TYPE, "unknown-type", WARN, "an annotation whose usage or type is not 0",            \
      "a descriptor on the stack of which only the range was set", "zero the descriptor")          \
    X(HEAP_DUPLICATE, "heap-duplicate", NOTE, "the same range is registered as a heap again",      \
      "mstxMemHeapRegister() twice", "register once; each registration needs its own end")         \
    X(HEAP_OVERLAP, "heap-overlap", ERROR, "two heaps overlap in part",                            \
      "heaps over [0,100) and [50,150)", "one heap for each range, or one inside a region")        \
    X(HEAP_IN_FREE_MEMORY, "heap-in-free-memory", ERROR,                                           \
      "a heap inside another heap, but inside no live region of it",                               \
      "a pool inside a block that was freed", "allocate the block first, and register then")       \
    X(NESTED_HEAP_ORPHANED, "nested-heap-orphaned", ERROR,                                         \
      "a region ended while a heap inside it was alive", "free the block under an inner pool",     \
      "end the inner heap first")                                                                  \
    X(HEAP_WITHOUT_BACKING, "heap-without-backing", WARN,                                          \
      "a heap outside all memory that is known", "a heap over an address that was never mapped",   \
      "register after the allocation")                                                             \
    X(HEAP_STALE, "heap-stale", WARN, "the memory of a heap was freed before the heap ended",      \
      "free(range); mstxMemHeapUnregister(domain, heap)", "end the heap first")                    \
    X(DOUBLE_HEAP_UNREGISTER, "double-heap-unregister", ERROR, "a heap ends a second time",        \
      "mstxMemHeapUnregister() twice", "one owner ends it; the first stack is shown")              \
    X(BAD_HEAP, "bad-heap", ERROR,                                                                 \
      "regions are registered in a heap that is unknown or has ended",                             \
      "a batch with the handle of a heap that was unregistered", "register the heap first")        \
    X(REGION_OUT_OF_HEAP, "region-out-of-heap", ERROR, "a region sticks out of its heap",          \
      "a region of 512 bytes at 256 bytes before the end",                                         \
      "look at the sizes: requested, rounded, of the pool")                                        \
    X(REGION_OVERLAP, "region-overlap", ERROR, "a region overlaps a live one of the same heap",    \
      "regions [0,100) and [50,150)", "legal unless the option overlap=error says otherwise")      \
    X(BAD_DOMAIN, "bad-domain", ERROR, "a domain handle that nobody gave out",                     \
      "a domain from another library", "create it with mstxDomainCreateA()")                       \
    X(DOMAIN_LEAK, "domain-leak", NOTE, "a domain was destroyed with live heaps",                  \
      "mstxDomainDestroy() before mstxMemHeapUnregister()", "destroy it last")                     \
    X(DESTROYED_DOMAIN, "destroyed-domain", ERROR, "a domain is used after it was destroyed",      \
      "mstxDomainDestroy(d); mstxMemHeapRegister(d, &desc)", "create it again for a new handle")   \
    X(DEVICE_MISMATCH, "device-mismatch", WARN, "a region and its heap name different devices",    \
      "a heap of device 0 with a region of device 1", "pass the device of the heap")               \
    X(UNKNOWN_PERMISSION, "unknown-permission", WARN, "permission flags with unknown bits",        \
      "flags 0x10", "READ 1, WRITE 2 and SHARED 4 are all there are")                              \
    X(API_SIZE_SLACK, "api-size-slack", NOTE,                                                      \
      "regions are registered with rounded sizes, so overflows into the rest stay unseen",         \
      "100 bytes asked for, 512 registered", "register what was asked for")

#define TN_CHECK_KIND_ORDER_LIST(X)                                                                \
    X(USE_BEFORE_EVENT, "use-before-event", ERROR,                                                 \
      "a stream uses a block that another stream was given, with no event between them",           \
      "block = alloc(s1); tarn_fill_async(block, n, 0, s2)",                                       \
      "let s2 wait for an event recorded on s1 behind the allocation")                             \
    X(STREAM_USE_AFTER_FREE, "stream-use-after-free", ERROR,                                       \
      "work that is not ordered before the free of its block, or is ordered behind it",            \
      "free(block, s1); tarn_fill_async(block, n, 0, s2)",                                         \
      "free on the last stream that uses it, or tell the pool of the other use first")             \
    X(REUSE_BEFORE_EVENT, "reuse-before-event", ERROR,                                             \
      "a pool gave memory to one stream while work of another that used it may still run",         \
      "free(a, s1); b = alloc(s2) at the same address, and no event",                              \
      "a fault of the allocator: it must wait for the stream that freed")                          \
    X(COPY_RACE, "copy-race", ERROR,                                                               \
      "a copy or fill and a later write of the same bytes on another stream have no order",        \
      "tarn_copy_async(to, from, n, s1); tarn_fill_async(from, n, 0, s2)",                         \
      "record an event behind the first and let the second stream wait for it")                    \
    X(HOST_RACE, "host-race", ERROR, "the host touches bytes that queued work still uses",         \
      "tarn_copy_async(to, host, n, s); memset(host, 0, n)",                                       \
      "wait for the stream or for an event first")                                                 \
    X(WAIT_WITHOUT_RECORD, "wait-without-record", WARN,                                            \
      "a wait for an event that was never recorded orders nothing",                                \
      "tarn_stream_wait(s, event) before tarn_event_record(event, ...)",                           \
      "record first; a wait looks at the newest record before it")                                 \
    X(MAP_WHILE_IN_USE, "map-while-in-use", ERROR,                                                 \
      "memory is mapped, or its rights change, where queued work reads or writes",                 \
      "copy to the range on a stream; tarn_map() beside it", "wait for the stream first")          \
    X(UNMAP_IN_FLIGHT, "unmap-in-flight", ERROR,                                                   \
      "a mapping is taken away while queued work uses it",                                         \
      "tarn_fill_async(addr, n, 0, s); tarn_unmap(addr, n)", "wait for the stream first")          \
    X(FREE_IN_FLIGHT, "free-in-flight", ERROR,                                                     \
      "memory is freed at once while queued work uses it",                                         \
      "tarn_fill_async(addr, n, 0, s); tarn_memory_free(addr, 0)",                                 \
      "wait for the stream, or free in its order")

#define TN_CHECK_KIND_LIST(X)                                                                      \
    TN_CHECK_KIND_ACCESS_LIST(X)                                                                   \
    TN_CHECK_KIND_FREE_LIST(X)                                                                     \
    TN_CHECK_KIND_MISUSE_LIST(X)                                                                   \
    TN_CHECK_KIND_ORDER_LIST(X)

#define TN_CHECK_KIND_ENUM(identifier, ...) TN_CHECK_KIND_##identifier,
enum tn_check_kind { TN_CHECK_KIND_LIST(TN_CHECK_KIND_ENUM) TN_CHECK_KIND_COUNT };
#undef TN_CHECK_KIND_ENUM

enum tn_check_severity { TN_CHECK_SEVERITY_NOTE, TN_CHECK_SEVERITY_WARN, TN_CHECK_SEVERITY_ERROR };

struct tn_check_kind_text {
    const char *name;
    enum tn_check_severity severity;
    const char *meaning;
    const char *example;
    const char *cure;
};

// By enum tn_check_kind.
extern const struct tn_check_kind_text tn_check_kind_texts[TN_CHECK_KIND_COUNT];

// Returns "ERROR", "WARN" or "NOTE".
const char *tn_check_severity_name(enum tn_check_severity severity);

// Returns TN_CHECK_KIND_COUNT if no kind has that name.
enum tn_check_kind tn_check_kind_find(const char *name);

#endif
