/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/hiaix.h - additions that a C program needs beside the C form of Matrix: error texts,
 * sends that wait, serializers and engines in C, the device process, events, statistics. None of
 * these names is the vendor's.
 *
 * Times are in ms: 0 does not wait, UINT32_MAX has no limit. Conventions as in c_graph.h.
 */
#ifndef HIAIENGINE_HIAIX_H
#define HIAIENGINE_HIAIX_H

#include <hiaiengine/c_graph.h>

HIAI_EXTERN_C_BEGIN

#define HIAIX_DEFAULT_TIMEOUT_MS 500u

/* ---- errors */

/* Returns the status of the calling thread's latest call, also why HIAI_DMalloc() returned NULL. */
HIAI_StatusT HIAIX_GetLastError(void);

/* Returns the text of the calling thread's latest failure, with the values; "" if there was none.
 * Valid until the thread's next failure. */
const char *HIAIX_GetLastErrorText(void);

/* Returns the name of a status, such as "HIAI_GRAPH_NO_MEMORY", or "unknown status". */
const char *HIAIX_StatusStr(HIAI_StatusT status);

/* ---- blocks */

/* Returns 1 if all `size` bytes (0 counts as 1) at `p` lie in one block that this process holds. */
int HIAIX_IsDMalloc(const void *p, uint32_t size);

/* Returns the size of the block that starts there, or 0 if this process holds none there. */
uint32_t HIAIX_BlockSize(const void *blockStart);

/* ---- messages */

/* An engine of a graph. */
typedef struct HIAIX_Engine HIAIX_Engine;

/*
 * Serializes a message for the other side. Writes up to *ctrlLen bytes to `ctrl`, stores their
 * number in *ctrlLen, and names in *data and *dataLen the block that is not copied. NULL or 0 names
 * none. If *ctrlLen is too small, it stores the required length in *ctrlLen and returns
 * HIAI_GRAPH_TARGET_SIZE_ENOUGH; it is then called once more. Any other status except HIAI_OK fails
 * the send.
 */
typedef HIAI_StatusT (*HIAIX_SerializeT)(const void *msg, void *ctrl, uint32_t *ctrlLen,
                                         uint8_t **data, uint32_t *dataLen, void *arg);

/*
 * Makes a message of received bytes. `ctrl` is valid during the call. `data`, unless NULL, is a
 * block that the message owns from now on: HIAI_DFree() frees it. `dataLen` is its length as sent.
 * NULL rejects the message: the function has not taken the block, which returns to its owner.
 */
typedef void *(*HIAIX_DeserializeT)(const void *ctrl, uint32_t ctrlLen, uint8_t *data,
                                    uint32_t dataLen, void *arg);

/* Destroys a deserialized message once all engines that got it have finished. It frees the block
 * unless the block was sent on. */
typedef void (*HIAIX_DestroyT)(void *msg, void *arg);

/*
 * Registers a message type by its name, of at most 63 bytes, for sends and receives of this
 * process. May be called before HIAI_Init(). ENGINE_FUNCTOR_NULL: a function other than `destroy`
 * is NULL; ENGINE_FUNCTOR_EXIST: the name is registered already, and that registration stays;
 * INVALID_VALUE: the name is NULL, empty or too long; MEMORY_EXHAUSTED. Unregister returns
 * GRAPH_SEARFUNC_IS_NULL if the name is not registered. `destroy` still destroys messages that
 * have arrived.
 */
HIAI_StatusT HIAIX_RegisterSerialize(const char *name, HIAIX_SerializeT serialize,
                                     HIAIX_DeserializeT deserialize, HIAIX_DestroyT destroy,
                                     void *arg);
HIAI_StatusT HIAIX_UnregisterSerialize(const char *name);

#define HIAIX_CONCAT_(a, b) a##b
#define HIAIX_CONCAT(a, b)  HIAIX_CONCAT_(a, b)

/* Registers before main(). Use it at file scope. `Type` documents the message type. */
#define HIAIX_REGISTER_SERIALIZE_FUNC(name, Type, serialize, deserialize, destroy)                 \
    __attribute__((constructor)) static void HIAIX_CONCAT(hiaix_register_, __LINE__)(void) {       \
        (void)sizeof(Type);                                                                        \
        (void)HIAIX_RegisterSerialize((name), (serialize), (deserialize), (destroy), NULL);        \
    }

/*
 * Lets the library manage a message, with one reference for the caller. A send to an engine of this
 * side adds a reference, which ends when the engine has finished. The last reference destroys the
 * message. Deserialized messages are managed already; a deserializer that adopts the message it
 * returns passes its reference on. INVALID_VALUE: a pointer is NULL; GRAPH_ID_EXIST: it is managed
 * already; MEMORY_EXHAUSTED. Release drops a reference; NOT_FOND_MEMORY: it is not managed.
 */
HIAI_StatusT HIAIX_Adopt(void *msg, HIAIX_DestroyT destroy, void *arg);
HIAI_StatusT HIAIX_Release(void *msg);

/* Like HIAI_C_SendData(), but waits up to `timeOut` until all that it needs is available. */
HIAI_StatusT HIAIX_SendData(HIAI_PortID_t target, const char *messageName, void *dataPtr,
                            uint32_t timeOut);

/* Sets how long HIAI_C_SendData() waits. The default, 0, does not wait. Returns HIAI_OK. */
HIAI_StatusT HIAIX_SetDefaultSendTimeout(uint32_t ms);

/*
 * Sends from an engine's output port to all of its targets, and to the function of
 * HIAI_SetDataRecvFunctor(). Engines on one side share one message. The other side gets one message
 * too, with the block. If both sides have targets, an AUTO block gets one more hold here and is
 * freed here as well. Codes as for HIAI_C_SendData(); ENGINE_NULL_POINTER: also if self is NULL;
 * SRC_PORT_NOT_EXIST: there is no such output port, or it has no target. After a failure no target
 * has the message.
 */
HIAI_StatusT HIAIX_EngineSendData(HIAIX_Engine *self, uint32_t outPort, const char *messageName,
                                  void *dataPtr, uint32_t timeOut);

/* The message that an engine gets from HIAIX_SendRaw(). */
typedef struct HIAIX_RawMessage {
    const char *name;
    const void *ctrl; /* NULL if ctrlLen is 0 */
    uint32_t ctrlLen;
    uint32_t dataLen;
    void *data; /* a block from the other side is freed with the message, unless the engine takes it
                   and sets this to NULL. Data from this side belongs to the sender */
} HIAIX_RawMessage;

/*
 * Sends without a serializer. `ctrl` is copied. `data` is NULL or the start of a block, sent as by
 * HIAI_C_SendData(). The engine gets a managed HIAIX_RawMessage. Codes as for HIAI_C_SendData();
 * INVALID_VALUE also: `data` is not a block, or ctrl is NULL and ctrlLen is not 0.
 */
HIAI_StatusT HIAIX_SendRaw(HIAI_PortID_t target, const char *messageName, const void *ctrl,
                           uint32_t ctrlLen, void *data, uint32_t dataLen, uint32_t timeOut);

/* ---- engines */

/* Processes a message at an input port. A failure that it returns is logged and counted. */
typedef HIAI_StatusT (*HIAIX_ProcessT)(HIAIX_Engine *self, uint32_t inPort, void *msg, void *arg);

/*
 * Registers an engine by the name that graph files use, with the numbers of its input and output
 * ports, at most 16 each. May be called before HIAI_Init(), and from the constructor of a shared
 * object that a graph file names. Graphs look engines up when they are created.
 * ENGINE_FUNCTOR_NULL; ENGINE_FUNCTOR_EXIST; INVALID_VALUE: the name is NULL or empty, or there are
 * too many ports; MEMORY_EXHAUSTED. Unregister returns GRAPH_ENGINE_NOT_EXIST if the name is not
 * registered; existing graphs keep the engine.
 */
HIAI_StatusT HIAIX_RegisterEngine(const char *engineName, uint32_t nIn, uint32_t nOut,
                                  HIAIX_ProcessT process, void *arg);
HIAI_StatusT HIAIX_UnregisterEngine(const char *engineName);

/* Registers before main(), or when a shared object is opened. Use it at file scope. */
#define HIAIX_REGISTER_ENGINE(name, nIn, nOut, process)                                            \
    __attribute__((constructor)) static void HIAIX_CONCAT(hiaix_engine_, __LINE__)(void) {         \
        (void)HIAIX_RegisterEngine((name), (nIn), (nOut), (process), NULL);                        \
    }

/* Returns the value of an item of the engine's ai_config. Returns NULL if there is no such item, or
 * if an argument is NULL. The graph owns the text. */
const char *HIAIX_GetConfig(const HIAIX_Engine *self, const char *name);

/* Returns the engine's graph_id and engine_id; port_id is 0. For NULL all are 0. */
HIAI_PortID_t HIAIX_GetEngineId(const HIAIX_Engine *self);

/* Return how many messages an input port can hold, and how many it holds. Return 0 if self is NULL
 * or the port does not exist. */
uint32_t HIAIX_GetQueueMaxSize(const HIAIX_Engine *self);
uint32_t HIAIX_GetQueueCurrentSize(const HIAIX_Engine *self, uint32_t inPort);

/* ---- the device process */

/*
 * Sets the program that HIAI_CreateGraph() starts for a graph with engines on the device, as
 *
 *     PROGRAM --hiaix-device SOCKET CONFIG GRAPH
 *
 * The program calls HIAIX_DeviceMain(CONFIG, GRAPH). `program` is a path, or a name to look for in
 * PATH. "/proc/self/exe" is the calling program itself. NULL, the default, is tarn-hiai-device,
 * which lies beside this library and has the engines of the shared objects that the graph file
 * names. With "none" the user starts the device process. TARN_HIAI_DEVICE_PROGRAM takes precedence.
 * MEMORY_EXHAUSTED.
 */
HIAI_StatusT HIAIX_SetDeviceProgram(const char *program);

/*
 * Returns 1 if the arguments are those of a device process. Then it stores the arguments of
 * HIAIX_DeviceMain() in *configFile and *graphId, and keeps SOCKET for that call. Otherwise, and if
 * a pointer is NULL, it returns 0.
 */
int HIAIX_IsDevice(int argc, char *const argv[], const char **configFile, uint32_t *graphId);

/*
 * Runs a device process. Connects to the host, for which it waits up to TARN_HIAI_START_TIMEOUT,
 * and runs the graph's engines of the device side. Returns when the host has destroyed the graph
 * (HIAI_OK) or is gone (HDC_SESSION_DEAD). If an engine has not ended half a second after the host
 * was gone, the process kills itself. May be called once in a process. HIAIX_WRONG_SIDE: the
 * process is the host side, has called this function before, or is both sides (RC); START_TIMEOUT:
 * no host; otherwise the codes of HIAI_CreateGraph() for an error in the graph, which is also
 * reported to the host.
 */
HIAI_StatusT HIAIX_DeviceMain(const char *configFile, uint32_t graphId);

#define HIAIX_EVENT_DISCONNECT 0

/*
 * Sets a function that is called once, from a thread of the library without any lock, when the
 * other side of a graph is gone and the graph is not being destroyed. A later call replaces it;
 * NULL removes it. GRAPH_NOT_EXIST; INVALID_VALUE: the event is unknown; HDC_SESSION_DEAD: the
 * other side is gone already, and the function will not be called.
 */
HIAI_StatusT HIAIX_RegisterEventHandle(uint32_t graphId, int event,
                                       HIAI_StatusT (*callback)(uint32_t graphId, void *arg),
                                       void *arg);

/* Sets how many ms HIAI_DestroyGraph() waits. INIT_FAIL: a setting is wrong. */
HIAI_StatusT HIAIX_SetDestroyTimeout(uint32_t ms);

/* ---- statistics */

/* Statistics of one graph, and of the pool that all graphs of a process share. */
struct HIAIX_Stats {
    size_t size;           /* of this struct, set by the caller; nothing beyond it is written */
    uint64_t poolBytes;    /* of the pool */
    uint64_t poolUsed;     /* bytes requested for live blocks */
    uint64_t poolPeak;     /* highest poolUsed */
    uint64_t poolBlocks;   /* live blocks, held here or by a peer */
    uint64_t poolWaits;    /* allocations that had to wait */
    uint64_t poolRefusals; /* allocations that found no room in time */
    uint64_t reclaimed;    /* blocks that returned because a peer was gone */
    uint64_t sends;        /* messages sent to the other side */
    uint64_t receives;     /* messages received from the other side */
    uint64_t localSends;   /* messages sent within this side */
    uint64_t copies;       /* sends to the other side whose data had to be copied */
    uint64_t inFlight;     /* blocks of this side that the other side holds */
    uint64_t sendWaits;    /* sends that had to wait */
    uint64_t sendTimeouts; /* sends that found no room in time */
    uint64_t rejected;     /* messages received that no deserializer accepted */
    uint64_t failures;     /* messages for which an engine did not return HIAI_OK */
};

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* the function has the name of the struct */
#endif
/* Stores the statistics of a graph in *out. GRAPH_NOT_EXIST; INVALID_VALUE: out is NULL, or its
 * size is below that of the first two members. */
HIAI_StatusT HIAIX_Stats(uint32_t graphId, struct HIAIX_Stats *out);
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* Checks the text of a graph file like HIAI_CreateGraph(), without creating anything. May be called
 * before HIAI_Init(). INVALID_VALUE: text is NULL; otherwise the codes of HIAI_CreateGraph(). */
HIAI_StatusT HIAIX_CheckGraphText(const char *text, size_t length);

HIAI_EXTERN_C_END
#endif
