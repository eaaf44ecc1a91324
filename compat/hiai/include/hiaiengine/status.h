/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/status.h - status codes, with the numbers of the 1.3x releases of Matrix.
 *
 * A status is (module << 16) | (level << 12) | code. HIAI_OK is 0x01011000, not 0: compare with
 * it. The codes are constants: they can stand in `case`, and not in `#if`.
 */
#ifndef HIAIENGINE_STATUS_H
#define HIAIENGINE_STATUS_H

#include <stddef.h>
#include <stdint.h>

/* Begin and end declarations of functions of C that the library exports. */
#ifdef __cplusplus
#define HIAI_EXTERN_C_BEGIN _Pragma("GCC visibility push(default)") extern "C" {
#define HIAI_EXTERN_C_END                                                                          \
    }                                                                                              \
    _Pragma("GCC visibility pop")
#else
#define HIAI_EXTERN_C_BEGIN _Pragma("GCC visibility push(default)")
#define HIAI_EXTERN_C_END   _Pragma("GCC visibility pop")
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

/* X(name, number) for each status. */
#define HIAIX_STATUS_LIST(X)                                                                       \
    /* ---- graphs and memory */                                                                   \
    X(HIAI_OK, 0x01011000u)                                                                        \
    X(HIAI_GRAPH_ID_EXIST, 0x01013006u)                                                            \
    X(HIAI_GRAPH_SENDMSG_FAILED, 0x01013007u)                                                      \
    X(HIAI_GRAPH_NOT_EXIST, 0x01013008u)                                                           \
    X(HIAI_GRAPH_SEARFUNC_IS_NULL, 0x01013009u)                                                    \
    X(HIAI_GRAPH_ENGINE_NOT_EXIST, 0x0101300Au)                                                    \
    X(HIAI_GRAPH_START_TIMEOUT, 0x0101300Bu)                                                       \
    X(HIAI_GRAPH_DESTROY_TIMEOUT, 0x0101300Cu)                                                     \
    X(HIAI_GRAPH_ENGINE_DESTROY_FAILED, 0x0101300Du)                                               \
    X(HIAI_GRAPH_SRC_PORT_NOT_EXIST, 0x01012016u)                                                  \
    X(HIAI_GRAPH_DATA_RECV_FUNCTOR_IS_NULL, 0x01013018u)                                           \
    X(HIAI_GRAPH_CONVCFUNC_IS_NULL, 0x01013019u)                                                   \
    X(HIAI_GRAPH_PROTO_FILE_PARSE_FAILED, 0x0101301Au)                                             \
    X(HIAI_GRAPH_NOT_FOND_MEMORY, 0x0101301Eu) /* spelled as in the vendor's headers */            \
    X(HIAI_GRAPH_WRONG_MEMORY_TYPE, 0x01013020u)                                                   \
    X(HIAI_GRAPH_NO_USEFUL_MEMORY, 0x01013021u)                                                    \
    X(HIAI_GRAPH_RELEASE_WRONG_ADDR, 0x01013023u)                                                  \
    X(HIAI_GRAPH_INVALID_VALUE, 0x01013024u)                                                       \
    X(HIAI_GRAPH_NO_MEMORY, 0x01013028u)                                                           \
    X(HIAI_GRAPH_MEMORY_POOL_INITED, 0x01013029u)                                                  \
    X(HIAI_GRAPH_MEMORY_POOL_NOT_EXISTED, 0x0101302Au)                                             \
    X(HIAI_GRAPH_TARGET_SIZE_ENOUGH, 0x0101302Cu) /* means: the target is NOT large enough */      \
    X(HIAI_GRAPH_MALLOC_SMALLER, 0x0101302Du)                                                      \
    X(HIAI_GRAPH_MALLOC_LARGER, 0x0101302Eu)                                                       \
    X(HIAI_GRAPH_DATA_SIZE_WRONG, 0x0101302Fu)                                                     \
    X(HIAI_MEMORY_POOL_UPDATE_FAILED, 0x01013030u)                                                 \
    X(HIAI_GRAPH_GET_DEVNUM_ERROR, 0x01013081u)                                                    \
    X(HIAI_GRAPH_GET_GRAPHID_ERROR, 0x01013082u)                                                   \
    X(HIAI_GRAPH_GET_DEVID_ERROR, 0x01013083u)                                                     \
    X(HIAI_GRAPH_GET_PCIEINFO_ERROR, 0x01013084u)                                                  \
    X(HIAI_MEMORY_EXHAUSTED, 0x0101308Du)                                                          \
    X(HIAI_GRAPH_MESSAGE_NULL, 0x0101308Fu)                                                        \
    X(HIAI_REPEATED_GRAPH, 0x01013091u)                                                            \
    X(HIAI_PORT_ID_NOT_EXIST, 0x01013093u)                                                         \
    X(HIAI_ALREADY_USED_IN_ANOTHER_PROCESS, 0x0101309Cu)                                           \
    X(HIAI_TRAN_TIMEOUT, 0x010130A5u)                                                              \
    X(HIAI_GRAPH_MEMORY_POOL_INIT_FAILED, 0x010130AAu)                                             \
    X(HIAI_GRAPH_MEMORY_POOL_STOPPED, 0x010110ACu)                                                 \
    X(HIAI_DFREE_FAILED, 0x010130BBu)                                                              \
    X(HIAI_BUFFER_SIZE_OVER_DMALLOC_SIZE, 0x010130BCu)                                             \
    /* ---- engines */                                                                             \
    X(HIAI_QUEUE_STOPPED, 0x01021032u)                                                             \
    X(HIAI_QUEUE_PUSH_FAILED, 0x01021034u)                                                         \
    X(HIAI_ENGINE_WAIT_TIMEOUT, 0x01021035u)                                                       \
    X(HIAI_ENGINE_NULL_POINTER, 0x0102303Au)                                                       \
    X(HIAI_PORT_ID_ERROR, 0x0102303Bu)                                                             \
    X(HIAI_QUEUE_FULL, 0x0102303Eu)                                                                \
    X(HIAI_QUEUE_EMPTY, 0x0102303Fu)                                                               \
    X(HIAI_ENGINE_FUNCTOR_NULL, 0x01023046u)                                                       \
    X(HIAI_ENGINE_FUNCTOR_EXIST, 0x01022047u)                                                      \
    /* ---- the connection of host and device */                                                   \
    X(HIAI_HDC_SEND_MSG_ERROR, 0x0103304Eu)                                                        \
    X(HIAI_HDC_SEND_ERROR, 0x0103304Fu)                                                            \
    X(HIAI_HDC_SRV_HEART_BEAT_TIMEOUT, 0x01033059u)                                                \
    X(HIAI_HDC_SESSION_DEAD, 0x0103309Du)                                                          \
    /* ---- others */                                                                              \
    X(HIAI_INIT_FAIL, 0x0104306Eu)                                                                 \
    /* ---- codes that programs name; this library returns few of them */                          \
    X(HIAI_DEBUG_INFO, 0x01010001u)                                                                \
    X(HIAI_GRAPH_OK, 0x01011003u)                                                                  \
    X(HIAI_GRAPH_WARNING, 0x01012002u)                                                             \
    X(HIAI_GRAPH_MODEL_PATH_WARNING, 0x01012015u)                                                  \
    X(HIAI_POWER_STATE_CALLBACK_REGISTER_WARNING, 0x010120B5u)                                     \
    X(HIAI_SYS_FREE_MEMORY_WARNING, 0x010120BDu)                                                   \
    X(HIAI_GRAPH_GET_INSTANCE_NULL, 0x01013004u)                                                   \
    X(HIAI_GRAPH_INIT_FAILED, 0x01013005u)                                                         \
    X(HIAI_GRAPH_ENGINE_IS_NULL, 0x0101300Eu)                                                      \
    X(HIAI_GRAPH_ENGINE_START_FAILED, 0x0101300Fu)                                                 \
    X(HIAI_GRAPH_ENGINE_ID_SAME, 0x01013010u)                                                      \
    X(HIAI_GRAPH_ENGINE_INIT_FAILED, 0x01013011u)                                                  \
    X(HIAI_GRAPH_ENGINE_NOT_INITIALED, 0x01013012u)                                                \
    X(HIAI_GRAPH_CONNECT_ID_ERROR, 0x01013013u)                                                    \
    X(HIAI_GRAPH_LOADSO_ERROR, 0x01013014u)                                                        \
    X(HIAI_GRAPH_CREATE_ENGINE_FAILED, 0x01013017u)                                                \
    X(HIAI_GRAPH_REMOVE_DIR_FAILED, 0x0101301Bu)                                                   \
    X(HIAI_GRAPH_CREATE_DIR_FAILED, 0x0101301Cu)                                                   \
    X(HIAI_GRAPH_CREATE_DIR_TIMEOUT, 0x0101301Du)                                                  \
    X(HIAI_GRAPH_WRONG_MEMORY_END, 0x0101301Fu)                                                    \
    X(HIAI_GRAPH_PA_VA_NOT_MATCH, 0x01013022u)                                                     \
    X(HIAI_GRAPH_GET_PA_ADDR_FAILED, 0x01013025u)                                                  \
    X(HIAI_GRAPH_ALLOC_BUFFER_FAILED, 0x01013026u)                                                 \
    X(HIAI_GRAPH_FREE_HDC_BUFFER_FAILED, 0x01013027u)                                              \
    X(HIAI_MEMORY_NOT_SUPPORT, 0x0101302Bu)                                                        \
    X(HIAI_PROFILE_WRONG_FILE_PATH, 0x01013031u)                                                   \
    X(HIAI_GRAPH_GET_VERSION_ERROR, 0x01013080u)                                                   \
    X(HIAI_GRAPH_HDC_CLIENT_ERROR, 0x01013085u)                                                    \
    X(HIAI_GRAPH_START_PPC_SERVER_ERROR, 0x01013086u)                                              \
    X(HIAI_GRAPH_MAP_BUFFER_ERROR, 0x01013087u)                                                    \
    X(HIAI_GRAPH_MMAP_ERROR, 0x01013088u)                                                          \
    X(HIAI_GRAPH_UPDATE_CONFIG_FAILED, 0x01013089u)                                                \
    X(HIAI_FILE_SIZE_TOO_LARGE, 0x0101308Au)                                                       \
    X(HIAI_FILE_INVALID_PATH, 0x0101308Bu)                                                         \
    X(HIAI_FILE_INVALID_NAME, 0x0101308Cu)                                                         \
    X(HIAI_INTERGER_REVERSED, 0x0101308Eu)                                                         \
    X(HIAI_PROFILE_SET_FAILED, 0x01013090u)                                                        \
    X(HIAI_REPEATED_ENGINE, 0x01013092u)                                                           \
    X(HIAI_ENGINE_ID_NOT_EXIST, 0x01013094u)                                                       \
    X(HIAI_GRAPH_ID_NOT_EXIST, 0x01013095u)                                                        \
    X(HIAI_FILE_NOT_EXIST, 0x01013096u)                                                            \
    X(HIAI_GRAPH_CREATE_FILE_FAIL, 0x01013097u)                                                    \
    X(HIAI_GRAPH_OPEN_FILE_FAIL, 0x01013098u)                                                      \
    X(HIAI_GRAPH_READ_FILE_FAIL, 0x01013099u)                                                      \
    X(HIAI_GRAPH_WRTIE_FILE_FAIL, 0x0101309Au)                                                     \
    X(HIAI_GRAPH_CLOSE_FILE_FAIL, 0x0101309Bu)                                                     \
    X(HIAI_POWER_STATE_CALLBACK_REGISTER_ERROR, 0x0101309Fu)                                       \
    X(HIAI_POWER_STATE_CALLBACK_PROCESS_ERROR, 0x010130A0u)                                        \
    X(HIAI_POWER_STATE_DUPLICATE_CALLBACK, 0x010130A1u)                                            \
    X(HIAI_MEMORY_STATUS_ERROR, 0x010130A3u)                                                       \
    X(HIAI_TRAN_UNKNOWN_RSP, 0x010130A4u)                                                          \
    X(HIAI_TRAN_NOT_EXIST, 0x010130A6u)                                                            \
    X(HIAI_GRAPH_REMOVE_FILE_FAILED, 0x010130A7u)                                                  \
    X(HIAI_MEMORY_POOL_INVALID_ADDR, 0x010130A8u)                                                  \
    X(HIAI_MEMORY_POOL_RESIZE_FAILED, 0x010130A9u)                                                 \
    X(HIAI_GRAPH_HDC_MEMORY_ADDR_NOT_ALIGN, 0x010130ABu)                                           \
    X(HIAI_GRAPH_SET_PUBLIC_KEY_FAILED, 0x010130ADu)                                               \
    X(HIAI_GRAPH_HARDWARE_DECRYPTION_FAILED, 0x010130AEu)                                          \
    X(HIAI_GRAPH_SIGNATURE_DECRYPTION_FAILED, 0x010130AFu)                                         \
    X(HIAI_GRAPH_READ_BIN_FAILED, 0x010130B0u)                                                     \
    X(HIAI_EXCEPTION, 0x010130B1u)                                                                 \
    X(HIAI_USER_INPUT_TENSOR_SIZE_TOO_LARGE, 0x010130B2u)                                          \
    X(HIAI_GET_ENGINE_FAILED, 0x010130B3u)                                                         \
    X(HIAI_CHECK_UPDATE_CONFIG_FAILED, 0x010130B4u)                                                \
    X(HIAI_PY_NOT_INITIALNIZED, 0x010130B6u)                                                       \
    X(HIAI_PY_DATA_RECV_CALLBACK_NULL, 0x010130B7u)                                                \
    X(HIAI_PY_DATA_RECV_MESSAGE_NULL, 0x010130B8u)                                                 \
    X(HIAI_PY_DATA_RECV_CALLBACK_UNCALLABLE, 0x010130B9u)                                          \
    X(HIAI_PY_DATA_RECV_CALLBACK_ERROR, 0x010130BAu)                                               \
    X(HIAI_NNTENSORLIST_TO_PYTHON_ERROR, 0x010130BEu)                                              \
    X(HIAI_NNTENSORLIST_TO_CPLUSPLUS_ERROR, 0x010130BFu)                                           \
    X(HIAI_MMAP_MAP_ITEM_NOT_EXIST, 0x010130C0u)                                                   \
    X(HIAI_MMAP_MAP_ERASE_FAILED, 0x010130C1u)                                                     \
    X(HIAI_MUNMAP_FAILED, 0x010130C2u)                                                             \
    X(HIAI_MMAP_MAP_INSERT_FAILED, 0x010130C3u)                                                    \
    X(HIAI_UNPACK_AI_FILE_FAILED, 0x010130C4u)                                                     \
    X(HIAI_QUEUE_POP_FAILED, 0x01021033u)                                                          \
    X(HIAI_WARNING_SET_THREAD_NAME_FAILED, 0x0102204Au)                                            \
    X(HIAI_INVALID_SO, 0x01023036u)                                                                \
    X(HIAI_MISS_CONFIG_FILE, 0x01023037u)                                                          \
    X(HIAI_THREAD_NULL, 0x01023038u)                                                               \
    X(HIAI_OUT_OF_RANGE, 0x01023039u)                                                              \
    X(HIAI_QUEUE_NOT_FIND, 0x0102303Cu)                                                            \
    X(HIAI_QUEUE_CREATE_FAILED, 0x0102303Du)                                                       \
    X(HIAI_NOT_SET_SAVE_INTERFACE, 0x01023040u)                                                    \
    X(HIAI_ENGINE_RUN_ARGS_NOT_RIGHT, 0x01023041u)                                                 \
    X(HIAI_CHECK_ENGIN_DESC_ERROR, 0x01023042u)                                                    \
    X(HIAI_EXCEED_MAX_THREAD, 0x01023043u)                                                         \
    X(HIAI_WRONG_PRIORITY, 0x01023044u)                                                            \
    X(HIAI_JOIN_TASK_ERROR, 0x01023045u)                                                           \
    X(HIAI_ENGINE_TIME_NOT_EQUAL, 0x01023048u)                                                     \
    X(HIAI_ENGINE_CREATE_TASK_FAILED, 0x01023049u)                                                 \
    X(HIAI_HDC_INFO, 0x0103104Bu)                                                                  \
    X(HIAI_DEVICE_POWER_STATE, 0x010310A2u)                                                        \
    X(HIAI_HDC_WARNING, 0x0103204Du)                                                               \
    X(HIAI_NPU_POWER_OFF, 0x0103209Eu)                                                             \
    X(HIAI_HDC_OK, 0x0103304Cu)                                                                    \
    X(HIAI_HDC_RECV_MSG_ERROR, 0x01033050u)                                                        \
    X(HIAI_HDC_CLT_SEND_HEART_DETECT_ERROR, 0x01033051u)                                           \
    X(HIAI_HDC_SRV_INIT_ERROR, 0x01033052u)                                                        \
    X(HIAI_HDC_SRV_CREATE_ERROR, 0x01033053u)                                                      \
    X(HIAI_HDC_SRV_DESTROY_ERROR, 0x01033054u)                                                     \
    X(HIAI_HDC_SRV_ACCEPT_ERROR, 0x01033055u)                                                      \
    X(HIAI_HDC_SRV_CLOSED_ERROR, 0x01033056u)                                                      \
    X(HIAI_HDC_SRV_CLOSE_CHILD_SESSION_ERROR, 0x01033057u)                                         \
    X(HIAI_HDC_SRV_CLOSE_SERVER_SESSION_ERROR, 0x01033058u)                                        \
    X(HIAI_HDC_CLT_UNINIT_ERROR, 0x0103305Au)                                                      \
    X(HIAI_HDC_CLT_INIT_ERROR, 0x0103305Bu)                                                        \
    X(HIAI_MESSAGE_PARSE_ERROR, 0x0103305Cu)                                                       \
    X(HIAI_HDC_SEG_SIZE_ERROR, 0x0103305Du)                                                        \
    X(HIAI_HDC_INPUT_PARAM_ERROR, 0x0103305Eu)                                                     \
    X(HIAI_HDC_DRV_ERROR, 0x0103305Fu)                                                             \
    X(HIAI_HDC_GET_INSTANCE_NULL, 0x01033060u)                                                     \
    X(HIAI_DAEMON_INFO, 0x01041070u)                                                               \
    X(HIAI_DAEMON_ERROR, 0x01041071u)                                                              \
    X(HIAI_BBOX_COREDUMP_FILE, 0x0104107Au)                                                        \
    X(HIAI_BBOX_LOAD_SYMBOL_FAILED, 0x0104207Bu)                                                   \
    X(HIAI_HDC_INTERNAL_ERROR, 0x0104306Fu)                                                        \
    X(HIAI_DAEMON_SETUP_FAILED, 0x01043072u)                                                       \
    X(HIAI_DAEMON_CREATE_HDC_ERROR, 0x01043073u)                                                   \
    X(HIAI_DAEMON_BIND_CORE_ERROR, 0x01043074u)                                                    \
    X(HIAI_NOTIFY_DAEMON_READY_ERROR, 0x01043075u)                                                 \
    X(HIAI_BBOX_SET_COREDUMP_FILEPATH_FAILED, 0x01043076u)                                         \
    X(HIAI_BBOX_SET_COREDUMP_FILECOUNT_FAILED, 0x01043077u)                                        \
    X(HIAI_BBOX_REMOVE_COREDUMP_FILE_FAILED, 0x01043078u)                                          \
    X(HIAI_BBOX_REGISTERSIGNAL_FAILED, 0x01043079u)                                                \
    X(HIAI_PPC_WARNING, 0x01052061u)                                                               \
    X(HIAI_PPC_DRIVER_INIT_FAIL, 0x01053062u)                                                      \
    X(HIAI_PPC_SERVER_CLIENT_CREATE_FAIL, 0x01053063u)                                             \
    X(HIAI_PPC_SERVER_CLIENT_DESTORY_FAIL, 0x01053064u)                                            \
    X(HIAI_PPC_SERVER_CLOSE, 0x01053065u)                                                          \
    X(HIAI_PPC_GET_SET_MSG_BUFFER_FAIL, 0x01053066u)                                               \
    X(HIAI_PPC_SESSION_CONNECT_FAIL, 0x01053067u)                                                  \
    X(HIAI_PPC_SESSION_NOT_EXISTED, 0x01053068u)                                                   \
    X(HIAI_PPC_SEND_RECEIVE_MSG_FAIL, 0x01053069u)                                                 \
    X(HIAI_PPC_MSG_FREE_FAIL, 0x0105306Au)                                                         \
    X(HIAI_PPC_ALLOC_MSG_FAIL, 0x0105306Bu)                                                        \
    X(HIAI_PPC_MSG_LEN_NOT_MATCH, 0x0105306Cu)                                                     \
    X(HIAI_PPC_MSG_BUF_NULL, 0x0105306Du)                                                          \
    X(HIAI_PROFILE_INFO, 0x0106107Cu)                                                              \
    X(HIAI_PROFILE_PRINT_PATH_INFO, 0x0106107Du)                                                   \
    X(HIAI_PROFILE_PRINT_FOLDER_ERROR, 0x0106307Eu)                                                \
    X(HIAI_PROFILE_PRINT_FILE_ERROR, 0x0106307Fu)                                                  \
    /* ---- of this implementation */                                                              \
    /* The function exists on the other side only. */                                              \
    X(HIAIX_WRONG_SIDE, 0x01F03001u)

#ifdef __cplusplus
#define HIAIX_DEFINE_STATUS(name, number) constexpr HIAI_StatusT name = number;
HIAIX_STATUS_LIST(HIAIX_DEFINE_STATUS)
#else
#define HIAIX_DEFINE_STATUS(name, number) name = number,
enum HIAIX_Status { HIAIX_STATUS_LIST(HIAIX_DEFINE_STATUS) };
#endif
#undef HIAIX_DEFINE_STATUS

/* The number of each status within its module and level: HIAI_GRAPH_ID_EXIST_CODE is 6. */
#define HIAIX_DEFINE_CODE(name, number) name##_CODE = (number)&0xFFF,
enum HIAIX_StatusCode { HIAIX_STATUS_LIST(HIAIX_DEFINE_CODE) };
#undef HIAIX_DEFINE_CODE

/* Two names that the vendor uses for a status above. */
#define HIAI_GRAPH_NOT_FIND_MEMORY                      HIAI_GRAPH_NOT_FOND_MEMORY
#define HIAI_GRAPH_ALREADY_USED_IN_ANOTHER_PROCESS      HIAI_ALREADY_USED_IN_ANOTHER_PROCESS
#define HIAI_GRAPH_NOT_FIND_MEMORY_CODE                 HIAI_GRAPH_NOT_FOND_MEMORY_CODE
#define HIAI_GRAPH_ALREADY_USED_IN_ANOTHER_PROCESS_CODE HIAI_ALREADY_USED_IN_ANOTHER_PROCESS_CODE

HIAI_EXTERN_C_BEGIN

/* Gives a status of the program a text, which is copied. The first text of a status stays.
 * INVALID_VALUE: text is NULL; MEMORY_EXHAUSTED. */
HIAI_StatusT HIAIX_RegisterStatusText(HIAI_StatusT status, const char *text);

/* Returns the text of a status, or the name of one of the library's, or "". */
const char *HIAIX_GetStatusText(HIAI_StatusT status);

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
