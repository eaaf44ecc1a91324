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
    ((((uint32_t)(module)&0xFFFFu) << 16) | (((uint32_t)(level) << 12) & 0xF000u) |                \
     ((uint32_t)(code)&0x0FFFu))

#define MODID_GRAPH   0x0101
#define MODID_ENGINE  0x0102
#define MODID_HDC     0x0103
#define MODID_OTHER   0x0104
#define MODID_PPC     0x0105
#define MODID_PROFILE 0x0106

#define HIAIX_MODULE_GRAPH   MODID_GRAPH
#define HIAIX_MODULE_ENGINE  MODID_ENGINE
#define HIAIX_MODULE_HDC     MODID_HDC
#define HIAIX_MODULE_OTHER   MODID_OTHER
#define HIAIX_MODULE_PPC     MODID_PPC
#define HIAIX_MODULE_PROFILE MODID_PROFILE
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

/* ---- codes that programs name; this library returns few of them */
#define HIAI_DEBUG_INFO                            0x01010001u
#define HIAI_GRAPH_OK                              0x01011003u
#define HIAI_GRAPH_WARNING                         0x01012002u
#define HIAI_GRAPH_MODEL_PATH_WARNING              0x01012015u
#define HIAI_POWER_STATE_CALLBACK_REGISTER_WARNING 0x010120B5u
#define HIAI_SYS_FREE_MEMORY_WARNING               0x010120BDu
#define HIAI_GRAPH_GET_INSTANCE_NULL               0x01013004u
#define HIAI_GRAPH_INIT_FAILED                     0x01013005u
#define HIAI_GRAPH_ENGINE_IS_NULL                  0x0101300Eu
#define HIAI_GRAPH_ENGINE_START_FAILED             0x0101300Fu
#define HIAI_GRAPH_ENGINE_ID_SAME                  0x01013010u
#define HIAI_GRAPH_ENGINE_INIT_FAILED              0x01013011u
#define HIAI_GRAPH_ENGINE_NOT_INITIALED            0x01013012u
#define HIAI_GRAPH_CONNECT_ID_ERROR                0x01013013u
#define HIAI_GRAPH_LOADSO_ERROR                    0x01013014u
#define HIAI_GRAPH_CREATE_ENGINE_FAILED            0x01013017u
#define HIAI_GRAPH_REMOVE_DIR_FAILED               0x0101301Bu
#define HIAI_GRAPH_CREATE_DIR_FAILED               0x0101301Cu
#define HIAI_GRAPH_CREATE_DIR_TIMEOUT              0x0101301Du
#define HIAI_GRAPH_WRONG_MEMORY_END                0x0101301Fu
#define HIAI_GRAPH_PA_VA_NOT_MATCH                 0x01013022u
#define HIAI_GRAPH_GET_PA_ADDR_FAILED              0x01013025u
#define HIAI_GRAPH_ALLOC_BUFFER_FAILED             0x01013026u
#define HIAI_GRAPH_FREE_HDC_BUFFER_FAILED          0x01013027u
#define HIAI_MEMORY_NOT_SUPPORT                    0x0101302Bu
#define HIAI_PROFILE_WRONG_FILE_PATH               0x01013031u
#define HIAI_GRAPH_GET_VERSION_ERROR               0x01013080u
#define HIAI_GRAPH_HDC_CLIENT_ERROR                0x01013085u
#define HIAI_GRAPH_START_PPC_SERVER_ERROR          0x01013086u
#define HIAI_GRAPH_MAP_BUFFER_ERROR                0x01013087u
#define HIAI_GRAPH_MMAP_ERROR                      0x01013088u
#define HIAI_GRAPH_UPDATE_CONFIG_FAILED            0x01013089u
#define HIAI_FILE_SIZE_TOO_LARGE                   0x0101308Au
#define HIAI_FILE_INVALID_PATH                     0x0101308Bu
#define HIAI_FILE_INVALID_NAME                     0x0101308Cu
#define HIAI_INTERGER_REVERSED                     0x0101308Eu
#define HIAI_PROFILE_SET_FAILED                    0x01013090u
#define HIAI_REPEATED_ENGINE                       0x01013092u
#define HIAI_ENGINE_ID_NOT_EXIST                   0x01013094u
#define HIAI_GRAPH_ID_NOT_EXIST                    0x01013095u
#define HIAI_FILE_NOT_EXIST                        0x01013096u
#define HIAI_GRAPH_CREATE_FILE_FAIL                0x01013097u
#define HIAI_GRAPH_OPEN_FILE_FAIL                  0x01013098u
#define HIAI_GRAPH_READ_FILE_FAIL                  0x01013099u
#define HIAI_GRAPH_WRTIE_FILE_FAIL                 0x0101309Au
#define HIAI_GRAPH_CLOSE_FILE_FAIL                 0x0101309Bu
#define HIAI_GRAPH_ALREADY_USED_IN_ANOTHER_PROCESS 0x0101309Cu
#define HIAI_POWER_STATE_CALLBACK_REGISTER_ERROR   0x0101309Fu
#define HIAI_POWER_STATE_CALLBACK_PROCESS_ERROR    0x010130A0u
#define HIAI_POWER_STATE_DUPLICATE_CALLBACK        0x010130A1u
#define HIAI_MEMORY_STATUS_ERROR                   0x010130A3u
#define HIAI_TRAN_UNKNOWN_RSP                      0x010130A4u
#define HIAI_TRAN_NOT_EXIST                        0x010130A6u
#define HIAI_GRAPH_REMOVE_FILE_FAILED              0x010130A7u
#define HIAI_MEMORY_POOL_INVALID_ADDR              0x010130A8u
#define HIAI_MEMORY_POOL_RESIZE_FAILED             0x010130A9u
#define HIAI_GRAPH_HDC_MEMORY_ADDR_NOT_ALIGN       0x010130ABu
#define HIAI_GRAPH_SET_PUBLIC_KEY_FAILED           0x010130ADu
#define HIAI_GRAPH_HARDWARE_DECRYPTION_FAILED      0x010130AEu
#define HIAI_GRAPH_SIGNATURE_DECRYPTION_FAILED     0x010130AFu
#define HIAI_GRAPH_READ_BIN_FAILED                 0x010130B0u
#define HIAI_EXCEPTION                             0x010130B1u
#define HIAI_USER_INPUT_TENSOR_SIZE_TOO_LARGE      0x010130B2u
#define HIAI_GET_ENGINE_FAILED                     0x010130B3u
#define HIAI_CHECK_UPDATE_CONFIG_FAILED            0x010130B4u
#define HIAI_PY_NOT_INITIALNIZED                   0x010130B6u
#define HIAI_PY_DATA_RECV_CALLBACK_NULL            0x010130B7u
#define HIAI_PY_DATA_RECV_MESSAGE_NULL             0x010130B8u
#define HIAI_PY_DATA_RECV_CALLBACK_UNCALLABLE      0x010130B9u
#define HIAI_PY_DATA_RECV_CALLBACK_ERROR           0x010130BAu
#define HIAI_NNTENSORLIST_TO_PYTHON_ERROR          0x010130BEu
#define HIAI_NNTENSORLIST_TO_CPLUSPLUS_ERROR       0x010130BFu
#define HIAI_MMAP_MAP_ITEM_NOT_EXIST               0x010130C0u
#define HIAI_MMAP_MAP_ERASE_FAILED                 0x010130C1u
#define HIAI_MUNMAP_FAILED                         0x010130C2u
#define HIAI_MMAP_MAP_INSERT_FAILED                0x010130C3u
#define HIAI_UNPACK_AI_FILE_FAILED                 0x010130C4u
#define HIAI_QUEUE_POP_FAILED                      0x01021033u
#define HIAI_WARNING_SET_THREAD_NAME_FAILED        0x0102204Au
#define HIAI_INVALID_SO                            0x01023036u
#define HIAI_MISS_CONFIG_FILE                      0x01023037u
#define HIAI_THREAD_NULL                           0x01023038u
#define HIAI_OUT_OF_RANGE                          0x01023039u
#define HIAI_QUEUE_NOT_FIND                        0x0102303Cu
#define HIAI_QUEUE_CREATE_FAILED                   0x0102303Du
#define HIAI_NOT_SET_SAVE_INTERFACE                0x01023040u
#define HIAI_ENGINE_RUN_ARGS_NOT_RIGHT             0x01023041u
#define HIAI_CHECK_ENGIN_DESC_ERROR                0x01023042u
#define HIAI_EXCEED_MAX_THREAD                     0x01023043u
#define HIAI_WRONG_PRIORITY                        0x01023044u
#define HIAI_JOIN_TASK_ERROR                       0x01023045u
#define HIAI_ENGINE_TIME_NOT_EQUAL                 0x01023048u
#define HIAI_ENGINE_CREATE_TASK_FAILED             0x01023049u
#define HIAI_HDC_INFO                              0x0103104Bu
#define HIAI_DEVICE_POWER_STATE                    0x010310A2u
#define HIAI_HDC_WARNING                           0x0103204Du
#define HIAI_NPU_POWER_OFF                         0x0103209Eu
#define HIAI_HDC_OK                                0x0103304Cu
#define HIAI_HDC_RECV_MSG_ERROR                    0x01033050u
#define HIAI_HDC_CLT_SEND_HEART_DETECT_ERROR       0x01033051u
#define HIAI_HDC_SRV_INIT_ERROR                    0x01033052u
#define HIAI_HDC_SRV_CREATE_ERROR                  0x01033053u
#define HIAI_HDC_SRV_DESTROY_ERROR                 0x01033054u
#define HIAI_HDC_SRV_ACCEPT_ERROR                  0x01033055u
#define HIAI_HDC_SRV_CLOSED_ERROR                  0x01033056u
#define HIAI_HDC_SRV_CLOSE_CHILD_SESSION_ERROR     0x01033057u
#define HIAI_HDC_SRV_CLOSE_SERVER_SESSION_ERROR    0x01033058u
#define HIAI_HDC_CLT_UNINIT_ERROR                  0x0103305Au
#define HIAI_HDC_CLT_INIT_ERROR                    0x0103305Bu
#define HIAI_MESSAGE_PARSE_ERROR                   0x0103305Cu
#define HIAI_HDC_SEG_SIZE_ERROR                    0x0103305Du
#define HIAI_HDC_INPUT_PARAM_ERROR                 0x0103305Eu
#define HIAI_HDC_DRV_ERROR                         0x0103305Fu
#define HIAI_HDC_GET_INSTANCE_NULL                 0x01033060u
#define HIAI_DAEMON_INFO                           0x01041070u
#define HIAI_DAEMON_ERROR                          0x01041071u
#define HIAI_BBOX_COREDUMP_FILE                    0x0104107Au
#define HIAI_BBOX_LOAD_SYMBOL_FAILED               0x0104207Bu
#define HIAI_HDC_INTERNAL_ERROR                    0x0104306Fu
#define HIAI_DAEMON_SETUP_FAILED                   0x01043072u
#define HIAI_DAEMON_CREATE_HDC_ERROR               0x01043073u
#define HIAI_DAEMON_BIND_CORE_ERROR                0x01043074u
#define HIAI_NOTIFY_DAEMON_READY_ERROR             0x01043075u
#define HIAI_BBOX_SET_COREDUMP_FILEPATH_FAILED     0x01043076u
#define HIAI_BBOX_SET_COREDUMP_FILECOUNT_FAILED    0x01043077u
#define HIAI_BBOX_REMOVE_COREDUMP_FILE_FAILED      0x01043078u
#define HIAI_BBOX_REGISTERSIGNAL_FAILED            0x01043079u
#define HIAI_PPC_WARNING                           0x01052061u
#define HIAI_PPC_DRIVER_INIT_FAIL                  0x01053062u
#define HIAI_PPC_SERVER_CLIENT_CREATE_FAIL         0x01053063u
#define HIAI_PPC_SERVER_CLIENT_DESTORY_FAIL        0x01053064u
#define HIAI_PPC_SERVER_CLOSE                      0x01053065u
#define HIAI_PPC_GET_SET_MSG_BUFFER_FAIL           0x01053066u
#define HIAI_PPC_SESSION_CONNECT_FAIL              0x01053067u
#define HIAI_PPC_SESSION_NOT_EXISTED               0x01053068u
#define HIAI_PPC_SEND_RECEIVE_MSG_FAIL             0x01053069u
#define HIAI_PPC_MSG_FREE_FAIL                     0x0105306Au
#define HIAI_PPC_ALLOC_MSG_FAIL                    0x0105306Bu
#define HIAI_PPC_MSG_LEN_NOT_MATCH                 0x0105306Cu
#define HIAI_PPC_MSG_BUF_NULL                      0x0105306Du
#define HIAI_PROFILE_INFO                          0x0106107Cu
#define HIAI_PROFILE_PRINT_PATH_INFO               0x0106107Du
#define HIAI_PROFILE_PRINT_FOLDER_ERROR            0x0106307Eu
#define HIAI_PROFILE_PRINT_FILE_ERROR              0x0106307Fu

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
    X(HIAI_DEBUG_INFO)                                                                             \
    X(HIAI_GRAPH_OK)                                                                               \
    X(HIAI_GRAPH_WARNING)                                                                          \
    X(HIAI_GRAPH_MODEL_PATH_WARNING)                                                               \
    X(HIAI_POWER_STATE_CALLBACK_REGISTER_WARNING)                                                  \
    X(HIAI_SYS_FREE_MEMORY_WARNING)                                                                \
    X(HIAI_GRAPH_GET_INSTANCE_NULL)                                                                \
    X(HIAI_GRAPH_INIT_FAILED)                                                                      \
    X(HIAI_GRAPH_ENGINE_IS_NULL)                                                                   \
    X(HIAI_GRAPH_ENGINE_START_FAILED)                                                              \
    X(HIAI_GRAPH_ENGINE_ID_SAME)                                                                   \
    X(HIAI_GRAPH_ENGINE_INIT_FAILED)                                                               \
    X(HIAI_GRAPH_ENGINE_NOT_INITIALED)                                                             \
    X(HIAI_GRAPH_CONNECT_ID_ERROR)                                                                 \
    X(HIAI_GRAPH_LOADSO_ERROR)                                                                     \
    X(HIAI_GRAPH_CREATE_ENGINE_FAILED)                                                             \
    X(HIAI_GRAPH_REMOVE_DIR_FAILED)                                                                \
    X(HIAI_GRAPH_CREATE_DIR_FAILED)                                                                \
    X(HIAI_GRAPH_CREATE_DIR_TIMEOUT)                                                               \
    X(HIAI_GRAPH_WRONG_MEMORY_END)                                                                 \
    X(HIAI_GRAPH_PA_VA_NOT_MATCH)                                                                  \
    X(HIAI_GRAPH_GET_PA_ADDR_FAILED)                                                               \
    X(HIAI_GRAPH_ALLOC_BUFFER_FAILED)                                                              \
    X(HIAI_GRAPH_FREE_HDC_BUFFER_FAILED)                                                           \
    X(HIAI_MEMORY_NOT_SUPPORT)                                                                     \
    X(HIAI_PROFILE_WRONG_FILE_PATH)                                                                \
    X(HIAI_GRAPH_GET_VERSION_ERROR)                                                                \
    X(HIAI_GRAPH_HDC_CLIENT_ERROR)                                                                 \
    X(HIAI_GRAPH_START_PPC_SERVER_ERROR)                                                           \
    X(HIAI_GRAPH_MAP_BUFFER_ERROR)                                                                 \
    X(HIAI_GRAPH_MMAP_ERROR)                                                                       \
    X(HIAI_GRAPH_UPDATE_CONFIG_FAILED)                                                             \
    X(HIAI_FILE_SIZE_TOO_LARGE)                                                                    \
    X(HIAI_FILE_INVALID_PATH)                                                                      \
    X(HIAI_FILE_INVALID_NAME)                                                                      \
    X(HIAI_INTERGER_REVERSED)                                                                      \
    X(HIAI_PROFILE_SET_FAILED)                                                                     \
    X(HIAI_REPEATED_ENGINE)                                                                        \
    X(HIAI_ENGINE_ID_NOT_EXIST)                                                                    \
    X(HIAI_GRAPH_ID_NOT_EXIST)                                                                     \
    X(HIAI_FILE_NOT_EXIST)                                                                         \
    X(HIAI_GRAPH_CREATE_FILE_FAIL)                                                                 \
    X(HIAI_GRAPH_OPEN_FILE_FAIL)                                                                   \
    X(HIAI_GRAPH_READ_FILE_FAIL)                                                                   \
    X(HIAI_GRAPH_WRTIE_FILE_FAIL)                                                                  \
    X(HIAI_GRAPH_CLOSE_FILE_FAIL)                                                                  \
    X(HIAI_POWER_STATE_CALLBACK_REGISTER_ERROR)                                                    \
    X(HIAI_POWER_STATE_CALLBACK_PROCESS_ERROR)                                                     \
    X(HIAI_POWER_STATE_DUPLICATE_CALLBACK)                                                         \
    X(HIAI_MEMORY_STATUS_ERROR)                                                                    \
    X(HIAI_TRAN_UNKNOWN_RSP)                                                                       \
    X(HIAI_TRAN_NOT_EXIST)                                                                         \
    X(HIAI_GRAPH_REMOVE_FILE_FAILED)                                                               \
    X(HIAI_MEMORY_POOL_INVALID_ADDR)                                                               \
    X(HIAI_MEMORY_POOL_RESIZE_FAILED)                                                              \
    X(HIAI_GRAPH_HDC_MEMORY_ADDR_NOT_ALIGN)                                                        \
    X(HIAI_GRAPH_SET_PUBLIC_KEY_FAILED)                                                            \
    X(HIAI_GRAPH_HARDWARE_DECRYPTION_FAILED)                                                       \
    X(HIAI_GRAPH_SIGNATURE_DECRYPTION_FAILED)                                                      \
    X(HIAI_GRAPH_READ_BIN_FAILED)                                                                  \
    X(HIAI_EXCEPTION)                                                                              \
    X(HIAI_USER_INPUT_TENSOR_SIZE_TOO_LARGE)                                                       \
    X(HIAI_GET_ENGINE_FAILED)                                                                      \
    X(HIAI_CHECK_UPDATE_CONFIG_FAILED)                                                             \
    X(HIAI_PY_NOT_INITIALNIZED)                                                                    \
    X(HIAI_PY_DATA_RECV_CALLBACK_NULL)                                                             \
    X(HIAI_PY_DATA_RECV_MESSAGE_NULL)                                                              \
    X(HIAI_PY_DATA_RECV_CALLBACK_UNCALLABLE)                                                       \
    X(HIAI_PY_DATA_RECV_CALLBACK_ERROR)                                                            \
    X(HIAI_NNTENSORLIST_TO_PYTHON_ERROR)                                                           \
    X(HIAI_NNTENSORLIST_TO_CPLUSPLUS_ERROR)                                                        \
    X(HIAI_MMAP_MAP_ITEM_NOT_EXIST)                                                                \
    X(HIAI_MMAP_MAP_ERASE_FAILED)                                                                  \
    X(HIAI_MUNMAP_FAILED)                                                                          \
    X(HIAI_MMAP_MAP_INSERT_FAILED)                                                                 \
    X(HIAI_UNPACK_AI_FILE_FAILED)                                                                  \
    X(HIAI_QUEUE_POP_FAILED)                                                                       \
    X(HIAI_WARNING_SET_THREAD_NAME_FAILED)                                                         \
    X(HIAI_INVALID_SO)                                                                             \
    X(HIAI_MISS_CONFIG_FILE)                                                                       \
    X(HIAI_THREAD_NULL)                                                                            \
    X(HIAI_OUT_OF_RANGE)                                                                           \
    X(HIAI_QUEUE_NOT_FIND)                                                                         \
    X(HIAI_QUEUE_CREATE_FAILED)                                                                    \
    X(HIAI_NOT_SET_SAVE_INTERFACE)                                                                 \
    X(HIAI_ENGINE_RUN_ARGS_NOT_RIGHT)                                                              \
    X(HIAI_CHECK_ENGIN_DESC_ERROR)                                                                 \
    X(HIAI_EXCEED_MAX_THREAD)                                                                      \
    X(HIAI_WRONG_PRIORITY)                                                                         \
    X(HIAI_JOIN_TASK_ERROR)                                                                        \
    X(HIAI_ENGINE_TIME_NOT_EQUAL)                                                                  \
    X(HIAI_ENGINE_CREATE_TASK_FAILED)                                                              \
    X(HIAI_HDC_INFO)                                                                               \
    X(HIAI_DEVICE_POWER_STATE)                                                                     \
    X(HIAI_HDC_WARNING)                                                                            \
    X(HIAI_NPU_POWER_OFF)                                                                          \
    X(HIAI_HDC_OK)                                                                                 \
    X(HIAI_HDC_RECV_MSG_ERROR)                                                                     \
    X(HIAI_HDC_CLT_SEND_HEART_DETECT_ERROR)                                                        \
    X(HIAI_HDC_SRV_INIT_ERROR)                                                                     \
    X(HIAI_HDC_SRV_CREATE_ERROR)                                                                   \
    X(HIAI_HDC_SRV_DESTROY_ERROR)                                                                  \
    X(HIAI_HDC_SRV_ACCEPT_ERROR)                                                                   \
    X(HIAI_HDC_SRV_CLOSED_ERROR)                                                                   \
    X(HIAI_HDC_SRV_CLOSE_CHILD_SESSION_ERROR)                                                      \
    X(HIAI_HDC_SRV_CLOSE_SERVER_SESSION_ERROR)                                                     \
    X(HIAI_HDC_CLT_UNINIT_ERROR)                                                                   \
    X(HIAI_HDC_CLT_INIT_ERROR)                                                                     \
    X(HIAI_MESSAGE_PARSE_ERROR)                                                                    \
    X(HIAI_HDC_SEG_SIZE_ERROR)                                                                     \
    X(HIAI_HDC_INPUT_PARAM_ERROR)                                                                  \
    X(HIAI_HDC_DRV_ERROR)                                                                          \
    X(HIAI_HDC_GET_INSTANCE_NULL)                                                                  \
    X(HIAI_DAEMON_INFO)                                                                            \
    X(HIAI_DAEMON_ERROR)                                                                           \
    X(HIAI_BBOX_COREDUMP_FILE)                                                                     \
    X(HIAI_BBOX_LOAD_SYMBOL_FAILED)                                                                \
    X(HIAI_HDC_INTERNAL_ERROR)                                                                     \
    X(HIAI_DAEMON_SETUP_FAILED)                                                                    \
    X(HIAI_DAEMON_CREATE_HDC_ERROR)                                                                \
    X(HIAI_DAEMON_BIND_CORE_ERROR)                                                                 \
    X(HIAI_NOTIFY_DAEMON_READY_ERROR)                                                              \
    X(HIAI_BBOX_SET_COREDUMP_FILEPATH_FAILED)                                                      \
    X(HIAI_BBOX_SET_COREDUMP_FILECOUNT_FAILED)                                                     \
    X(HIAI_BBOX_REMOVE_COREDUMP_FILE_FAILED)                                                       \
    X(HIAI_BBOX_REGISTERSIGNAL_FAILED)                                                             \
    X(HIAI_PPC_WARNING)                                                                            \
    X(HIAI_PPC_DRIVER_INIT_FAIL)                                                                   \
    X(HIAI_PPC_SERVER_CLIENT_CREATE_FAIL)                                                          \
    X(HIAI_PPC_SERVER_CLIENT_DESTORY_FAIL)                                                         \
    X(HIAI_PPC_SERVER_CLOSE)                                                                       \
    X(HIAI_PPC_GET_SET_MSG_BUFFER_FAIL)                                                            \
    X(HIAI_PPC_SESSION_CONNECT_FAIL)                                                               \
    X(HIAI_PPC_SESSION_NOT_EXISTED)                                                                \
    X(HIAI_PPC_SEND_RECEIVE_MSG_FAIL)                                                              \
    X(HIAI_PPC_MSG_FREE_FAIL)                                                                      \
    X(HIAI_PPC_ALLOC_MSG_FAIL)                                                                     \
    X(HIAI_PPC_MSG_LEN_NOT_MATCH)                                                                  \
    X(HIAI_PPC_MSG_BUF_NULL)                                                                       \
    X(HIAI_PROFILE_INFO)                                                                           \
    X(HIAI_PROFILE_PRINT_PATH_INFO)                                                                \
    X(HIAI_PROFILE_PRINT_FOLDER_ERROR)                                                             \
    X(HIAI_PROFILE_PRINT_FILE_ERROR)                                                               \
    X(HIAIX_WRONG_SIDE)

HIAI_EXTERN_C_BEGIN

/* Gives a status of the program a text, which is copied. The first text of a status stays.
 * INVALID_VALUE: text is NULL; MEMORY_EXHAUSTED. */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAIX_RegisterStatusText(HIAI_StatusT status, const char *text);

/* Returns the text of a status, or the name of one of the library's, or "". */
HIAI_FUNC_VISIBILITY const char *HIAIX_GetStatusText(HIAI_StatusT status);

HIAI_EXTERN_C_END

#ifdef __cplusplus
#include <string>

namespace hiai {

/* The texts of statuses. They are kept by the library, for all shared objects of a process. */
class StatusFactory {
  public:
    static StatusFactory *GetInstance() {
        static StatusFactory factory;
        return &factory;
    }

    void RegisterErrorNo(const uint32_t err, const std::string &desc) {
        (void)HIAIX_RegisterStatusText(err, desc.c_str());
    }

    std::string GetErrDesc(const uint32_t err) { return HIAIX_GetStatusText(err); }

  private:
    StatusFactory() = default;
};

namespace hiaix {

struct StatusText {
    StatusText(uint32_t status, const char *text) noexcept {
        (void)HIAIX_RegisterStatusText(status, text);
    }
    StatusText(uint32_t status, const std::string &text) noexcept
        : StatusText(status, text.c_str()) {}
};

} // namespace hiaix
} // namespace hiai

/* Defines a status NAME of the enumerator NAME_CODE, for `case` and headers, and its text. */
#define HIAI_DEF_ERROR_CODE(moduleId, logLevel, codeName, codeDesc)                                \
    constexpr HIAI_StatusT codeName = HIAIX_STATUS(moduleId, logLevel, codeName##_CODE);           \
    static const ::hiai::hiaix::StatusText hiaix_text_of_##codeName(codeName, codeDesc);

#define HIAI_GET_ERROR_STR(status) (::hiai::StatusFactory::GetInstance()->GetErrDesc(status))
#else
#define HIAI_DEF_ERROR_CODE(moduleId, logLevel, codeName, codeDesc)                                \
    static const HIAI_StatusT codeName = HIAIX_STATUS(moduleId, logLevel, codeName##_CODE);
#define HIAI_GET_ERROR_STR(status) HIAIX_GetStatusText(status)
#endif
#endif
