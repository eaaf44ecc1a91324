/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tarn/annotate.h - telling tools about memory that a program divides by itself.
 *
 * Tools that watch memory know what the system hands out, not what a pool makes of it: to them a
 * write from one piece of a pool into the next is in order. Tarn's own pools, plain memory and
 * mappings tell whoever listens without being asked: a tool of MSTX (`tarn check` is one), ASan and
 * Valgrind where the process runs under them. With these calls a program tells the same of
 * pools of its own, gives names and steps, and has accesses checked that no tool can see.
 *
 * A heap is a range that is handed out in pieces; a region is one piece. Inside a heap only bytes
 * of regions may be touched. Regions may overlap: a byte is good as long as one of them holds it. A
 * heap may lie in a region of another one. All addresses may be of any device, or of the host.
 *
 * Nothing is changed but what tools know. When nobody listens each call is a few instructions and
 * succeeds. Texts are read during the call and may be NULL. Any thread; whoever tells of a range
 * tells of it in the order in which things happen to it: a region's end before its bytes go to
 * somebody else.
 */
#ifndef TARN_ANNOTATE_H
#define TARN_ANNOTATE_H

#include <tarn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Does anybody listen? Whoever tells much may ask first. */
TARN_API bool tarn_annotate_subscribed(void);

/*
 * A heap of `bytes` bytes begins at addr, in memory that is there, and will be until it ends.
 * BAD_ARGUMENT: addr or bytes 0, or the range wraps.
 */
TARN_API tarn_status tarn_annotate_heap_begin(tarn_addr addr, uint64_t bytes, const char *name);

/* The heap that begins at addr ends, and its regions with it: the range is ordinary memory again.
 * BAD_ARGUMENT: addr 0. */
TARN_API tarn_status tarn_annotate_heap_end(tarn_addr addr);

/*
 * A region begins: `bytes` from addr on may be touched, and count as never written. Tell what was
 * asked for, not what it was rounded to: an overflow into the rounding is one too. BAD_ARGUMENT:
 * addr or bytes 0, or the range wraps.
 */
TARN_API tarn_status tarn_annotate_region_begin(tarn_addr addr, uint64_t bytes, const char *name);

/* The newest region that begins at addr ends. BAD_ARGUMENT: addr 0. */
TARN_API tarn_status tarn_annotate_region_end(tarn_addr addr);

/* That region has `bytes` bytes now, with its contents kept as far as they go. BAD_ARGUMENT: addr
 * or bytes 0, or the range wraps. */
TARN_API tarn_status tarn_annotate_region_resize(tarn_addr addr, uint64_t bytes);

/* What may be done with a region, in one word. */
enum {
    TARN_ANNOTATE_READ = 1u << 0,
    TARN_ANNOTATE_WRITE = 1u << 1,
    TARN_ANNOTATE_SHARED = 1u << 2 /* by several devices */
};

/*
 * The region of `bytes` bytes at addr may be used as the TARN_ANNOTATE_ bits say, 0: not at all, in
 * the place of what was said before. A new region may be read and written. ASan and Valgrind know
 * all or nothing. BAD_ARGUMENT: addr or bytes 0, the range wraps, an unknown bit.
 */
TARN_API tarn_status tarn_annotate_permission(tarn_addr addr, uint64_t bytes, uint32_t rights);

/* Gives the heap or region that begins at addr a name, for reports. BAD_ARGUMENT: addr 0, name
 * NULL.
 */
TARN_API tarn_status tarn_annotate_name(tarn_addr addr, const char *name);

/* A step of the program is done, for reports of what is left from it. NULL: a step without a name.
 */
TARN_API void tarn_annotate_step(const char *name);

/*
 * A library that keeps a table of its own in front of Tarn's was asked to give back what is at
 * addr, and refused: it is none of its own, or no longer. A checker says what it is, or when it was
 * freed before. `call`: static text that names the caller, as "a free by HIP". NULL and 0 tell
 * nothing.
 */
TARN_API void tarn_annotate_refused(const char *call, tarn_addr addr);

/*
 * The calling thread is about to read or write these bytes in a way that no tool sees, say by a
 * device or in foreign code: it is checked now, as a copy by Tarn would be. BAD_ARGUMENT: addr 0,
 * or the range wraps. 0 bytes are fine. That the access is wrong is for the tool to say, not for
 * the status.
 */
TARN_API tarn_status tarn_check_read(tarn_addr addr, uint64_t bytes);
TARN_API tarn_status tarn_check_write(tarn_addr addr, uint64_t bytes);

/* These bytes count as written: somebody wrote them whom no tool sees. BAD_ARGUMENT as above. */
TARN_API tarn_status tarn_check_initialised(tarn_addr addr, uint64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
