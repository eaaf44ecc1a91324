/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/c_graph.h - memory that travels between host and device without a copy, graphs of
 * engines, and sends to them.
 *
 * One library serves both sides. A process is of the host side until it calls HIAIX_DeviceMain();
 * then it is the device side of one graph. What the vendor's library has on one side only answers
 * HIAIX_WRONG_SIDE on the other. With TARN_HIAI_MODE=RC the process is both sides at once, as on a
 * board that runs programs itself: all engines run in it, and every send is of the same side.
 *
 * Every function may be called from any thread. Whoever fails changes nothing, and
 * HIAIX_GetLastErrorText() says why. Before HIAI_Init(), and in a child of fork() that has not
 * called it, calls answer GRAPH_NOT_EXIST.
 *
 * Environment, read once, at the first HIAI_Init() or question for devices:
 *   TARN_HIAI_MODE            EP (default) or RC
 *   TARN_HIAI_POOL            bytes of the pool, K, M or G behind the number; default 1G. Pages are
 *                             taken when first touched
 *   TARN_HIAI_PREFAULT        bytes of the pool whose pages are taken at once, here and by a peer;
 *                             default 0
 *   TARN_HIAI_DEVICES         devices that there are, 1 to 64; default 4
 *   TARN_HIAI_DEVICE_PROGRAM  the program of the device side (HIAIX_SetDeviceProgram()); "none":
 * the user starts it TARN_HIAI_START_TIMEOUT   ms that HIAI_CreateGraph() waits for it; default
 * 30000 TARN_HIAI_DESTROY_TIMEOUT ms that HIAI_DestroyGraph() waits for engines; default 30000
 *   TARN_HIAI_LOG             1: failing calls and warnings are written to standard error
 */
#ifndef HIAIENGINE_C_GRAPH_H
#define HIAIENGINE_C_GRAPH_H

#include <hiaiengine/status.h>

HIAI_EXTERN_C_BEGIN

/* An input port of an engine for sends, an output port for HIAI_SetDataRecvFunctor(). */
typedef struct HIAI_PortID {
    uint32_t graph_id;
    uint32_t engine_id;
    uint32_t port_id;
} HIAI_PortID_t;

/* Gets a message. Its status is logged and otherwise ignored. */
typedef HIAI_StatusT (*HIAI_RecvDataCallbackT)(void *);

/* What a send to the other side does to the sender's right to a block. */
typedef enum {
    MEMORY_ATTR_NONE = 0,          /* as AUTO_FREE */
    MEMORY_ATTR_AUTO_FREE = 0x2,   /* hands it over: the receiver frees it, the sender must not */
    MEMORY_ATTR_MANUAL_FREE = 0x4, /* lends it: the sender may read, and frees it once */
    MEMORY_ATTR_MAX
} HIAI_Memory_attr_t;
typedef HIAI_Memory_attr_t HIAI_MEMORY_ATTR;

typedef enum hai_api_version {
    HIAI_API_VERSION_V1_00 = 100,
    HIAI_API_VERSION_V1_01 = 101,
    HIAI_API_VERSION_V2_00 = 200
} HIAI_API_VERSION;

/* ---- memory */

/*
 * A block of `dataSize` bytes, 1 to 256 MiB, on the device side to 256 MiB - 96; its start is a
 * multiple of 4096, from 2 MiB on of 2 MiB; its contents are undefined. When there is no room it
 * waits up to `timeOut` ms (0: not at all, UINT32_MAX: for ever) for blocks to be freed on either
 * side, first come first served. `flag` is a HIAI_Memory_attr_t. NULL on failure, and
 * HIAIX_GetLastError(): GRAPH_NOT_EXIST: HIAI_Init() was not called; INVALID_VALUE: size 0, unknown
 * flag; MALLOC_LARGER; NO_MEMORY: no room in time, or the pool is smaller than that;
 * MEMORY_EXHAUSTED: host memory.
 */
HIAI_FUNC_VISIBILITY void *HIAI_DMalloc(const uint32_t dataSize, const uint32_t timeOut,
                                        uint32_t flag);

/*
 * Frees a block from HIAI_DMalloc(), or one that was received, whichever function it came from on
 * the other side; that one goes back to its owner. A MANUAL block may be freed as soon as the send
 * has returned: the receiver keeps it. GRAPH_NOT_EXIST; INVALID_VALUE: NULL; RELEASE_WRONG_ADDR:
 * inside a block; WRONG_MEMORY_TYPE: from HIAI_DVPP_DMalloc(); NOT_FOND_MEMORY: no block, freed
 * already, or AUTO and sent.
 */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAI_DFree(void *dataBuffer);

/*
 * On the device side: a block for media, of 1 byte to 256 MiB - 96, MANUAL whatever becomes of it.
 * Does not wait. NULL on failure, and HIAIX_GetLastError(): as for HIAI_DMalloc();
 * HIAIX_WRONG_SIDE. HIAI_DVPP_DFree() frees such a block only: codes as for HIAI_DFree(), and
 * HIAIX_WRONG_SIDE; WRONG_MEMORY_TYPE: from HIAI_DMalloc(), or received.
 */
HIAI_FUNC_VISIBILITY void *HIAI_DVPP_DMalloc(const uint32_t dataSize);
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAI_DVPP_DFree(void *dataBuffer);

/* ---- graphs */

/*
 * Creates the graphs of a file, all or none: see docs/hiai.md for its text. `len` is the length of
 * the path, 1 to 255. Engines are looked up by name among those of HIAIX_RegisterEngine(), after
 * their shared objects (so_name) were opened. For a graph with engines on the device a process is
 * started, or waited for. HIAIX_WRONG_SIDE: on the device; GRAPH_NOT_EXIST: HIAI_Init() was not
 * called; INVALID_VALUE: configFile NULL or len out of range; PROTO_FILE_PARSE_FAILED: no such
 * file, or its text is wrong (the error text has line and word); GRAPH_ID_EXIST: a graph has that
 * id here; REPEATED_GRAPH: two in the file have; GET_DEVID_ERROR: no such device; ENGINE_NOT_EXIST:
 * an engine that nobody registered, on either side, or a connection of none; PORT_ID_NOT_EXIST,
 * SRC_PORT_NOT_EXIST: a connection to, or from, a port that its engine has not;
 * ALREADY_USED_IN_ANOTHER_PROCESS: another process waits for a device process for that graph id;
 * START_TIMEOUT: none came; HDC_SESSION_DEAD: it ended before it was ready; MEMORY_EXHAUSTED.
 */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAI_CreateGraph(const char *configFile, size_t len);

/*
 * Destroys a graph: no more sends (QUEUE_STOPPED), each engine ends the message it is at, what
 * waits in queues is destroyed. HIAIX_WRONG_SIDE; GRAPH_NOT_EXIST; ENGINE_DESTROY_FAILED: called by
 * a thread of the graph itself; DESTROY_TIMEOUT: an engine did not end in time. Then, if it is one
 * of this side, the graph stays, stopped, and can be destroyed again; if of the device, the graph
 * is gone and its device process is cut off.
 */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAI_DestroyGraph(uint32_t graphID);

/* Ids of the graphs of this process in ascending order. GRAPH_NOT_EXIST: HIAI_Init() was not
 * called; INVALID_VALUE: NULL; GET_GRAPHID_ERROR: there is none, or none after that. */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAI_GetFirstGraphId(uint32_t *firstGraphID);
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAI_GetNextGraphId(const uint32_t curGraphID,
                                                      uint32_t *nextGraphID);

/* ---- messages */

/*
 * Gives what an engine sends to its output port to a function as well, in the engine's thread,
 * which waits for it; several threads of an engine may be in it at once. A later call replaces it.
 * Set it where the engine runs. An output port without it and without a connection refuses what is
 * sent to it. DATA_RECV_FUNCTOR_IS_NULL; GRAPH_NOT_EXIST; ENGINE_NOT_EXIST: also when it runs on
 * the other side; PORT_ID_ERROR: no such output port, or it leads to
 * another graph.
 */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAI_SetDataRecvFunctor(HIAI_PortID_t targetPortConfig,
                                                          HIAI_RecvDataCallbackT recvCallback);

/*
 * Sends a message to an engine's input port. `len` is the length of the name, 0: up to its end.
 *
 * To an engine of this side the pointer itself is handed over: nothing is copied or freed, and
 * `dataPtr` must stay good until the engine is done with it (HIAIX_Adopt()). To the other side the
 * serializer of that name is called; when the call returns the struct at `dataPtr` is the caller's
 * again. The block that the serializer names must be given by its start; AUTO, it is the
 * receiver's when the call returns HIAI_OK, MANUAL, it is lent. Other memory is copied. After a
 * failure the block is as it was: send it again or free it.
 *
 * The call does not wait, unless HIAIX_SetDefaultSendTimeout() said so. GRAPH_NOT_EXIST;
 * ENGINE_NOT_EXIST; PORT_ID_NOT_EXIST; ENGINE_NULL_POINTER: dataPtr NULL; INVALID_VALUE: name NULL,
 * empty or above 63 bytes, a block that starts elsewhere, that was freed or handed over;
 * SEARFUNC_IS_NULL: no serializer of that name; BUFFER_SIZE_OVER_DMALLOC_SIZE: more bytes than the
 * block has; DATA_SIZE_WRONG: control bytes above 16 MiB; MALLOC_LARGER: more to copy than a block
 * can have; QUEUE_FULL: the port, or the way there; NO_USEFUL_MEMORY: no room to copy to;
 * QUEUE_STOPPED: the graph is being destroyed; HDC_SESSION_DEAD: the other side is gone;
 * MEMORY_EXHAUSTED; what the serializer answered.
 */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAI_C_SendData(HIAI_PortID_t targetPortConfig,
                                                  const char *messageName, size_t len,
                                                  void *dataPtr);

/* ---- what there is */

/* The version of these functions: HIAI_API_VERSION_V2_00. */
HIAI_FUNC_VISIBILITY HIAI_API_VERSION HIAI_GetAPIVersion(void);

/*
 * Devices: TARN_HIAI_DEVICES of them, with ids from 0 on, whether or not anything runs on them.
 * Before HIAI_Init() as well. INIT_FAIL: a wrong setting;
 * GET_DEVNUM_ERROR, GET_DEVID_ERROR: NULL; GET_DEVID_ERROR: none after that.
 */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAI_GetDeviceNum(uint32_t *devCount);
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAI_GetFirstDeviceId(uint32_t *firstDevID);
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAI_GetNextDeviceId(const uint32_t curDevID,
                                                       uint32_t *nextDevID);

/* GET_PCIEINFO_ERROR, always: the devices are on no bus. */
HIAI_FUNC_VISIBILITY HIAI_StatusT HIAI_GetPCIeInfo(const uint32_t devId, int32_t *bus, int32_t *dev,
                                                   int32_t *func);

HIAI_EXTERN_C_END
#endif
