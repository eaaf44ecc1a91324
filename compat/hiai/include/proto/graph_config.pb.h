/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proto/graph_config.pb.h - graphs as objects; see proto/ai_types.pb.h.
 */
#ifndef PROTO_GRAPH_CONFIG_PB_H
#define PROTO_GRAPH_CONFIG_PB_H

#include <proto/ai_types.pb.h>

#ifdef __cplusplus
namespace hiai {
inline namespace plain {

#define HIAIX_RUN_SIDE(X, T) X(T, DEVICE, 0) X(T, HOST, 1)
HIAIX_PB_ENUM(EngineConfig_RunSide, HIAIX_RUN_SIDE)

#define HIAIX_DUMP_DEF(X)                                                                          \
    X(STRING, , model_name, model_name)                                                            \
    X(STRING, , is_dump_all, is_dump_all) X(STRINGS, , layer, layer)
class DumpDef {
    HIAIX_PB_FIELDS(DumpDef, HIAIX_DUMP_DEF)
};

#define HIAIX_OAM_CONFIG(X)                                                                        \
    X(MESSAGES, DumpDef, dump_list, dump_list) X(STRING, , dump_path, dump_path)
class OAMConfigDef {
    HIAIX_PB_FIELDS(OAMConfigDef, HIAIX_OAM_CONFIG)
};

#define HIAIX_ENGINE_CONFIG(X)                                                                     \
    X(SCALAR, uint32_t, id, id)                                                                    \
    X(STRING, , engine_name, engine_name)                                                          \
    X(STRINGS, , so_name, so_name)                                                                 \
    X(SCALAR, EngineConfig_RunSide, side, side)                                                    \
    X(SCALAR, uint32_t, thread_num, thread_num)                                                    \
    X(SCALAR, uint32_t, thread_priority, thread_priority)                                          \
    X(SCALAR, uint32_t, queue_size, queue_size)                                                    \
    X(MESSAGE, AIConfig, ai_config, ai_config)                                                     \
    X(MESSAGES, AIModelDescription, ai_model, ai_model)                                            \
    X(STRINGS, , internal_so_name, internal_so_name)                                               \
    X(SCALAR, uint32_t, wait_inputdata_max_time, wait_inputdata_max_time)                          \
    X(SCALAR, uint32_t, holdmodelfileflag, holdModelFileFlag)                                      \
    X(MESSAGE, OAMConfigDef, oam_config, oam_config)                                               \
    X(SCALAR, bool, is_repeat_timeout_flag, is_repeat_timeout_flag)
class EngineConfig {
  public:
    typedef EngineConfig_RunSide RunSide;
    HIAIX_RUN_SIDE(HIAIX_PB_CONSTANT, EngineConfig_RunSide)
    HIAIX_PB_FIELDS(EngineConfig, HIAIX_ENGINE_CONFIG)
};

#define HIAIX_CONNECT_CONFIG(X)                                                                    \
    X(SCALAR, uint32_t, src_engine_id, src_engine_id)                                              \
    X(SCALAR, uint32_t, src_port_id, src_port_id)                                                  \
    X(SCALAR, uint32_t, target_graph_id, target_graph_id)                                          \
    X(SCALAR, uint32_t, target_engine_id, target_engine_id)                                        \
    X(SCALAR, uint32_t, target_port_id, target_port_id)                                            \
    X(SCALAR, bool, receive_memory_without_dvpp, receive_memory_without_dvpp)
class ConnectConfig {
    HIAIX_PB_FIELDS(ConnectConfig, HIAIX_CONNECT_CONFIG)
};

#define HIAIX_GRAPH_CONFIG(X)                                                                      \
    X(SCALAR, uint32_t, graph_id, graph_id)                                                        \
    X(SCALAR, int32_t, priority, priority)                                                         \
    X(STRING, , device_id, device_id)                                                              \
    X(MESSAGES, EngineConfig, engines, engines)                                                    \
    X(MESSAGES, ConnectConfig, connects, connects)
class GraphConfig {
    HIAIX_PB_FIELDS(GraphConfig, HIAIX_GRAPH_CONFIG)
};

#define HIAIX_GRAPH_CONFIG_LIST(X) X(MESSAGES, GraphConfig, graphs, graphs)
class GraphConfigList {
    HIAIX_PB_FIELDS(GraphConfigList, HIAIX_GRAPH_CONFIG_LIST)
};

#define HIAIX_GRAPH_UPDATE_CONFIG(X)                                                               \
    X(MESSAGE, GraphConfig, updatagraphconfig, updataGraphConfig)                                  \
    X(SCALARS, uint32_t, del_engine_ids, del_engine_ids)                                           \
    X(MESSAGES, ConnectConfig, del_connects, del_connects)
class GraphUpdateConfig {
    HIAIX_PB_FIELDS(GraphUpdateConfig, HIAIX_GRAPH_UPDATE_CONFIG)
};

} // namespace plain
} // namespace hiai
#endif
#endif
