// SPDX-License-Identifier: Apache-2.0
// The functions of HiAI Matrix that can be made to fail: X("error", "arguments", "names"). "error" is that of a
// failure whose spec has no as=; "-" means that the manual lists none. "arguments" is the recipe of function.h.
// A name without the ending of its form, such as _spt, stands for all that lack a row.
// The status codes of HiAI's manual name the function or the cause. Constant.
#pragma once

#define TN_FAIL_HIAI(X)                                                                            \
    X("HIAI_MEMORY_EXHAUSTED", "",                                                                 \
      "HIAIX_Adopt HIAIX_CheckGraphText HIAIX_DeviceMain HIAIX_RegisterEngine "                    \
      "HIAIX_RegisterEngineClass HIAIX_RegisterEventHandle HIAIX_RegisterMessageType "             \
      "HIAIX_RegisterSerialize HIAIX_RegisterStatusText HIAIX_Release "                            \
      "HIAIX_SetDefaultSendTimeout HIAIX_SetDestroyTimeout HIAIX_SetDeviceProgram "                \
      "HIAIX_SetEventHandler HIAIX_SetPorts HIAIX_SetReceiver HIAIX_Stats HIAIX_UnregisterEngine " \
      "HIAIX_UnregisterMessageType HIAIX_UnregisterSerialize HIAIX_UpdateEngine")                  \
    X("HIAI_MEMORY_EXHAUSTED", "size=a", "HIAI_DMalloc HIAI_DVPP_DMalloc")                         \
    X("HIAI_MEMORY_EXHAUSTED", "size=b", "HIAIX_CreateGraphText HIAI_CreateGraph")                 \
    X("HIAI_GRAPH_SENDMSG_FAILED", "",                                                             \
      "HIAIX_EngineSendData HIAIX_EngineSendMessage HIAIX_SendData HIAIX_SendMessage "             \
      "HIAIX_SendRaw HIAI_SendData")                                                               \
    X("HIAI_GRAPH_SENDMSG_FAILED", "size=c", "HIAI_C_SendData")                                    \
    X("HIAI_GRAPH_GET_DEVID_ERROR", "",                                                            \
      "HIAIX_GetDeviceId HIAI_GetFirstDeviceId HIAI_GetNextDeviceId")                              \
    X("HIAI_DFREE_FAILED", "address=a", "HIAI_DFree HIAI_DVPP_DFree")                              \
    X("HIAI_GRAPH_GET_GRAPHID_ERROR", "", "HIAI_GetFirstGraphId HIAI_GetNextGraphId")              \
    X("-", "", "HIAIX_GetLastError")                                                               \
    X("HIAI_GRAPH_DATA_RECV_FUNCTOR_IS_NULL", "", "HIAI_SetDataRecvFunctor")                       \
    X("HIAI_GRAPH_DESTROY_TIMEOUT", "", "HIAI_DestroyGraph")                                       \
    X("HIAI_GRAPH_GET_DEVNUM_ERROR", "", "HIAI_GetDeviceNum")                                      \
    X("HIAI_GRAPH_GET_PCIEINFO_ERROR", "device=a", "HIAI_GetPCIeInfo")                             \
    X("HIAI_INIT_FAIL", "device=a", "HIAI_Init")
