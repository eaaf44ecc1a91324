// SPDX-License-Identifier: Apache-2.0
// The names of statuses: constants.
#include <hiaiengine/hiaix.h>

#define STATUS_LIST(X)                                                                             \
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

const char *HIAIX_StatusStr(HIAI_StatusT status) {
    switch (status) {
#define NAME_OF(name)                                                                              \
    case name:                                                                                     \
        return #name;
        STATUS_LIST(NAME_OF)
#undef NAME_OF
    default:
        return "unknown status";
    }
}
