/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file rule.h
 * Placement rules: how an allocator aligns, rounds and pads its blocks.
 *
 * A rule is three numbers. The named rules are those of CUDA, HIP, caching allocators and AscendCL.
 * tarn_rule_find() also returns the rule of a vendor's function.
 */
#ifndef TARN_RULE_H
#define TARN_RULE_H

#include <tarn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * How a block is placed. A block for n bytes occupies m = round_up(n, rounding) + padding bytes,
 * starts at an absolute address that is a multiple of `start`, and shares none of those m bytes
 * with another block.
 */
typedef struct tarn_rule {
    uint32_t start;    /**< alignment of the first byte; a power of two up to 4096 */
    uint32_t rounding; /**< of the size; a power of two up to 4096 */
    uint32_t padding;  /**< bytes behind the rounded size; a multiple of rounding */
} tarn_rule;

/**
 * The named rules: X(NAME, "name", start, rounding, padding, "where it comes from"). The AscendCL
 * rows are its "Secondary Memory Allocation" table.
 */
#define TARN_RULE_LIST(X)                                                                          \
    X(PLAIN, "plain", 16, 16, 0, "ordinary alignment of C objects")                                \
    X(GPU_256, "gpu", 256, 256, 0, "what cuMemAlloc and hipMalloc promise")                        \
    X(CACHING_512, "caching", 512, 512, 0, "blocks of CUDA caching allocators")                    \
    X(ACL, "acl", 64, 32, 32, "AscendCL device and pinned memory")                                 \
    X(ACL_MEDIA, "dvpp", 128, 32, 32, "AscendCL media memory, and one pool for all")               \
    X(ACL_950, "950", 64, 32, 0, "AscendCL on Ascend 950")

/** The named rules; TARN_RULE_LIST describes them. */
typedef enum tarn_rule_name {
#define TARN_RULE_ENUM(NAME, name, start, rounding, padding, text)                                 \
    TARN_RULE_##NAME, /**< see TARN_RULE_LIST */
    TARN_RULE_LIST(TARN_RULE_ENUM)
#undef TARN_RULE_ENUM
        TARN_RULE_COUNT /**< number of named rules */
} tarn_rule_name;

/**
 * Returns a named rule.
 *
 * @param name the rule
 * @param rule receives it
 * @retval TARN_BAD_ARGUMENT name is unknown, or rule is NULL
 */
TARN_API tarn_status tarn_rule_get(tarn_rule_name name, tarn_rule *rule);

/**
 * Returns the bytes that a block occupies under a rule.
 *
 * @param rule     the rule
 * @param bytes    bytes of the block, at least 1
 * @param occupied receives the bytes
 * @retval TARN_BAD_ARGUMENT rule or occupied is NULL; bytes is 0; the rule is invalid; or the sum
 *                           exceeds 64 bits
 */
TARN_API tarn_status tarn_rule_occupied(const tarn_rule *rule, uint64_t bytes, uint64_t *occupied);

/**
 * The allocators whose blocks are divided under a rule of their own: X("name", RULE). The suffix
 * "+950" means the same function on Ascend 950, which needs no padding. "mixed" is one pool for
 * media and other memory. Sources: AscendCL, "Secondary Memory Allocation"; the alignment that
 * hipMalloc and cuMemAlloc guarantee.
 */
#define TARN_ALLOCATOR_LIST(X)                                                                     \
    X("aclrtMalloc", ACL)                                                                          \
    X("aclrtMallocAlign32", ACL)                                                                   \
    X("aclrtMallocCached", ACL)                                                                    \
    X("aclrtMallocWithCfg", ACL)                                                                   \
    X("aclrtMallocHost", ACL)                                                                      \
    X("aclrtMalloc+950", ACL_950)                                                                  \
    X("aclrtMallocHost+950", ACL_950)                                                              \
    X("acldvppMalloc", ACL_MEDIA)                                                                  \
    X("hi_mpi_dvpp_malloc", ACL_MEDIA)                                                             \
    X("mixed", ACL_MEDIA)                                                                          \
    X("hipMalloc", GPU_256)                                                                        \
    X("hipHostMalloc", GPU_256)                                                                    \
    X("cuMemAlloc", GPU_256)                                                                       \
    X("cudaMalloc", GPU_256)

/**
 * Returns a rule by name.
 *
 * @param name a text of TARN_RULE_LIST, such as "gpu", or an allocator of TARN_ALLOCATOR_LIST, such
 *             as "aclrtMalloc": the rule for the blocks that it is divided into
 * @param rule receives the rule
 * @retval TARN_BAD_ARGUMENT name is NULL or unknown, or rule is NULL
 */
TARN_API tarn_status tarn_rule_find(const char *name, tarn_rule *rule);

#ifdef __cplusplus
}
#endif
#endif
