/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file plan.h
 * Plans: placements for programs that repeat themselves.
 *
 * A program that trains or infers makes the same requests in every pass. A plan is made from one
 * recorded pass. It has a place for each large request, so that the blocks need little more memory
 * than live at one moment. A pool follows a plan (tarn_pool_desc.plan), or makes one itself
 * (TARN_POOL_LEARN). `tarn plan` makes a file with one from a recording.
 *
 * A plan depends on no device and no address. Its bytes have a version and a checksum. They may be
 * stored in a file and read on another machine.
 */
#ifndef TARN_PLAN_H
#define TARN_PLAN_H

#include <tarn/rule.h>
#include <tarn/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A plan. Opaque. It never changes, so any number of pools may follow it. */
typedef struct tarn_plan tarn_plan;

/** A request of a recorded pass, and the free of its block. Moments are any increasing numbers. */
typedef struct tarn_plan_block {
    uint64_t bytes;  /**< bytes requested, at least 1 */
    uint64_t begin;  /**< moment of the request */
    uint64_t end;    /**< moment of the free, after `begin`; UINT64_MAX: not freed */
    uint32_t stream; /**< number of its stream, below 16,384 */
    uint32_t tag;    /**< tag of the request; below TARN_POOL_TAGS */
} tarn_plan_block;

/** Properties of a plan. Initialise it with TARN_INIT(tarn_plan_info). */
typedef struct tarn_plan_info {
    size_t struct_size; /**< set by the caller; the library writes no field beyond it */
    uint64_t blocks;    /**< requests that have a place */
    uint64_t streams;   /**< streams that they belong to */
    uint64_t bound;     /**< the most bytes that live at one moment, summed over the streams, with
                             all memory of small blocks: no placement needs less */
    uint64_t height;    /**< bytes that the places need */
    tarn_rule rule;     /**< rule of the pools that can follow the plan */
    uint32_t zero;      /**< 0; no meaning yet */
    uint64_t steps;     /**< for tarn_plan_desc.progress: steps of the search so far; else 0 */
    const void *bytes;  /**< the plan as a file has it, until it is destroyed; for progress NULL */
    size_t byte_count;  /**< their number */
} tarn_plan_info;

/** Description of a plan to make. Initialise it with TARN_INIT(tarn_plan_desc). */
typedef struct tarn_plan_desc {
    size_t struct_size;            /**< set by TARN_INIT */
    const tarn_plan_block *blocks; /**< the requests in their order; `begin` never falls */
    size_t count;                  /**< number of requests */
    tarn_rule rule;                /**< placement of blocks; all zero selects TARN_RULE_GPU_256 */
    uint32_t zero;                 /**< 0 */
    /** Length of a pass that repeats itself: every `begin` is below it, and a block whose `end`
        exceeds it is freed in the next pass. 0: the requests are all that the program makes. */
    uint64_t period;
    /** Time for the search, in nanoseconds; 0: no limit. A search that this limit ends depends on the
        speed of the machine, and so does its plan. */
    uint64_t limit_ns;
    /** Called after each try with the best plan so far; false ends the search. May be NULL. */
    bool (*progress)(const tarn_plan_info *best, void *arg);
    void *arg; /**< passed to progress */
    /** Steps of the search; 0 selects 2^26, which take one to two seconds. In a step, two blocks are
        compared that live at the same time. The same requests and steps make the same plan, byte for
        byte, on every machine. The first placement is always completed, whatever the limits. */
    uint64_t limit_steps;
} tarn_plan_desc;

/** Requests of a pool with a plan that got no place, because the plan does not have them, or because
    their place was taken. */
typedef struct tarn_plan_miss {
    uint64_t bytes;     /**< bytes of each */
    uint64_t requests;  /**< their number; 0: this entry and those behind it are unused */
    tarn_stream stream; /**< stream of the requests */
    uint32_t tag;       /**< tag of the requests */
    uint32_t late;      /**< 1: the place was taken; 0: the plan does not have the requests */
} tarn_plan_miss;

/**
 * Makes a plan. Requests of up to 16 KiB have no places of their own, because pools serve them from
 * size classes. The plan has memory for as many blocks of each class as live at one moment. The blocks
 * of a stream share memory only with each other, so that no place waits for another
 * stream. If the streams would need much more memory apart than together, because they take turns,
 * only the stream that needs most has places.
 *
 * @param desc the requests
 * @param plan receives the plan; the caller ends it with tarn_plan_destroy()
 * @retval TARN_BAD_ARGUMENT   an argument is NULL; the rule is invalid; a request has 0 bytes, an
 *                             unknown tag or stream, or moments out of order; or the sum of all
 *                             bytes exceeds 2^62
 * @retval TARN_BAD_STRUCT     desc->struct_size is unknown
 * @retval TARN_NO_HOST_MEMORY out of host memory
 */
TARN_API tarn_status tarn_plan_create(const tarn_plan_desc *desc, tarn_plan **plan);

/**
 * Reads a plan from a file, such as one of `tarn plan`.
 *
 * @param path the name of the file
 * @param plan receives the plan; the caller ends it with tarn_plan_destroy()
 * @retval TARN_BAD_ARGUMENT   path or plan is NULL
 * @retval TARN_SYSTEM         the file cannot be read
 * @retval TARN_NO_HOST_MEMORY out of host memory
 * @return another status of tarn_plan_parse()
 */
TARN_API tarn_status tarn_plan_load(const char *path, tarn_plan **plan);

/**
 * Makes a plan of its bytes (tarn_plan_info.bytes), and checks all of them.
 *
 * @param bytes      the bytes, at any alignment; the plan has a copy
 * @param byte_count their number
 * @param plan       receives the plan; the caller ends it with tarn_plan_destroy()
 * @retval TARN_BAD_ARGUMENT   bytes or plan is NULL
 * @retval TARN_CORRUPT        these are not the bytes of a plan, or they were changed; the text of
 *                             the error names the value that is wrong
 * @retval TARN_UNSUPPORTED    the plan has a version that this library does not know
 * @retval TARN_NO_HOST_MEMORY out of host memory
 */
TARN_API tarn_status tarn_plan_parse(const void *bytes, size_t byte_count, tarn_plan **plan);

/**
 * Returns the properties of a plan, and its bytes.
 *
 * @param plan the plan
 * @param info filled up to info->struct_size
 * @retval TARN_BAD_ARGUMENT plan or info is NULL
 * @retval TARN_BAD_STRUCT   info->struct_size is unknown
 */
TARN_API tarn_status tarn_plan_query(const tarn_plan *plan, tarn_plan_info *info);

/**
 * Destroys a plan. Pools that follow it have what they need of it.
 *
 * @param plan the plan; NULL does nothing
 */
TARN_API void tarn_plan_destroy(tarn_plan *plan);

#ifdef __cplusplus
}
#endif

#endif
