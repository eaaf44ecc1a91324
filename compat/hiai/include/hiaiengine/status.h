/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/status.h - status codes, with the numbers of the 1.3x releases of Matrix.
 *
 * A status is (module << 16) | (level << 12) | code. HIAI_OK is 0x01011000, not 0: compare with
 * it. The codes are macros, so that they can stand in `case`.
 */
#ifndef HIAIENGINE_STATUS_H
#define HIAIENGINE_STATUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define HIAI_EXTERN_C_BEGIN extern "C" {
#define HIAI_EXTERN_C_END   }
#else
#define HIAI_EXTERN_C_BEGIN
#define HIAI_EXTERN_C_END
#endif

#define HIAI_FUNC_VISIBILITY __attribute__((visibility("default")))

typedef uint32_t HIAI_StatusT;

/* Levels. Engines and callbacks return HIAI_ERROR for failures of their own. */
#define HIAI_DEBUG   0
#define HIAI_INFO    1
#define HIAI_WARNING 2
#define HIAI_ERROR   3
#define HIAI_FATAL   4
#define HIAI_EVENT   5

#define HIAI_GET_ERROR_LEVEL(status) (((status) >> 12) & 0xFu)

/* Makes a status of its parts. Programs may use any other module number for their own codes. */
#define HIAIX_STATUS(module, level, code)                                                          \
    (((uint32_t)(module) << 16) | ((uint32_t)(level) << 12) | (uint32_t)(code))

#define HIAIX_MODULE_GRAPH   0x0101
#define HIAIX_MODULE_ENGINE  0x0102
#define HIAIX_MODULE_HDC     0x0103
#define HIAIX_MODULE_OTHER   0x0104
#define HIAIX_MODULE_PPC     0x0105
#define HIAIX_MODULE_PROFILE 0x0106
#define HIAIX_MODULE_TARN    0x01F0 /* not a module of the vendor's */

/* ---- graphs and memory */
#define HIAI_OK                              0x01011000u
#define HIAI_GRAPH_ID_EXIST                  0x01013006u
#define HIAI_GRAPH_SENDMSG_FAILED            0x01013007u
#define HIAI_GRAPH_NOT_EXIST                 0x01013008u
#define HIAI_GRAPH_SEARFUNC_IS_NULL          0x01013009u
#define HIAI_GRAPH_ENGINE_NOT_EXIST          0x0101300Au
#define HIAI_GRAPH_START_TIMEOUT             0x0101300Bu
#define HIAI_GRAPH_DESTROY_TIMEOUT           0x0101300Cu
#define HIAI_GRAPH_ENGINE_DESTROY_FAILED     0x0101300Du
#define HIAI_GRAPH_SRC_PORT_NOT_EXIST        0x01012016u
#define HIAI_GRAPH_DATA_RECV_FUNCTOR_IS_NULL 0x01013018u
#define HIAI_GRAPH_CONVCFUNC_IS_NULL         0x01013019u
#define HIAI_GRAPH_PROTO_FILE_PARSE_FAILED   0x0101301Au
#define HIAI_GRAPH_NOT_FOND_MEMORY           0x0101301Eu /* spelled as in the vendor's headers */
#define HIAI_GRAPH_NOT_FIND_MEMORY           0x0101301Eu /* spelled as in the vendor's documents */
#define HIAI_GRAPH_WRONG_MEMORY_TYPE         0x01013020u
#define HIAI_GRAPH_NO_USEFUL_MEMORY          0x01013021u
#define HIAI_GRAPH_RELEASE_WRONG_ADDR        0x01013023u
#define HIAI_GRAPH_INVALID_VALUE             0x01013024u
#define HIAI_GRAPH_NO_MEMORY                 0x01013028u
#define HIAI_GRAPH_MEMORY_POOL_INITED        0x01013029u
#define HIAI_GRAPH_MEMORY_POOL_NOT_EXISTED   0x0101302Au
#define HIAI_GRAPH_TARGET_SIZE_ENOUGH        0x0101302Cu /* means: the target is NOT large enough */
#define HIAI_GRAPH_MALLOC_SMALLER            0x0101302Du
#define HIAI_GRAPH_MALLOC_LARGER             0x0101302Eu
#define HIAI_GRAPH_DATA_SIZE_WRONG           0x0101302Fu
#define HIAI_MEMORY_POOL_UPDATE_FAILED       0x01013030u
#define HIAI_GRAPH_GET_DEVNUM_ERROR          0x01013081u
#define HIAI_GRAPH_GET_GRAPHID_ERROR         0x01013082u
#define HIAI_GRAPH_GET_DEVID_ERROR           0x01013083u
#define HIAI_GRAPH_GET_PCIEINFO_ERROR        0x01013084u
#define HIAI_MEMORY_EXHAUSTED                0x0101308Du
#define HIAI_GRAPH_MESSAGE_NULL              0x0101308Fu
#define HIAI_REPEATED_GRAPH                  0x01013091u
#define HIAI_PORT_ID_NOT_EXIST               0x01013093u
#define HIAI_ALREADY_USED_IN_ANOTHER_PROCESS 0x0101309Cu
#define HIAI_TRAN_TIMEOUT                    0x010130A5u
#define HIAI_GRAPH_MEMORY_POOL_INIT_FAILED   0x010130AAu
#define HIAI_GRAPH_MEMORY_POOL_STOPPED       0x010110ACu
#define HIAI_DFREE_FAILED                    0x010130BBu
#define HIAI_BUFFER_SIZE_OVER_DMALLOC_SIZE   0x010130BCu

/* ---- engines */
#define HIAI_QUEUE_STOPPED        0x01021032u
#define HIAI_QUEUE_PUSH_FAILED    0x01021034u
#define HIAI_ENGINE_WAIT_TIMEOUT  0x01021035u
#define HIAI_ENGINE_NULL_POINTER  0x0102303Au
#define HIAI_PORT_ID_ERROR        0x0102303Bu
#define HIAI_QUEUE_FULL           0x0102303Eu
#define HIAI_QUEUE_EMPTY          0x0102303Fu
#define HIAI_ENGINE_FUNCTOR_NULL  0x01023046u
#define HIAI_ENGINE_FUNCTOR_EXIST 0x01022047u

/* ---- the connection of host and device */
#define HIAI_HDC_SEND_MSG_ERROR         0x0103304Eu
#define HIAI_HDC_SEND_ERROR             0x0103304Fu
#define HIAI_HDC_SRV_HEART_BEAT_TIMEOUT 0x01033059u
#define HIAI_HDC_SESSION_DEAD           0x0103309Du

/* ---- others */
#define HIAI_INIT_FAIL 0x0104306Eu

/* ---- of this implementation */
/* The function exists on the other side only. */
#define HIAIX_WRONG_SIDE 0x01F03001u

/* The names of all statuses. */
#define HIAIX_STATUS_LIST(X)                                                                       \
    X(HIAI_OK)                                                                                     \
    X(HIAI_GRAPH_ID_EXIST)                                                                         \
    X(HIAI_GRAPH_SENDMSG_FAILED)                                                                   \
    X(HIAI_GRAPH_NOT_EXIST)                                                                        \
    X(HIAI_GRAPH_SEARFUNC_IS_NULL)                                                                 \
    X(HIAI_GRAPH_ENGINE_NOT_EXIST)                                                                 \
    X(HIAI_GRAPH_START_TIMEOUT)                                                                    \
    X(HIAI_GRAPH_DESTROY_TIMEOUT)                                                                  \
    X(HIAI_GRAPH_ENGINE_DESTROY_FAILED)                                                            \
    X(HIAI_GRAPH_SRC_PORT_NOT_EXIST)                                                               \
    X(HIAI_GRAPH_DATA_RECV_FUNCTOR_IS_NULL)                                                        \
    X(HIAI_GRAPH_CONVCFUNC_IS_NULL)                                                                \
    X(HIAI_GRAPH_PROTO_FILE_PARSE_FAILED)                                                          \
    X(HIAI_GRAPH_NOT_FOND_MEMORY)                                                                  \
    X(HIAI_GRAPH_WRONG_MEMORY_TYPE)                                                                \
    X(HIAI_GRAPH_NO_USEFUL_MEMORY)                                                                 \
    X(HIAI_GRAPH_RELEASE_WRONG_ADDR)                                                               \
    X(HIAI_GRAPH_INVALID_VALUE)                                                                    \
    X(HIAI_GRAPH_NO_MEMORY)                                                                        \
    X(HIAI_GRAPH_MEMORY_POOL_INITED)                                                               \
    X(HIAI_GRAPH_MEMORY_POOL_NOT_EXISTED)                                                          \
    X(HIAI_GRAPH_TARGET_SIZE_ENOUGH)                                                               \
    X(HIAI_GRAPH_MALLOC_SMALLER)                                                                   \
    X(HIAI_GRAPH_MALLOC_LARGER)                                                                    \
    X(HIAI_GRAPH_DATA_SIZE_WRONG)                                                                  \
    X(HIAI_MEMORY_POOL_UPDATE_FAILED)                                                              \
    X(HIAI_GRAPH_GET_DEVNUM_ERROR)                                                                 \
    X(HIAI_GRAPH_GET_GRAPHID_ERROR)                                                                \
    X(HIAI_GRAPH_GET_DEVID_ERROR)                                                                  \
    X(HIAI_GRAPH_GET_PCIEINFO_ERROR)                                                               \
    X(HIAI_MEMORY_EXHAUSTED)                                                                       \
    X(HIAI_GRAPH_MESSAGE_NULL)                                                                     \
    X(HIAI_REPEATED_GRAPH)                                                                         \
    X(HIAI_PORT_ID_NOT_EXIST)                                                                      \
    X(HIAI_ALREADY_USED_IN_ANOTHER_PROCESS)                                                        \
    X(HIAI_TRAN_TIMEOUT)                                                                           \
    X(HIAI_GRAPH_MEMORY_POOL_INIT_FAILED)                                                          \
    X(HIAI_GRAPH_MEMORY_POOL_STOPPED)                                                              \
    X(HIAI_DFREE_FAILED)                                                                           \
    X(HIAI_BUFFER_SIZE_OVER_DMALLOC_SIZE)                                                          \
    X(HIAI_QUEUE_STOPPED)                                                                          \
    X(HIAI_QUEUE_PUSH_FAILED)                                                                      \
    X(HIAI_ENGINE_WAIT_TIMEOUT)                                                                    \
    X(HIAI_ENGINE_NULL_POINTER)                                                                    \
    X(HIAI_PORT_ID_ERROR)                                                                          \
    X(HIAI_QUEUE_FULL)                                                                             \
    X(HIAI_QUEUE_EMPTY)                                                                            \
    X(HIAI_ENGINE_FUNCTOR_NULL)                                                                    \
    X(HIAI_ENGINE_FUNCTOR_EXIST)                                                                   \
    X(HIAI_HDC_SEND_MSG_ERROR)                                                                     \
    X(HIAI_HDC_SEND_ERROR)                                                                         \
    X(HIAI_HDC_SRV_HEART_BEAT_TIMEOUT)                                                             \
    X(HIAI_HDC_SESSION_DEAD)                                                                       \
    X(HIAI_INIT_FAIL)                                                                              \
    X(HIAIX_WRONG_SIDE)

#endif
