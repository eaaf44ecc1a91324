// SPDX-License-Identifier: Apache-2.0
// Every kind of report: its name, severity, meaning, an example, and the usual cure. Reports, `tarn
// check --explain` and docs/check.md are generated from this list. Constant.
#pragma once

#include <stddef.h>

// X(IDENTIFIER, "name", severity, "meaning", "example", "cure"). In each list the frequent kinds
// come first.
#define TN_CHECK_KIND_ACCESS_LIST(X)                                                               \
    X(HEAP_OVERFLOW, "heap-overflow", ERROR, "an access continues past the end of a live region",  \
      "tarn_fill(block, size + 8, 0)",                                                             \
      "pass the requested size, not a rounded one; check the last row of a copy")                  \
    X(HEAP_UNDERFLOW, "heap-underflow", ERROR, "an access begins before the start of a region",    \
      "tarn_copy(block - 8, from, 16)",                                                            \
      "check what is subtracted from the pointer: a missing header, an index of -1")               \
    X(UNALLOCATED_ACCESS, "unallocated-access", ERROR,                                             \
      "an access to bytes of a heap that were never allocated, far from any live region",          \
      "tarn_fill(pool_base + 65536, 16, 0)",                                                       \
      "use the address that the pool returned; do not compute one from the start of the pool")     \
    X(USE_AFTER_FREE, "use-after-free", ERROR, "an access to bytes of a region that has ended",    \
      "tarn_pool_free(pool, block); tarn_fill(block, 16, 0)",                                      \
      "free after the last use, and clear the pointer then")                                       \
    X(USE_AFTER_REUSE, "use-after-reuse", ERROR,                                                   \
      "an access through an old pointer, whose bytes belong to a newer region now",                \
      "free(a); b = alloc(); write(a)",                                                            \
      "free after the last use; both generations of the address are shown")                        \
    X(WRITE_AFTER_FREE, "write-after-free", ERROR,                                                 \
      "bytes that were filled when their region ended had changed at a later check",               \
      "free(a); a[4] = 1; b = alloc()",                                                            \
      "the checker finds a plain store only later; --fence stops at the store itself")             \
    X(REDZONE_DAMAGE, "redzone-damage", ERROR,                                                     \
      "unowned bytes beside a region changed while it was live", "block[size] = 0",                \
      "check loops and strings for one element too many; --fence stops at the store itself")       \
    X(CROSS_REGION_COPY, "cross-region-copy", ERROR, "one access covers two live regions",         \
      "tarn_copy(to, a, a_bytes + b_bytes)",                                                       \
      "copy each region separately; regions are neighbours only by chance")                        \
    X(UNINITIALISED_READ, "uninitialised-read", ERROR,                                             \
      "a read of bytes that were not written since the region began",                              \
      "block = alloc(64); tarn_copy(out, block, 64)",                                              \
      "write first; call tarn_check_initialised() if code wrote them that the checker cannot see") \
    X(UNUSED_MEMORY, "unused-memory", WARN, "a region ended with bytes that were never written",   \
      "block = alloc(100); write(block, 20); free(block)", "request less memory")                  \
    X(PERMISSION_VIOLATION, "permission-violation", ERROR,                                         \
      "an access without the right to it, or to a block that sleeps",                              \
      "tarn_map_set_access(... READ); tarn_fill(addr, 4, 0)",                                      \
      "grant the right before the access, wake the block, or find the code that writes")           \
    X(MISALIGNED_ACCESS, "misaligned-access", ERROR,                                               \
      "an access at an address that is not a multiple of the required alignment",                  \
      "a vector load of 32 bytes at block + 6",                                                    \
      "align the offset; --alignment and --misaligned set the requirement")

#define TN_CHECK_KIND_FREE_LIST(X)                                                                 \
    X(DOUBLE_FREE, "double-free", ERROR, "a region or resource is freed a second time",            \
      "tarn_pool_free(pool, a); tarn_pool_free(pool, a)",                                          \
      "let one owner free; the report shows the stack of the first free")                          \
    X(INVALID_FREE, "invalid-free", ERROR,                                                         \
      "the freed range is no region or resource, or a part of one",                                \
      "tarn_pool_free(pool, block + 16)",                                                          \
      "free the address that the allocation returned, not an advanced pointer")                    \
    X(FREE_AFTER_SEND, "free-after-send", WARN,                                                    \
      "a block is freed whose send has handed it over to the receiver",                            \
      "an AUTO_FREE block: HIAIX_SendData(port, name, frame, 500); HIAI_DFree(frame->block)",      \
      "leave the free to the receiver; it may hit the next owner of the address")                  \
    X(WRONG_DOMAIN, "wrong-domain", ERROR, "a handle of one domain is used in another",            \
      "mstxMemRegionsUnregister(other_domain, &batch)",                                            \
      "pass the domain in which the handle was registered")                                        \
    X(MISMATCHED_POOL_FREE, "mismatched-pool-free", ERROR,                                         \
      "a region of one pool is freed to another",                                                  \
      "block = alloc(weights); free(activations, block)",                                          \
      "store the pool with the block, or use one pool for each kind of block")                     \
    X(BAD_HANDLE, "bad-handle", ERROR, "a handle that names nothing, or an object that has ended", \
      "hipGraphExecDestroy(exec); hipGraphLaunch(exec, stream)",                                   \
      "destroy an object after its last use; set handles to NULL before they are returned")        \
    X(WRONG_FAMILY_FREE, "wrong-family-free", ERROR,                                               \
      "memory of one kind is freed by the call of another",                                        \
      "tarn_memory_free(block_of_a_pool, 0)",                                                      \
      "free with the counterpart of the call that allocated")                                      \
    X(FREE_WHILE_REGISTERED, "free-while-registered", ERROR,                                       \
      "memory of malloc() is freed while it is registered with a library",                         \
      "hipHostRegister(p, 4096, 0); free(p)", "unregister it before it is freed")                  \
    X(INNER_EXPORT, "inner-export", WARN,                                                          \
      "an address inside a block is exported: importers get the start of the block",               \
      "hipIpcGetMemHandle(&handle, block + 4096)",                                                 \
      "export the start of the block, and pass the offset on beside the handle")                   \
    X(LEAK, "leak", ERROR,                                                                         \
      "regions that are live at exit, grouped by the place of their allocation",                   \
      "block = alloc(64); return", "free it; a suppression hides regions that live on purpose")    \
    X(LEAK_IN_HEAP, "leak-in-heap", ERROR,                                                         \
      "regions that are live when their heap ends, grouped by the place of their allocation",      \
      "tarn_annotate_heap_end(pool) before its last region",                                       \
      "free them; if the pool frees all at once by design, call tarn_annotate_heap_reset() first") \
    X(STEP_GROWTH, "step-growth", WARN,                                                            \
      "a region that began in one step of the program is live after later ones",                   \
      "each training step keeps one more tensor", "find the list, cache or log that keeps it")     \
    X(RESOURCE_LEAK, "resource-leak", ERROR,                                                       \
      "a reservation, handle, mapping or descriptor that was never released",                      \
      "tarn_space_reserve(...); return",                                                           \
      "release resources in the reverse order of their acquisition")

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
      "a heap in memory that was freed, or in another heap but outside its live regions",          \
      "a pool inside a block that was freed", "allocate the block before registering the heap")    \
    X(HEAP_EXCEEDS_MEMORY, "heap-exceeds-memory", ERROR,                                           \
      "a heap is larger than the memory that was allocated for it",                                \
      "block = alloc(4096); a heap of 8192 bytes at block",                                        \
      "pass the size of the allocation; memory that follows belongs to someone else")              \
    X(NESTED_HEAP_ORPHANED, "nested-heap-orphaned", ERROR,                                         \
      "a region ended while a heap inside it was alive", "free the block under an inner pool",     \
      "end the inner heap first")                                                                  \
    X(HEAP_WITHOUT_BACKING, "heap-without-backing", WARN,                                          \
      "a heap whose range is in no known memory", "a heap over an address that was never mapped",  \
      "register after the allocation")                                                             \
    X(HEAP_STALE, "heap-stale", WARN,                                                              \
      "the memory of a heap was freed before the heap ended; an error if regions were live",       \
      "free(range); mstxMemHeapUnregister(domain, heap)", "end the heap first")                    \
    X(DOUBLE_HEAP_UNREGISTER, "double-heap-unregister", ERROR, "a heap ends a second time",        \
      "mstxMemHeapUnregister() twice", "let one owner end it; the report shows the first stack")   \
    X(BAD_HEAP, "bad-heap", ERROR,                                                                 \
      "a call names a heap that is unknown, or registers regions in one that has ended",           \
      "a batch with the handle of a heap that was unregistered", "register the heap first")        \
    X(REGION_OUT_OF_HEAP, "region-out-of-heap", ERROR, "a region exceeds its heap",                \
      "a region of 512 bytes at 256 bytes before the end",                                         \
      "compare the requested size, the rounded size and that of the pool")                         \
    X(REGION_OVERLAP, "region-overlap", ERROR,                                                     \
      "a region has bytes that a live region occupies: an allocator gave them out twice",          \
      "regions [0,100) and [50,150)",                                                              \
      "advance by the rounded size; end a region before its bytes begin another; --overlap=off")   \
    X(PLACEMENT_START, "placement-start", ERROR,                                                   \
      "a region begins at an address that the rule of its heap forbids",                           \
      "aclrtMalloc(&base, ...); a region at base + 100",                                           \
      "round the start up as tarn_rule or the vendor demands: to 64, in media memory to 128")      \
    X(PLACEMENT_PADDING, "placement-padding", ERROR,                                               \
      "a region lacks the bytes behind it that the rule of its heap reserves: they belong to "     \
      "another region, or are not in the memory",                                                  \
      "aclrtMalloc(&base, ...); regions of 64 bytes at base and base + 64",                        \
      "place blocks by tarn_rule_occupied(); vector units access bytes behind a block")            \
    X(BAD_DOMAIN, "bad-domain", ERROR, "a domain handle that names no domain",                     \
      "a domain from another library", "create it with mstxDomainCreateA()")                       \
    X(DOMAIN_LEAK, "domain-leak", NOTE, "a domain was destroyed with live heaps",                  \
      "mstxDomainDestroy() before mstxMemHeapUnregister()", "destroy it last")                     \
    X(DESTROYED_DOMAIN, "destroyed-domain", ERROR, "a domain is used after it was destroyed",      \
      "mstxDomainDestroy(d); mstxMemHeapRegister(d, &desc)",                                       \
      "create the domain again to get a new handle")                                               \
    X(DEVICE_MISMATCH, "device-mismatch", WARN,                                                    \
      "a region and its heap name different devices, or there is no such device",                  \
      "a heap of device 0 with a region of device 1", "pass the device of the heap")               \
    X(UNKNOWN_PERMISSION, "unknown-permission", WARN, "permission flags with unknown bits",        \
      "flags 0x10", "use only READ (1), WRITE (2) and SHARED (4)")                                 \
    X(API_SIZE_SLACK, "api-size-slack", NOTE,                                                      \
      "regions are registered with rounded sizes, so that small overflows are not seen",           \
      "100 bytes requested, 512 registered", "register the requested size")

#define TN_CHECK_KIND_ORDER_LIST(X)                                                                \
    X(USE_BEFORE_EVENT, "use-before-event", ERROR,                                                 \
      "a stream uses a block of another stream without waiting for its allocation",                \
      "block = alloc(s1); fill(block, n, 0, s2)",                                                  \
      "let s2 wait for an event that s1 records after the allocation")                             \
    X(STREAM_USE_AFTER_FREE, "stream-use-after-free", ERROR,                                       \
      "work on a block that is not ordered before the free of the block",                          \
      "free(block, s1); fill(block, n, 0, s2)",                                                    \
      "free on the last stream that uses the block, or call tarn_pool_used_on() first")            \
    X(REUSE_BEFORE_EVENT, "reuse-before-event", ERROR,                                             \
      "a pool reuses memory on one stream while earlier work on another may still run",            \
      "free(a, s1); b = alloc(s2) at the same address, without an event",                          \
      "a bug of the allocator: it must wait for the stream that freed")                            \
    X(COPY_RACE, "copy-race", ERROR,                                                               \
      "two accesses to the same bytes on different streams, one a write, are unordered",           \
      "copy(to, from, n, s1); fill(from, n, 0, s2)",                                               \
      "record an event after the first access and let the second stream wait for it")              \
    X(OVERLAPPING_WRITERS, "overlapping-writers", WARN,                                            \
      "a copy replaces a block that a kernel on another stream has as an argument, unordered",     \
      "launch(kernel, block, s1); copy(block, from, all_bytes, s2)",                               \
      "order the streams by an event; which bytes the kernel accesses is not known")               \
    X(KERNEL_FAILURE, "kernel-failure", ERROR,                                                     \
      "a kernel failed: a stray access, a barrier that threads miss, a trap",                      \
      "kernel<<<1, 64>>>: if (threadIdx.x < 16) __syncthreads()",                                  \
      "compile with -g, so that the report names the line at which the thread failed")             \
    X(KERNEL_RACE, "kernel-race", ERROR,                                                           \
      "two threads of a kernel access the same bytes unordered, and one of them writes",           \
      "kernel<<<2, 64>>>: *sum += x",                                                              \
      "use an atomic, or a barrier between threads of one block; --kernel-races")                  \
    X(KERNEL_UNWATCHED, "kernel-unwatched", WARN,                                                  \
      "the accesses of a kernel are not known, so that --kernel-races finds nothing in it",        \
      "tarn hipcc program.hip, without --kernel-races",                                            \
      "compile and link all sources with --kernel-races")                                          \
    X(HOST_RACE, "host-race", ERROR, "the host accesses bytes that queued work still uses",        \
      "copy(to, host, n, s); memset(host, 0, n)", "wait for the stream or for an event first")     \
    X(WAIT_WITHOUT_RECORD, "wait-without-record", NOTE,                                            \
      "a wait for an event that was never recorded is legal, and orders nothing",                  \
      "tarn_stream_wait(s, event, 0) before tarn_event_record(event, ...)",                        \
      "if an order was meant, record first; a wait refers to the last record before it")           \
    X(MAP_WHILE_IN_USE, "map-while-in-use", WARN,                                                  \
      "memory that queued work uses gets a second address, to which that work has no order",       \
      "copy to a mapping on a stream; tarn_map() the same memory elsewhere",                       \
      "wait for the stream first; use of the new address without order is a race")                 \
    X(UNMAP_IN_FLIGHT, "unmap-in-flight", ERROR, "a mapping is removed while queued work uses it", \
      "fill(addr, n, 0, s); tarn_unmap(addr, n, TARN_NO_WAIT)", "wait for the stream first")       \
    X(FREE_IN_FLIGHT, "free-in-flight", ERROR,                                                     \
      "memory is freed without a wait while queued work uses it",                                  \
      "fill(addr, n, 0, s); tarn_memory_free(addr, TARN_NO_WAIT)",                                 \
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

// Indexed by enum tn_check_kind.
extern const struct tn_check_kind_text tn_check_kind_texts[TN_CHECK_KIND_COUNT];

// Returns "ERROR", "WARN" or "NOTE".
const char *tn_check_severity_name(enum tn_check_severity severity);

// Returns TN_CHECK_KIND_COUNT if no kind has that name.
enum tn_check_kind tn_check_kind_find(const char *name);
