// SPDX-License-Identifier: Apache-2.0
// A note: one thing that happened to memory, told to whoever listens. The vocabulary is the union
// of what MSTX, NVTX, ASan and Valgrind can be told and of what our own checker wants to know
// beside that. Each listener takes what it understands. A note lives on the stack of the teller; a
// listener copies what it keeps. Notes are told on the thread where the thing happened, with no
// lock of the core held that another note could need.
//
// Order that listeners rely on: the end of a region is told before anybody else can be given its
// bytes, the beginning after they are the caller's own. The same for plain memory and mappings.
#ifndef TARN_ANNOTATE_MEM_EVENT_H
#define TARN_ANNOTATE_MEM_EVENT_H

#include <stdint.h>

enum tn_mem_event_kind {
    // A range that is handed out in pieces. `object`: the pool; `other`: that of the heap around
    // it.
    TN_MEM_HEAP_BEGIN = 1,
    TN_MEM_HEAP_END, // of the heap that begins at addr
    // Bytes of a heap got memory beneath them, or lost it. A heap that is born with memory is told
    // both ways at once by TN_MEM_WHOLE.
    TN_MEM_BACKED,
    TN_MEM_UNBACKED,
    // A piece. `bytes`: what may be touched, as asked for; `other`: what it takes of the heap.
    // `stream`: on which it may be used at once; 0: anywhere.
    TN_MEM_REGION_BEGIN,
    TN_MEM_REGION_END,    // `stream`: after the work given to it so far; 0: now
    TN_MEM_REGION_RESIZE, // in place, to `bytes`
    TN_MEM_PERMISSION,    // of the region at addr: TN_MEM_READ, TN_MEM_WRITE, both or none
    TN_MEM_NAME,          // of the heap or region at addr
    TN_MEM_USED_ON,       // the region at addr is used on `stream` as well: when it ends, its bytes
                          // are not handed out before that stream's work so far

    // An access to `bytes` at addr by `name` ("tarn_copy"): TN_MEM_READ or TN_MEM_WRITE, in order
    // on `stream`, or at once by the calling thread when that is 0. A box has rows.
    TN_MEM_ACCESS = 32,
    TN_MEM_INITIALISED, // counts as written

    // The order of work. `stream` and `object` (an event) are handles of the teller; `other` tells
    // platforms apart.
    TN_MEM_STREAM_BEGIN = 48,
    TN_MEM_STREAM_END,
    TN_MEM_EVENT_RECORD, // object, on stream
    TN_MEM_EVENT_END,
    TN_MEM_STREAM_WAIT, // stream, for object
    TN_MEM_EVENT_SYNC,  // the calling thread saw that object had passed
    TN_MEM_STREAM_SYNC, // the calling thread saw that stream was empty
    TN_MEM_DEVICE_SYNC, // the same for every stream of the device
    TN_MEM_CALL_BEGIN,  // a host function begins to run in order on stream, on the calling thread
    TN_MEM_CALL_END,

    // What an owner must give back. `what` says which; `object` names it where addr does not.
    TN_MEM_RESOURCE_BEGIN = 64,
    TN_MEM_RESOURCE_END,
    TN_MEM_REFUSED, // call `name` refused addr or object with the status `other`

    TN_MEM_MARK = 80 // a step of the program; `name` may be NULL
};

enum tn_mem_resource {
    TN_MEM_MEMORY = 1,  // plain device memory, addr and bytes
    TN_MEM_PINNED,      // pinned host memory that was allocated
    TN_MEM_REGISTERED,  // host memory of the caller that was pinned
    TN_MEM_RESERVATION, // addr and bytes
    TN_MEM_PHYS,        // object and bytes
    TN_MEM_MAPPING,     // addr and bytes; object: the phys
    TN_MEM_EXPORT,      // a descriptor or key that somebody must close; object
    TN_MEM_POOL,        // object
    TN_MEM_ANYTHING     // REFUSED: by who would have ended several of these
};

// Bits of flags.
enum {
    TN_MEM_READ = 1u << 0,
    TN_MEM_WRITE = 1u << 1,
    TN_MEM_SHARED = 1u << 2,   // permission: by several devices
    TN_MEM_WHOLE = 1u << 3,    // HEAP_BEGIN: backed from the start; HEAP_END: backed to the end
    TN_MEM_ZEROED = 1u << 4,   // the bytes read as written
    TN_MEM_HOST_CAN = 1u << 5, // this process's instructions can reach the bytes at that address
    TN_MEM_NUMBERS = 1u << 6,  // addresses are numbers without bytes, of `space`
    TN_MEM_UNWAITED = 1u << 7, // RESOURCE_END: the call did not wait for work that uses it
    TN_MEM_SEEN = 1u << 8,     // REGION_BEGIN: every access to the bytes is told; no instruction
                               // of a CPU or a kernel writes them unseen
    TN_MEM_OWNED = 1u << 9     // RESOURCE_BEGIN: by a pool, which gives it back when it ends
};

struct tn_mem_event {
    uint32_t size; // of this struct, as the teller knows it
    uint16_t kind;
    uint16_t what;
    uint32_t flags;
    int32_t device; // ordinal; -1: the host
    // Which addresses these are: 0: those of this process, each of which means one thing; else a
    // platform whose numbers are its own.
    uint32_t space;
    uint32_t image; // which copy of Tarn tells: streams, events and objects are its own
    uint64_t addr;
    uint64_t bytes;
    uint64_t other;
    uint64_t stream;
    uint64_t object;
    const char *name;
    const char *domain;
    // ACCESS: `bytes` wide rows, at least 1 of each.
    uint64_t height;
    uint64_t pitch;
    uint64_t depth;
    uint64_t slice_pitch;
};

// Good enough to tell apart the few copies that one process has. (annotate/annotate.h)
#define TN_MEM_IMAGE ((uint32_t)((uintptr_t)&tn_annotate_state >> 3))
#define TN_MEM_INIT(...)                                                                           \
    {                                                                                              \
        .size = sizeof(struct tn_mem_event), .image = TN_MEM_IMAGE, .height = 1, .depth = 1,       \
        __VA_ARGS__                                                                                \
    }

#endif
