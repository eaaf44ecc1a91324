// SPDX-License-Identifier: Apache-2.0
// The functions of HiAI Matrix that can be made to fail: X(name, "error", "arguments"). "error" is that of a failure
// whose spec has no as=; "-" means that the manual lists none. "arguments" is the recipe of function.h.
// The status codes of HiAI's manual name the function or the cause. Constant.
#pragma once

#define TN_FAIL_HIAI(X)                                                                            \
    X(HIAIX_Adopt, "HIAI_MEMORY_EXHAUSTED", "")                                                    \
    X(HIAIX_CheckGraphText, "HIAI_MEMORY_EXHAUSTED", "")                                           \
    X(HIAIX_CreateGraphText, "HIAI_MEMORY_EXHAUSTED", "size=b")                                    \
    X(HIAIX_DeviceMain, "HIAI_MEMORY_EXHAUSTED", "")                                               \
    X(HIAIX_EngineSendData, "HIAI_GRAPH_SENDMSG_FAILED", "")                                       \
    X(HIAIX_EngineSendMessage, "HIAI_GRAPH_SENDMSG_FAILED", "")                                    \
    X(HIAIX_GetDeviceId, "HIAI_GRAPH_GET_DEVID_ERROR", "")                                         \
    X(HIAIX_GetLastError, "-", "")                                                                 \
    X(HIAIX_RegisterEngine, "HIAI_MEMORY_EXHAUSTED", "")                                           \
    X(HIAIX_RegisterEngineClass, "HIAI_MEMORY_EXHAUSTED", "")                                      \
    X(HIAIX_RegisterEventHandle, "HIAI_MEMORY_EXHAUSTED", "")                                      \
    X(HIAIX_RegisterMessageType, "HIAI_MEMORY_EXHAUSTED", "")                                      \
    X(HIAIX_RegisterSerialize, "HIAI_MEMORY_EXHAUSTED", "")                                        \
    X(HIAIX_RegisterStatusText, "HIAI_MEMORY_EXHAUSTED", "")                                       \
    X(HIAIX_Release, "HIAI_MEMORY_EXHAUSTED", "")                                                  \
    X(HIAIX_SendData, "HIAI_GRAPH_SENDMSG_FAILED", "")                                             \
    X(HIAIX_SendMessage, "HIAI_GRAPH_SENDMSG_FAILED", "")                                          \
    X(HIAIX_SendRaw, "HIAI_GRAPH_SENDMSG_FAILED", "")                                              \
    X(HIAIX_SetDefaultSendTimeout, "HIAI_MEMORY_EXHAUSTED", "")                                    \
    X(HIAIX_SetDestroyTimeout, "HIAI_MEMORY_EXHAUSTED", "")                                        \
    X(HIAIX_SetDeviceProgram, "HIAI_MEMORY_EXHAUSTED", "")                                         \
    X(HIAIX_SetEventHandler, "HIAI_MEMORY_EXHAUSTED", "")                                          \
    X(HIAIX_SetPorts, "HIAI_MEMORY_EXHAUSTED", "")                                                 \
    X(HIAIX_SetReceiver, "HIAI_MEMORY_EXHAUSTED", "")                                              \
    X(HIAIX_Stats, "HIAI_MEMORY_EXHAUSTED", "")                                                    \
    X(HIAIX_UnregisterEngine, "HIAI_MEMORY_EXHAUSTED", "")                                         \
    X(HIAIX_UnregisterMessageType, "HIAI_MEMORY_EXHAUSTED", "")                                    \
    X(HIAIX_UnregisterSerialize, "HIAI_MEMORY_EXHAUSTED", "")                                      \
    X(HIAIX_UpdateEngine, "HIAI_MEMORY_EXHAUSTED", "")                                             \
    X(HIAI_C_SendData, "HIAI_GRAPH_SENDMSG_FAILED", "size=c")                                      \
    X(HIAI_CreateGraph, "HIAI_MEMORY_EXHAUSTED", "size=b")                                         \
    X(HIAI_DFree, "HIAI_DFREE_FAILED", "address=a")                                                \
    X(HIAI_DMalloc, "HIAI_MEMORY_EXHAUSTED", "size=a")                                             \
    X(HIAI_DVPP_DFree, "HIAI_DFREE_FAILED", "address=a")                                           \
    X(HIAI_DVPP_DMalloc, "HIAI_MEMORY_EXHAUSTED", "size=a")                                        \
    X(HIAI_DestroyGraph, "HIAI_GRAPH_DESTROY_TIMEOUT", "")                                         \
    X(HIAI_GetDeviceNum, "HIAI_GRAPH_GET_DEVNUM_ERROR", "")                                        \
    X(HIAI_GetFirstDeviceId, "HIAI_GRAPH_GET_DEVID_ERROR", "")                                     \
    X(HIAI_GetFirstGraphId, "HIAI_GRAPH_GET_GRAPHID_ERROR", "")                                    \
    X(HIAI_GetNextDeviceId, "HIAI_GRAPH_GET_DEVID_ERROR", "")                                      \
    X(HIAI_GetNextGraphId, "HIAI_GRAPH_GET_GRAPHID_ERROR", "")                                     \
    X(HIAI_GetPCIeInfo, "HIAI_GRAPH_GET_PCIEINFO_ERROR", "device=a")                               \
    X(HIAI_Init, "HIAI_INIT_FAIL", "device=a")                                                     \
    X(HIAI_SendData, "HIAI_GRAPH_SENDMSG_FAILED", "")                                              \
    X(HIAI_SetDataRecvFunctor, "HIAI_GRAPH_DATA_RECV_FUNCTOR_IS_NULL", "")
