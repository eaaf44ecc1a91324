/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/c_graph.h - memory that travels between host and device without a copy, graphs of
 * engines, and sends to them.
 *
 * One library serves both sides. A process is the host side until it calls HIAIX_DeviceMain(); then
 * it is the device side of one graph. Functions that the vendor's library has on one side only
 * return HIAIX_WRONG_SIDE on the other. With TARN_HIAI_MODE=RC the process is both sides, as on a
 * board that runs programs itself: all engines run in it, and every send stays on one side.
 *
 * Every function may be called from any thread. A call that fails changes nothing, and
 * HIAIX_GetLastErrorText() describes the reason. Before HIAI_Init(), and in a child of fork() that
 * has not called it, calls return GRAPH_NOT_EXIST.
 *
 * Environment, read once, by the first HIAI_Init() or device query:
 *   TARN_HIAI_MODE             EP (default) or RC
 *   TARN_HIAI_POOL             bytes of the pool, with K, M or G; default 1G. Pages are allocated
 *                              when they are first touched
 *   TARN_HIAI_PREFAULT         bytes of the pool whose pages are allocated at once, here and by a
 *                              peer; default 0
 *   TARN_HIAI_DEVICES          number of devices, 1 to 64; default 4
 *   TARN_HIAI_DEVICE_PROGRAM   the program of the device side, see HIAIX_SetDeviceProgram();
 *                              "none": the user starts it
 *   TARN_HIAI_START_TIMEOUT    ms that HIAI_CreateGraph() waits for it; default 30000
 *   TARN_HIAI_DESTROY_TIMEOUT  ms that HIAI_DestroyGraph() waits for engines; default 30000
 *   TARN_HIAI_LOG              error: failing calls and warnings are written to standard error
 * A bad value fails HIAI_Init() with HIAI_INIT_FAIL.
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

/* Receives a message. A failure that it returns is logged and otherwise ignored. */
typedef HIAI_StatusT (*HIAI_RecvDataCallbackT)(void *);

/* The effect of a send to the other side on the sender's right to a block. */
typedef enum {
    MEMORY_ATTR_NONE = 0,          /* like AUTO_FREE */
    MEMORY_ATTR_AUTO_FREE = 0x2,   /* hands it over: the receiver frees it, the sender must not */
    MEMORY_ATTR_MANUAL_FREE = 0x4, /* shares it: the sender may read, and frees it once */
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
 * Allocates a block of `dataSize` bytes: 1 to 256 MiB, on the device side 1 to 256 MiB - 96. It
 * starts at a multiple of 4096, and of 2 MiB if it is that large. Its contents are undefined. If
 * there is no room, the call waits up to `timeOut` ms for blocks to be freed on either side. 0 does
 * not wait, UINT32_MAX has no limit. Requests are served in order. `flag` is a HIAI_Memory_attr_t.
 * Returns NULL on failure. HIAIX_GetLastError() then returns GRAPH_NOT_EXIST: HIAI_Init() was not
 * called; INVALID_VALUE: the size is 0 or the flag unknown; MALLOC_LARGER: the size is above the
 * limit; NO_MEMORY: no room in time, or the pool is smaller; or MEMORY_EXHAUSTED: out of host
 * memory.
 */
void *HIAI_DMalloc(const uint32_t dataSize, const uint32_t timeOut, uint32_t flag);

/*
 * Frees a block from HIAI_DMalloc(), or a received block of either kind, which returns to its
 * owner. A MANUAL block may be freed as soon as the send has returned: the receiver keeps it.
 * GRAPH_NOT_EXIST; INVALID_VALUE: NULL; RELEASE_WRONG_ADDR: an address inside a block;
 * WRONG_MEMORY_TYPE: a block from HIAI_DVPP_DMalloc(); NOT_FOND_MEMORY: not a block, freed already,
 * or AUTO and sent.
 */
HIAI_StatusT HIAI_DFree(void *dataBuffer);

/*
 * Allocates a block for media units, on the device side only: 1 byte to 256 MiB - 96, always
 * MANUAL. Does not wait. Returns NULL on failure, with the codes of HIAI_DMalloc() or
 * HIAIX_WRONG_SIDE in HIAIX_GetLastError(). HIAI_DVPP_DFree() frees only such blocks. It returns
 * the codes of HIAI_DFree(), HIAIX_WRONG_SIDE, and WRONG_MEMORY_TYPE for a received block or one
 * from HIAI_DMalloc().
 */
void *HIAI_DVPP_DMalloc(const uint32_t dataSize);
HIAI_StatusT HIAI_DVPP_DFree(void *dataBuffer);

/* ---- graphs */

/*
 * Creates the graphs of a file, all or none. docs/hiai.md describes the text. `len` is the length
 * of the path, 1 to 255. Engines are looked up by name in the registry of HIAIX_RegisterEngine(),
 * after their shared objects (so_name) were opened. For a graph with engines on the device the call
 * starts a device process, or waits for one.
 * HIAIX_WRONG_SIDE: called on the device; GRAPH_NOT_EXIST: HIAI_Init() was not called;
 * INVALID_VALUE: configFile is NULL or len out of range; PROTO_FILE_PARSE_FAILED: the file does not
 * exist or its text is wrong (the error text names line and word); GRAPH_ID_EXIST: a graph of this
 * process has the id; REPEATED_GRAPH: two graphs of the file have the same id; GET_DEVID_ERROR: the
 * device does not exist; ENGINE_NOT_EXIST: an engine is not registered on its side, or a connection
 * names an unknown engine; PORT_ID_NOT_EXIST, SRC_PORT_NOT_EXIST: a connection names a port that
 * the engine does not have; ALREADY_USED_IN_ANOTHER_PROCESS: another process waits for a device
 * process of that graph id; START_TIMEOUT: no device process connected in time; HDC_SESSION_DEAD:
 * the device process ended before it was ready; MEMORY_EXHAUSTED.
 */
HIAI_StatusT HIAI_CreateGraph(const char *configFile, size_t len);

/*
 * Destroys a graph. Sends return QUEUE_STOPPED, each engine finishes its current message, and
 * queued messages are destroyed.
 * HIAIX_WRONG_SIDE; GRAPH_NOT_EXIST; ENGINE_DESTROY_FAILED: called by a thread of the graph itself;
 * DESTROY_TIMEOUT: an engine did not end in time. If it is an engine of the host, the graph stays,
 * stopped, and can be destroyed again. If it is an engine of the device, the graph is gone and its
 * device process is killed.
 */
HIAI_StatusT HIAI_DestroyGraph(uint32_t graphID);

/* Return the ids of this process' graphs in ascending order. GRAPH_NOT_EXIST: HIAI_Init() was not
 * called; INVALID_VALUE: NULL; GET_GRAPHID_ERROR: no graph, or none after that id. */
HIAI_StatusT HIAI_GetFirstGraphId(uint32_t *firstGraphID);
HIAI_StatusT HIAI_GetNextGraphId(const uint32_t curGraphID, uint32_t *nextGraphID);

/* ---- messages */

/*
 * Calls a function for every message that an engine sends to an output port, in the engine's
 * thread. Several threads of an engine may call it at the same time. A later call replaces the
 * function. Set it in the process in which the engine runs. A port without function and connection
 * refuses sends. DATA_RECV_FUNCTOR_IS_NULL; GRAPH_NOT_EXIST; ENGINE_NOT_EXIST: also if the engine
 * runs on the other side; PORT_ID_ERROR: there is no such output port, or it leads to another
 * graph.
 */
HIAI_StatusT HIAI_SetDataRecvFunctor(HIAI_PortID_t targetPortConfig,
                                     HIAI_RecvDataCallbackT recvCallback);

/*
 * Sends a message to an engine's input port. `len` is the length of the name, or 0 if the name is
 * terminated.
 *
 * An engine on the same side gets the pointer itself: nothing is copied or freed, and `dataPtr`
 * must stay valid until the engine has finished (see HIAIX_Adopt()). For an engine on the other
 * side the serializer of that name is called, and when the call returns, the caller may reuse the
 * struct at `dataPtr`. The serializer names a block by its start. If the call returns HIAI_OK, the
 * receiver owns an AUTO block, and a MANUAL block is shared. Other memory is copied. After a
 * failure the block is unchanged: send it again or free it.
 *
 * The call does not wait, unless HIAIX_SetDefaultSendTimeout() has set a time. GRAPH_NOT_EXIST;
 * ENGINE_NOT_EXIST; PORT_ID_NOT_EXIST; ENGINE_NULL_POINTER: dataPtr is NULL; INVALID_VALUE: the
 * name is NULL, empty or above 63 bytes, or the block does not start there, was freed or handed
 * over; SEARFUNC_IS_NULL: no serializer has the name; BUFFER_SIZE_OVER_DMALLOC_SIZE: more bytes
 * than the block has; DATA_SIZE_WRONG: more than 16 MiB of control bytes; MALLOC_LARGER: more bytes
 * to copy than a block can have; QUEUE_FULL: no place at the port, or no credit of the channel;
 * NO_USEFUL_MEMORY: no room for the copy; QUEUE_STOPPED: the graph is being destroyed;
 * HDC_SESSION_DEAD: the other side is gone; MEMORY_EXHAUSTED; or the serializer's failure.
 */
HIAI_StatusT HIAI_C_SendData(HIAI_PortID_t targetPortConfig, const char *messageName, size_t len,
                             void *dataPtr);

/* ---- queries */

/* Returns the version of these functions, HIAI_API_VERSION_V2_00. */
HIAI_API_VERSION HIAI_GetAPIVersion(void);

/*
 * Return the number of devices (TARN_HIAI_DEVICES) and their ids, from 0 on, whether or not
 * anything runs on them. They may be called before HIAI_Init(). INIT_FAIL: a setting is wrong;
 * GET_DEVNUM_ERROR, GET_DEVID_ERROR: NULL; GET_DEVID_ERROR: no device after that id.
 */
HIAI_StatusT HIAI_GetDeviceNum(uint32_t *devCount);
HIAI_StatusT HIAI_GetFirstDeviceId(uint32_t *firstDevID);
HIAI_StatusT HIAI_GetNextDeviceId(const uint32_t curDevID, uint32_t *nextDevID);

/* Always returns GET_PCIEINFO_ERROR: the devices have no PCI bus. */
HIAI_StatusT HIAI_GetPCIeInfo(const uint32_t devId, int32_t *bus, int32_t *dev, int32_t *func);

HIAI_EXTERN_C_END
#endif
