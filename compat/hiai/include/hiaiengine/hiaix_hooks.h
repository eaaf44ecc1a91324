/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/hiaix_hooks.h - the functions of the library on which the C++ headers are built:
 * messages with an owner, message types with two paths, engines with an object, receivers with an
 * argument, graphs of a text, logs. A binding of another language may use them too. None of these
 * names is the vendor's. Conventions as in hiaix.h.
 */
#ifndef HIAIENGINE_HIAIX_HOOKS_H
#define HIAIENGINE_HIAIX_HOOKS_H

#include <hiaiengine/hiaix.h>

HIAI_EXTERN_C_BEGIN

/* ---- messages with an owner */

/*
 * How the library shares a message that somebody else manages. `copy` returns another owner of the
 * same message, or NULL if out of memory; `release` ends one. Both may be called by any thread.
 * The struct and the functions stay valid as long as the process.
 */
struct HIAIX_OwnerOps {
    uint32_t kind; /* 0, or HIAIX_OWNER_SHARED_PTR */
    void *(*copy)(void *owner);
    void (*release)(void *owner);
};

/* The owner is a std::shared_ptr<void> on the heap. */
#define HIAIX_OWNER_SHARED_PTR 1u

/* A message and one share in it. Without `ops` the message is not managed. */
struct HIAIX_Message {
    void *msg;
    void *owner;
    const struct HIAIX_OwnerOps *ops;
};

/* Like HIAIX_SendData() and HIAIX_EngineSendData(). Each engine of this side gets a copy of the
 * owner; the caller keeps its own. INVALID_VALUE also: message is NULL. */
HIAI_StatusT HIAIX_SendMessage(HIAI_PortID_t target, const char *messageName,
                               const struct HIAIX_Message *message, uint32_t timeOut);
HIAI_StatusT HIAIX_EngineSendMessage(HIAIX_Engine *self, uint32_t outPort, const char *messageName,
                                     const struct HIAIX_Message *message, uint32_t timeOut);

/* ---- message types with two paths */

/* A name may have one type of each path. A send takes FAST if it exists, otherwise COMMON, and the
 * receiver uses its own type of that path. HIAIX_RegisterSerialize() registers FAST. */
enum HIAIX_Path { HIAIX_PATH_FAST = 0, HIAIX_PATH_COMMON = 1 };

/*
 * A serialized message. FAST: up to 16 MiB of control bytes, and a block that is not copied (NULL:
 * none). COMMON: control bytes only, up to 256 MiB; above 16 MiB they travel in a block of the pool,
 * which counts as a copy.
 */
struct HIAIX_Bytes {
    const void *ctrl;
    size_t ctrlLen;
    void *data;
    uint32_t dataLen;
    void *keep; /* for `release` */
};

/*
 * `write` serializes a message; the bytes stay valid until `release`, which gets `keep` and is not
 * called after a failure. `read` makes a message with one owner; `ctrl` is valid during the call,
 * and `data` belongs to the message if the call succeeds. A status other than HIAI_OK of `write`
 * fails the send, one of `read` rejects the message.
 */
struct HIAIX_MessageType {
    HIAI_StatusT (*write)(const void *msg, struct HIAIX_Bytes *out, void *arg);
    void (*release)(void *keep);
    HIAI_StatusT (*read)(const struct HIAIX_Bytes *in, struct HIAIX_Message *out, void *arg);
    void *arg;
};

/* Codes as for HIAIX_RegisterSerialize(). The struct is copied. INVALID_VALUE also: unknown path, or
 * type is NULL. Unregister returns GRAPH_SEARFUNC_IS_NULL if there is no such type. */
HIAI_StatusT HIAIX_RegisterMessageType(const char *name, enum HIAIX_Path path,
                                       const struct HIAIX_MessageType *type);
HIAI_StatusT HIAIX_UnregisterMessageType(const char *name, enum HIAIX_Path path);

/* ---- receivers */

/* Gets a message that an engine sent to an output port. To keep the message, copy its owner. */
typedef HIAI_StatusT (*HIAIX_ReceiveT)(const struct HIAIX_Message *message, void *arg);

/*
 * Like HIAI_SetDataRecvFunctor(), with an argument. `drop`, unless NULL, gets the argument when the
 * graph is freed, also if another call has replaced the receiver before. After a failure the
 * argument is still the caller's. MEMORY_EXHAUSTED.
 */
HIAI_StatusT HIAIX_SetReceiver(HIAI_PortID_t port, HIAIX_ReceiveT receive, void *arg,
                               void (*drop)(void *arg));

/* Like HIAIX_RegisterEventHandle(). `drop`, unless NULL, gets the argument when the graph is freed.
 * After a failure the argument is still the caller's. MEMORY_EXHAUSTED. */
HIAI_StatusT HIAIX_SetEventHandler(uint32_t graphId, int event,
                                   HIAI_StatusT (*callback)(uint32_t graphId, void *arg), void *arg,
                                   void (*drop)(void *arg));

/* ---- engines with an object */

/*
 * An engine whose graphs make an object for each of its entries. `create` makes it, says its ports
 * by HIAIX_SetPorts(), and returns it. After all engines of a side were created, `init` (may be
 * NULL) is called in the order of the file, on one thread. `process` gets each message; it may take
 * the owner and set it to NULL. `update` (may be NULL) gets the text of a new ai_config. `destroy`
 * is called once, when no other call runs or will come, in reverse order; the object may send until
 * it returns.
 */
struct HIAIX_EngineClass {
    uint32_t kind; /* for HIAIX_GetObject() */
    HIAI_StatusT (*create)(HIAIX_Engine *self, void **object, void *arg);
    HIAI_StatusT (*init)(HIAIX_Engine *self, void *object);
    HIAI_StatusT (*process)(HIAIX_Engine *self, uint32_t inPort, struct HIAIX_Message *message,
                            void *object);
    HIAI_StatusT (*update)(HIAIX_Engine *self, const char *config, size_t length, void *object);
    void (*destroy)(void *object);
    void *arg;
};

/* The object is a hiai::Engine. */
#define HIAIX_ENGINE_CPLUSPLUS 1u

/* Like HIAIX_RegisterEngine(). The struct is copied. INVALID_VALUE also: it is NULL. */
HIAI_StatusT HIAIX_RegisterEngineClass(const char *engineName,
                                       const struct HIAIX_EngineClass *engineClass);

/* Says how many input and output ports an engine has, within `create` only. INVALID_VALUE: more than
 * 16; ENGINE_NULL_POINTER: self is NULL. */
HIAI_StatusT HIAIX_SetPorts(HIAIX_Engine *self, uint32_t nIn, uint32_t nOut);

/* Return the engine's engine_name, and the text of its entry in the graph file, between the braces.
 * The graph owns both. NULL if self is NULL. */
const char *HIAIX_GetEngineName(const HIAIX_Engine *self);
const char *HIAIX_GetEngineText(const HIAIX_Engine *self);

/* Returns the object of an engine of this process, which lives as long as the graph, or NULL if
 * there is no such engine or its class has another kind. */
void *HIAIX_GetObject(uint32_t graphId, uint32_t engineId, uint32_t kind);

/*
 * Calls `update` of an engine with a text: in the calling thread if the engine runs in this process,
 * otherwise in the device process, and with `sync` it returns when that call has returned.
 * GRAPH_NOT_EXIST; ENGINE_ID_NOT_EXIST; GRAPH_UPDATE_CONFIG_FAILED: `update` failed, or the engine
 * has none; INVALID_VALUE: config is NULL; DATA_SIZE_WRONG: more than 15 MiB; MEMORY_EXHAUSTED;
 * HDC_SESSION_DEAD, QUEUE_STOPPED: the device is gone, or the graph is being destroyed.
 */
HIAI_StatusT HIAIX_UpdateEngine(uint32_t graphId, uint32_t engineId, const char *config,
                                size_t length, int sync);

/* ---- graphs of a text */

/* Like HIAI_CreateGraph(), with the text of a file. A relative so_name is looked for in the working
 * directory. INVALID_VALUE: text is NULL. */
HIAI_StatusT HIAIX_CreateGraphText(const char *text, size_t length);

/* Stores the device of a graph in *deviceId. GRAPH_NOT_EXIST; INVALID_VALUE: NULL. */
HIAI_StatusT HIAIX_GetDeviceId(uint32_t graphId, uint32_t *deviceId);

/* ---- logs */

/* Returns 1 if TARN_HIAI_LOG shows records of that level: error from WARNING on, info from INFO on,
 * debug all. */
int HIAIX_LogEnabled(uint32_t level);

/* Where a record comes from. Without an engine or graph the ids are NULL. */
struct HIAIX_LogPlace {
    const char *function;
    const char *file;
    int line;
    const uint32_t *graphId;
    const uint32_t *engineId;
};

/* Writes a record to standard error in one piece, if its level is shown. The text is cut after 8192
 * bytes, and a newline at its end is dropped. */
void HIAIX_LogWrite(uint32_t level, const struct HIAIX_LogPlace *place, const char *text);

/* Records a text for HIAIX_GetLastErrorText(), and in the log, at ERROR, once in a process. */
void HIAIX_LogUnsupported(const struct HIAIX_LogPlace *place, const char *text);

HIAI_EXTERN_C_END
#endif
