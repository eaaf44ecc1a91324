/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/hiaix.h - what the C form of Matrix lacks and a C program needs: errors with a text,
 * sends that wait, serializers and engines in C, the device process, events, statistics. Nothing of
 * it is the vendor's.
 *
 * Times are in ms; 0 does not wait, UINT32_MAX has no limit. Conventions as in c_graph.h.
 */
#ifndef HIAIENGINE_HIAIX_H
#define HIAIENGINE_HIAIX_H

#include <hiaiengine/c_graph.h>

HIAI_EXTERN_C_BEGIN

#define HIAIX_DEFAULT_TIMEOUT_MS 500u

/* ---- errors */

/* The status of the calling thread's latest call: why HIAI_DMalloc() returned NULL. */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAIX_GetLastError(void);

/* What was wrong at the calling thread's latest failure, with the values; "": there was none. Good
 * until the thread's next failure. */
HIAI_FUNC_VISIBILITY const char *HIAIX_GetLastErrorText(void);

/* The name of a status, "HIAI_GRAPH_NO_MEMORY"; "unknown status" for others. Static. */
HIAI_FUNC_VISIBILITY const char *HIAIX_StatusStr(HIAI_StatusT status);

/* ---- blocks */

/* 1: all `size` bytes (0 as 1) at `p` lie in one block that this process holds. */
HIAI_FUNC_VISIBILITY int HIAIX_IsDMalloc(const void *p, uint32_t size);

/* The bytes of the block that starts there, of which this process has a hold; 0: none does. */
HIAI_FUNC_VISIBILITY uint32_t HIAIX_BlockSize(const void *blockStart);

/* ---- messages */

/* A thread of an engine's graph works on it. */
typedef struct HIAIX_Engine HIAIX_Engine;

/*
 * Reads a message before it goes to the other side. Writes up to *ctrlLen bytes to `ctrl`, says in
 * *ctrlLen how many, and names in *data and *dataLen the bytes that are not to be copied (NULL, or
 * 0: none). If *ctrlLen is too little it sets *ctrlLen to what it needs and returns
 * HIAI_GRAPH_TARGET_SIZE_ENOUGH; it is called once more then. Any other status but HIAI_OK fails
 * the send.
 */
typedef HIAI_StatusT (*HIAIX_SerializeT)(const void *msg, void *ctrl, uint32_t *ctrlLen,
                                         uint8_t **data, uint32_t *dataLen, void *arg);

/*
 * Makes a message of what arrived. `ctrl` is good during the call; `data`, when not NULL, is a
 * block that it takes over, to be freed by HIAI_DFree(). `dataLen` is what the sender named. NULL:
 * it rejects the message and has taken over nothing; the block goes back.
 */
typedef void *(*HIAIX_DeserializeT)(const void *ctrl, uint32_t ctrlLen, uint8_t *data,
                                    uint32_t dataLen, void *arg);

/* Destroys what a deserializer made, once all engines that got it are done with it; frees its block
 * unless that was moved on. */
typedef void (*HIAIX_DestroyT)(void *msg, void *arg);

/*
 * Registers a kind of message by its name, of at most 63 bytes, for sends and receives of this
 * process. Works before HIAI_Init(). ENGINE_FUNCTOR_NULL: a function is NULL (only `destroy` may
 * be: nothing to destroy); ENGINE_FUNCTOR_EXIST: registered already, and the first stays;
 * INVALID_VALUE: name NULL, empty or too long; MEMORY_EXHAUSTED. Unregister:
 * GRAPH_SEARFUNC_IS_NULL: it is not registered; messages that arrived are still destroyed by the
 * function.
 */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAIX_RegisterSerialize(const char *name,
                                                          HIAIX_SerializeT serialize,
                                                          HIAIX_DeserializeT deserialize,
                                                          HIAIX_DestroyT destroy, void *arg);
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAIX_UnregisterSerialize(const char *name);

#define HIAIX_CONCAT_(a, b) a##b
#define HIAIX_CONCAT(a, b)  HIAIX_CONCAT_(a, b)

/* Registers before main(), at file scope. `Type` is for the reader. */
#define HIAIX_REGISTER_SERIALIZE_FUNC(name, Type, serialize, deserialize, destroy)                 \
    __attribute__((constructor)) static void HIAIX_CONCAT(hiaix_register_, __LINE__)(void) {       \
        (void)sizeof(Type);                                                                        \
        (void)HIAIX_RegisterSerialize((name), (serialize), (deserialize), (destroy), NULL);        \
    }

/*
 * Puts a message in the library's care, with one reference, the caller's. A send to an engine of
 * this side takes one more, that engine gives it up when it is done, and the last one destroys the
 * message. What deserializers made is in its care already; a deserializer that calls this for what
 * it returns passes its reference on. INVALID_VALUE: a NULL; GRAPH_ID_EXIST: it is in its care
 * already; MEMORY_EXHAUSTED. Release gives up a reference; NOT_FOND_MEMORY: it is not in its care.
 */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAIX_Adopt(void *msg, HIAIX_DestroyT destroy, void *arg);
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAIX_Release(void *msg);

/* HIAI_C_SendData() that waits up to `timeOut` for all it needs together. */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAIX_SendData(HIAI_PortID_t target, const char *messageName,
                                                 void *dataPtr, uint32_t timeOut);

/* What HIAI_C_SendData() waits; 0 at first. HIAI_OK. */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAIX_SetDefaultSendTimeout(uint32_t ms);

/*
 * From within an engine: sends to all that its output port is connected to, and to the function of
 * HIAI_SetDataRecvFunctor(). Engines on one side share one message; each side that is not this one
 * gets one too, with the block. When targets lie on both sides an AUTO block is held here once
 * more, and freed here as well. Codes as for HIAI_C_SendData(); ENGINE_NULL_POINTER also: self
 * NULL; SRC_PORT_NOT_EXIST: no such output port, or nothing is connected to it. A failure has
 * reached none of them.
 */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAIX_EngineSendData(HIAIX_Engine *self, uint32_t outPort,
                                                       const char *messageName, void *dataPtr,
                                                       uint32_t timeOut);

/* What an engine gets from HIAIX_SendRaw(). */
typedef struct HIAIX_RawMessage {
    const char *name;
    const void *ctrl; /* NULL when ctrlLen is 0 */
    uint32_t ctrlLen;
    uint32_t dataLen;
    void *data; /* from the other side: freed with the message, unless the engine has taken it over
                   and set this to NULL. From this side: the sender's, and not freed */
} HIAIX_RawMessage;

/*
 * Sends without a serializer: `ctrl` is copied, `data` is NULL or the start of a block, which goes
 * as in HIAI_C_SendData(). The engine gets a HIAIX_RawMessage, in the library's care. Codes as for
 * HIAI_C_SendData(); INVALID_VALUE also: `data` is no block, ctrl NULL and ctrlLen not 0.
 */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAIX_SendRaw(HIAI_PortID_t target, const char *messageName,
                                                const void *ctrl, uint32_t ctrlLen, void *data,
                                                uint32_t dataLen, uint32_t timeOut);

/* ---- engines */

/* Gets a message at an input port. Its status is logged and counted, otherwise ignored. */
typedef HIAI_StatusT (*HIAIX_ProcessT)(HIAIX_Engine *self, uint32_t inPort, void *msg, void *arg);

/*
 * Registers an engine by the name that graph files call it by, with its ports, at most 16 of a
 * kind. Works before HIAI_Init(), and from the constructor of a shared object that a graph file
 * names. Graphs look it up when they are created. ENGINE_FUNCTOR_NULL; ENGINE_FUNCTOR_EXIST;
 * INVALID_VALUE: name NULL or empty, too many ports; MEMORY_EXHAUSTED. Unregister:
 * GRAPH_ENGINE_NOT_EXIST; graphs that are there keep it.
 */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAIX_RegisterEngine(const char *engineName, uint32_t nIn,
                                                       uint32_t nOut, HIAIX_ProcessT process,
                                                       void *arg);
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAIX_UnregisterEngine(const char *engineName);

/* Registers before main(), or when a shared object is opened, at file scope. */
#define HIAIX_REGISTER_ENGINE(name, nIn, nOut, process)                                            \
    __attribute__((constructor)) static void HIAIX_CONCAT(hiaix_engine_, __LINE__)(void) {         \
        (void)HIAIX_RegisterEngine((name), (nIn), (nOut), (process), NULL);                        \
    }

/* The value of an item of the engine's ai_config; NULL: none of that name. The graph's. */
HIAI_FUNC_VISIBILITY const char *HIAIX_GetConfig(const HIAIX_Engine *self, const char *name);

/* Where the engine is: graph_id and engine_id; port_id is 0. */
HIAI_FUNC_VISIBILITY HIAI_PortID_t HIAIX_GetEngineId(const HIAIX_Engine *self);

/* How many messages may wait at an input port, and how many do. */
HIAI_FUNC_VISIBILITY uint32_t HIAIX_GetQueueMaxSize(const HIAIX_Engine *self);
HIAI_FUNC_VISIBILITY uint32_t HIAIX_GetQueueCurrentSize(const HIAIX_Engine *self, uint32_t inPort);

/* ---- the other process */

/*
 * The program that HIAI_CreateGraph() starts for a graph with engines on the device, as
 *
 *     PROGRAM --hiaix-device SOCKET CONFIG GRAPH
 *
 * and which calls HIAIX_DeviceMain(CONFIG, GRAPH). A path, or a name to look for in PATH.
 * "/proc/self/exe" is the program itself. NULL, and at first: tarn-hiai-device, which lies beside
 * this library and has the engines of the shared objects that the graph file names. "none": the
 * user starts it. TARN_HIAI_DEVICE_PROGRAM goes before it. MEMORY_EXHAUSTED.
 */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAIX_SetDeviceProgram(const char *program);

/*
 * Is this process to be a device process? 1: the arguments are those above, and *configFile and
 * *graphId are what HIAIX_DeviceMain() wants.
 */
HIAI_FUNC_VISIBILITY int HIAIX_IsDevice(int argc, char *const argv[], const char **configFile,
                                        uint32_t *graphId);

/*
 * The life of a device process: connects to the host, waiting for it as long as
 * TARN_HIAI_START_TIMEOUT; runs the graph's engines of the device side; returns when the host has
 * destroyed the graph (HIAI_OK) or is gone (HDC_SESSION_DEAD). Engines that are not done half a
 * second after the host is gone are not waited for: the process kills itself. Once in a
 * process. HIAIX_WRONG_SIDE: it is of the host side, has been here before, or is of both (RC);
 * START_TIMEOUT: no host; as HIAI_CreateGraph() what is wrong with the graph, which the host is
 * told too.
 */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAIX_DeviceMain(const char *configFile, uint32_t graphId);

#define HIAIX_EVENT_DISCONNECT 0

/*
 * Has a function called once, from a thread of the library with no lock held, when the other side
 * of a graph is gone and the graph is not being destroyed. A later call replaces it, NULL takes it
 * away. GRAPH_NOT_EXIST; INVALID_VALUE: another event; HDC_SESSION_DEAD: it is gone already, and
 * the function will not be called.
 */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAIX_RegisterEventHandle(
    uint32_t graphId, int event, HIAI_StatusT (*callback)(uint32_t graphId, void *arg), void *arg);

/* What HIAI_DestroyGraph() waits from now on, in ms. INIT_FAIL: a wrong setting. */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAIX_SetDestroyTimeout(uint32_t ms);

/* ---- looking */

/* Of one graph, but for the pool, which all graphs of a process share. */
struct HIAIX_Stats {
    size_t size;           /* of this struct, set by the caller; what is beyond is not written */
    uint64_t poolBytes;    /* of the pool */
    uint64_t poolUsed;     /* bytes asked for in live blocks */
    uint64_t poolPeak;     /* highest poolUsed */
    uint64_t poolBlocks;   /* live blocks, here or at a peer */
    uint64_t poolWaits;    /* allocations that had to wait */
    uint64_t poolRefusals; /* allocations that found no room in time */
    uint64_t reclaimed;    /* blocks that came back because a peer was gone */
    uint64_t sends;        /* messages sent to the other side */
    uint64_t receives;     /* and received from there */
    uint64_t localSends;   /* messages handed over on this side */
    uint64_t copies;       /* sends to the other side whose data had to be copied */
    uint64_t inFlight;     /* blocks of ours at the other side */
    uint64_t sendWaits;    /* sends that had to wait */
    uint64_t sendTimeouts; /* sends that found no room in time, however long that was */
    uint64_t rejected;     /* messages received that no deserializer took */
    uint64_t failures;     /* messages for which an engine returned anything but HIAI_OK */
};

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* the function has the name of the struct */
#endif
/* GRAPH_NOT_EXIST; INVALID_VALUE: NULL, or a size below that of its first two members. */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAIX_Stats(uint32_t graphId, struct HIAIX_Stats *out);
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* Reads the text of a graph file as HIAI_CreateGraph() does, without creating anything and without
 * HIAI_Init(). INVALID_VALUE: NULL; codes as there. */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAIX_CheckGraphText(const char *text, size_t length);

HIAI_EXTERN_C_END
#endif
