// SPDX-License-Identifier: Apache-2.0
// A memory event. Each subscriber handles the kinds that its tool understands. An event lives on
// the stack of its emitter, so a subscriber copies the fields that it stores. Events are emitted by
// the thread that acts, with no lock of the core held that another event needs.
//
// Subscribers rely on one order: the end of a region, a mapping or plain memory is emitted before
// another caller can get its bytes, and the beginning after the bytes belong to the caller.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <tarn/rule.h>

enum tn_mem_event_kind {
    // A heap: a range that is divided into regions. `object` is the pool, `other` the pool of the
    // heap around it.
    TN_MEM_HEAP_BEGIN = 1,
    TN_MEM_HEAP_END, // of the heap that starts at addr
    // Bytes of a heap are backed by memory, or no longer are. With TN_MEM_WHOLE the beginning and
    // the end of a heap imply this for all its bytes.
    TN_MEM_BACKED,
    TN_MEM_UNBACKED,
    // A region: a piece of a heap. `bytes` is the requested size, all of which may be accessed;
    // `other` is the number of bytes of the heap that it occupies. `stream` is the stream that may
    // use it at once, or 0 for any.
    TN_MEM_REGION_BEGIN,
    TN_MEM_REGION_END,    // `stream`: after the work submitted to it so far; 0 means now
    TN_MEM_REGION_RESIZE, // in place, to `bytes`
    TN_MEM_PERMISSION,    // of the region at addr: TN_MEM_READ, TN_MEM_WRITE, both or none
    TN_MEM_NAME,          // of the heap or region at addr
    TN_MEM_USED_ON,       // `stream` also uses the region at addr: after the region's end its bytes
                          // are not reused before the work submitted to that stream so far
    TN_MEM_RIGHTS,        // the rights to the backed bytes of the heap at addr are about to change
    TN_MEM_HEAP_RESET,    // all regions of the heap that starts at addr end at once, by design

    // An access to `bytes` at addr by the call `name` ("tarn_copy"), TN_MEM_READ or TN_MEM_WRITE.
    // `stream` performs it in order; if it is 0, the calling thread performs it at once.
    TN_MEM_ACCESS = 32,
    TN_MEM_INITIALISED, // the bytes count as written
    TN_MEM_ARGUMENT, // the work `name` on `stream` has an argument, `other`, that points into the
                     // block of `bytes` bytes at addr, and may access it without a further event.
                     // Without bytes: the argument is a number, or points into no live block
    TN_MEM_ACCESS_REFUSED, // the call `name` refused an access to `bytes` at addr, which did not
                           // happen. `what` is an enum tn_mem_refusal, `other` the first byte that
                           // may not be accessed. Without TN_MEM_READ and TN_MEM_WRITE it would
                           // have changed rights
    TN_MEM_FREE_ON, // the block of `bytes` bytes at addr is about to be freed, and the program was
                    // promised the order of `stream` alone
    TN_MEM_RACE,    // two accesses within the work `name` are unordered: `object` is the address of
                    // two tarn_check_access, or 0 if the accesses of the work are not known
    TN_MEM_DISCARDED, // the contents of the bytes were lost, and the bytes count as unwritten
    TN_MEM_FAILURE, // work has failed, as `name` describes, at the code before the address `other`
                    // if that is not 0. It could not access addr, unless that is 0
    TN_MEM_FOOTPRINT, // the function that the calling thread runs in order of a stream, which is the
                      // work `name`, has made the accesses of the `bytes` tarn_check_range at
                      // `object`, and no others. `object` 0: they are not known; `bytes` is 0 if
                      // the work reports none. Outside of a function: the latter
    TN_MEM_HOST_ACCESS, // an instruction of the host behind the return address `object` accesses
                        // `bytes` at addr. Only for pages of the watch
    TN_MEM_WATCH, // an image can emit TN_MEM_HOST_ACCESS. A checker stores the address of its watch
                  // (watch.h), which it never frees, in the pointer at `object`
    TN_MEM_MISALIGNED, // an access within the work `name`, the tarn_check_access at `object`, is at no
                       // multiple of `other`

    // The order of work. `stream` and `object` (an event of Tarn) are handles of the emitting
    // image; `other` distinguishes platforms.
    TN_MEM_STREAM_BEGIN = 48,
    TN_MEM_STREAM_END,
    TN_MEM_EVENT_RECORD, // object, on stream
    TN_MEM_EVENT_END,
    TN_MEM_STREAM_WAIT, // stream, for object
    TN_MEM_EVENT_SYNC,  // the calling thread knows that object has completed
    TN_MEM_STREAM_SYNC, // the calling thread knows that stream is empty
    TN_MEM_DEVICE_SYNC, // the calling thread knows that every stream of the device is empty
    TN_MEM_CALL_BEGIN,  // a host function, a part of one or a condition starts in order on stream,
                        // on the calling thread; `object` is its number
    TN_MEM_CALL_END,    // `object` is its number, or 0 for that which the calling thread runs
    TN_MEM_CONDITION,   // stream waits until a function returns success, or for work of another
                        // process, whose event is `object`; without a stream, the calling thread
                        // has waited for such work
    TN_MEM_CALL_QUEUED, // a host function, one in parts or a condition is about to be submitted to
                        // stream; `object` is its number, which grows
    TN_MEM_CALL_PASSED, // the call with the number `object` has ended, or was dropped

    TN_MEM_STREAM_NAME, // the program knows stream by the handle `object` and by `name`, if it has one

    // Resources that their owner must release. `what` is an enum tn_mem_resource. `object`
    // identifies the resource where addr does not.
    TN_MEM_RESOURCE_BEGIN = 64,
    TN_MEM_RESOURCE_END,
    TN_MEM_REFUSED,   // the call `name` refused addr or object with the status `other`
    TN_MEM_REQUESTED, // the program requested only `bytes` of the plain or pinned memory that begins
                      // at addr; a library in front of Tarn rounded its size up
    TN_MEM_IDENTITY,  // the handle `object` (`what` is PHYS) or the block at addr (MEMORY) was
                      // exported or imported. `other` identifies its bytes: two with one number
                      // are the same
    TN_MEM_RULE, // how the heap, or else the plain or pinned memory, that begins at addr must be
                 // divided: `pitch` is the start of a tarn_rule, `slice_pitch` its rounding and
                 // `bytes` its padding; all zero without a rule

    TN_MEM_MARK = 80, // a step of the program; `name` may be NULL
    TN_MEM_SHORTAGE,  // no memory for `bytes` on `stream`: the call `name` fails, or a block of the
                      // pool `object`. `flags` is the negated status, `addr` the free bytes of the
                      // device, or UINT64_MAX. Of a pool, `what` is the tarn_pool_cause; it holds
                      // `pitch` bytes of at most `other` (0: no limit), of which `depth` are free,
                      // `slice_pitch` in the largest piece, and `height` wait for streams
    TN_MEM_PLATFORM,  // a platform with `other` devices has opened
    TN_MEM_DEVICE,    // `device` has opened with its platform; it has `bytes` of memory
    TN_MEM_KINDS      // larger than every kind
};

enum tn_mem_resource {
    TN_MEM_MEMORY = 1,  // plain device memory: addr and bytes; other is the capacity that it takes
    TN_MEM_PINNED,      // pinned host memory that Tarn allocated
    TN_MEM_REGISTERED,  // host memory of the caller that was pinned
    TN_MEM_RESERVATION, // addr and bytes
    TN_MEM_PHYS,        // object and bytes; in REFUSED: the call uses it
    TN_MEM_MAPPING,     // addr and bytes; object is the phys
    TN_MEM_EXPORT,      // object is a descriptor or key that the program must close
    TN_MEM_POOL,        // object
    TN_MEM_ANYTHING,    // REFUSED only: the call ends resources of several kinds
    TN_MEM_STREAM,      // object is a stream or an event of Tarn; in REFUSED: the call uses it
    TN_MEM_HANDLE,      // object is a handle of a library in front of Tarn; likewise
    TN_MEM_ARRAY // object is the array. Its elements have no addresses, but numbers, which are never
                 // used again: addr is that of the first, bytes their size. In REFUSED: the call
                 // uses it
};

// Why an access was refused.
enum tn_mem_refusal {
    TN_MEM_REFUSAL_UNSTATED, // by a library in front of Tarn, for a reason of its own
    TN_MEM_REFUSAL_RELEASED, // no live memory contains the byte
    TN_MEM_REFUSAL_PAST_END, // the access begins in memory that ends before the byte
    TN_MEM_REFUSAL_UNMAPPED, // the byte is in a reservation, and nothing is mapped there
    TN_MEM_REFUSAL_DENIED    // the device has no right to the byte. `object` has two bits for each
                             // location, TN_MEM_READ and TN_MEM_WRITE: the host, device 0, ...
};

// Bits of flags.
enum {
    TN_MEM_READ = 1u << 0,
    TN_MEM_WRITE = 1u << 1,
    TN_MEM_SHARED = 1u << 2,   // PERMISSION: for several devices
    TN_MEM_WHOLE = 1u << 3,    // HEAP_BEGIN: backed from the start; HEAP_END: backed to the end
    TN_MEM_ZEROED = 1u << 4,   // REGION_BEGIN, RESOURCE_BEGIN: the bytes count as written
    TN_MEM_HOST_CAN = 1u << 5, // instructions of this process can access the bytes at addr
    TN_MEM_NUMBERS = 1u << 6,  // addresses are numbers in `space` without memory behind them
    TN_MEM_UNWAITED =
        1u << 7,            // RESOURCE_END: the call did not wait for work that uses the resource
    TN_MEM_SEEN = 1u << 8,  // REGION_BEGIN: every access to the bytes is emitted; no instruction
                            // of a CPU or a kernel writes them without an event. ARGUMENT: a
                            // FOOTPRINT of the work follows when it has run
    TN_MEM_OWNED = 1u << 9, // RESOURCE_BEGIN: a pool owns the resource and releases it
    TN_MEM_PROGRAM = 1u << 10, // the program emits the event itself, by tarn/annotate.h
    TN_MEM_SOFT = 1u << 11, // RESOURCE_BEGIN: the device is software; emitted work and instructions
                            // of CPUs alone access the bytes
    TN_MEM_IMPORTED =
        1u << 12,            // RESOURCE_BEGIN: memory of another process, which has a call of its
                             // own to end it
    TN_MEM_GIVEN = 1u << 13, // HEAP_BEGIN: a pool of Tarn divides memory that the program owns
    TN_MEM_INSIDE =
        1u << 14, // ACCESS: one side of a copy whose bytes stay in memory of devices. The
                  // read precedes the write
    TN_MEM_ATOMIC = 1u << 15 // HOST_ACCESS: by an atomic operation
};

struct tn_mem_event {
    uint32_t size; // of this struct in the emitting image
    uint16_t kind;
    uint16_t what;
    uint32_t flags;
    int32_t device; // ordinal, or -1 for the host
    // The address space. Zero means addresses of this process. Otherwise it is a platform with its
    // own address numbers.
    uint32_t space;
    uint32_t image; // the copy of Tarn that emits; streams, events and objects are its handles
    uint64_t addr;
    uint64_t bytes;
    uint64_t other;
    uint64_t stream;
    uint64_t object;
    const char *name;
    const char *domain;
    // ACCESS: a box of rows of `bytes` bytes. Height and depth are at least 1.
    uint64_t height;
    uint64_t pitch;
    uint64_t depth;
    uint64_t slice_pitch;
    // The function of a library in front of Tarn that the program called, or NULL. A static string
    // of the image.
    const char *caller;
    // ACCESS with TN_MEM_INSIDE that writes: where the bytes come from, a box with the same rows. In
    // the address space `source_space`.
    uint64_t source;
    uint64_t source_pitch;
    uint64_t source_slice_pitch;
    uint32_t source_space;
};

// The function that the program called.
static inline const char *tn_mem_event_function(const struct tn_mem_event *event) {
    return event->caller != NULL ? event->caller : event->name;
}

static inline tarn_rule tn_mem_event_rule(const struct tn_mem_event *event) {
    return (tarn_rule){(uint32_t)event->pitch, (uint32_t)event->slice_pitch,
                       (uint32_t)event->bytes};
}

// Differs between the copies of Tarn in one process. Needs annotate/annotate.h.
#define TN_MEM_IMAGE ((uint32_t)((uintptr_t)&tn_annotate_state >> 3))
#define TN_MEM_INIT(...)                                                                           \
    {                                                                                              \
        .size = sizeof(struct tn_mem_event), .image = TN_MEM_IMAGE, .height = 1, .depth = 1,       \
        .caller = tn_annotate_caller(), __VA_ARGS__                                                \
    }
