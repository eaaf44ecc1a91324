/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/graph.h - graphs and sends in C++. Each function returns the status codes of the C
 * function that it calls.
 */
#ifndef HIAIENGINE_GRAPH_H
#define HIAIENGINE_GRAPH_H

#include <hiaiengine/ai_memory.h>
#include <hiaiengine/data_recv_interface.h>
#include <hiaiengine/hiaix_builtin.h>
#include <hiaiengine/log.h>
#include <hiaiengine/status.h>
#include <proto/ai_types.pb.h>
#include <proto/graph_config.pb.h>

#ifdef __cplusplus
#ifndef HIAIX_PLAIN_MESSAGES
#include <google/protobuf/text_format.h>
#endif

/* Programs rely on all of these, because the vendor's headers bring them. */
#include <linux/limits.h>
#include <signal.h>

#include <algorithm>
#include <condition_variable>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace hiai {

constexpr uint32_t SEND_DATA_DEFAULT_TIME_OUT = 500; /* ms, for one attempt */

struct EnginePortID {
    uint32_t graph_id;
    uint32_t engine_id;
    uint32_t port_id;
};

enum HIAIEvent { HIAI_DEVICE_DISCONNECT_EVENT = HIAIX_EVENT_DISCONNECT };

class Engine;

namespace hiaix {

/* Messages of either making as text, the only form that crosses to the library. */
#ifdef HIAIX_PLAIN_MESSAGES
template <typename T> std::string Print(const T &message) {
    TextWriter writer;
    message.hiaix_visit(writer);
    return writer.text;
}
template <typename T> bool Parse(const std::string &text, T &message) {
    TextReader reader(text);
    message = T();
    reader.message(message);
    return true;
}
#else
template <typename T> std::string Print(const T &message) {
    std::string text;
    (void)google::protobuf::TextFormat::PrintToString(message, &text);
    return text;
}
template <typename T> bool Parse(const std::string &text, T &message) {
    google::protobuf::TextFormat::Parser parser;
    parser.AllowUnknownField(true);
    return parser.ParseFromString(text, &message);
}
#endif

/* A function for an event as the library keeps it. */
struct EventHooks {
    static HIAI_StatusT call(uint32_t, void *arg) {
        return Guarded([&] { return (*static_cast<std::function<HIAI_StatusT(void)> *>(arg))(); });
    }
    static void drop(void *arg) { delete static_cast<std::function<HIAI_StatusT(void)> *>(arg); }
};

} // namespace hiaix

/* A graph of this process, by its id. The object does not keep the graph alive. */
class Graph {
  public:
    explicit Graph(uint32_t graphID) : id(graphID) {}
    Graph(const Graph &) = delete;
    Graph &operator=(const Graph &) = delete;

    static HIAI_StatusT CreateGraph(const std::string &configFile) {
        hiaix::RegisterBuiltins();
        return HIAI_CreateGraph(configFile.c_str(), configFile.size());
    }

    /* Also appends the graphs to a list. */
    static HIAI_StatusT CreateGraph(const std::string &configFile,
                                    std::list<std::shared_ptr<Graph>> &graphList) {
        return hiaix::Guarded([&]() -> HIAI_StatusT {
            GraphConfigList config;
            HIAI_StatusT status = ParseConfigFile(configFile, config);
            status = status == HIAI_OK ? CreateGraph(configFile) : status;
            for (int i = 0; status == HIAI_OK && i < config.graphs_size(); i++)
                graphList.push_back(std::make_shared<Graph>(config.graphs(i).graph_id()));
            return status;
        });
    }

    /* Creates all graphs of a list, or none. A relative so_name is looked for in the working
     * directory. */
    static HIAI_StatusT CreateGraph(const GraphConfigList &graphConfig) {
        hiaix::RegisterBuiltins();
        return hiaix::Guarded([&] {
            const std::string text = hiaix::Print(graphConfig);
            return HIAIX_CreateGraphText(text.c_str(), text.size());
        });
    }

    /* Reads a file without creating anything. */
    static HIAI_StatusT ParseConfigFile(const std::string &configFile,
                                        GraphConfigList &graphConfigList) {
        return hiaix::Guarded([&]() -> HIAI_StatusT {
            std::ifstream file(configFile.c_str(), std::ios::binary);
            const std::string text((std::istreambuf_iterator<char>(file)),
                                   std::istreambuf_iterator<char>());
            if (!file) return HIAI_GRAPH_PROTO_FILE_PARSE_FAILED;
            const HIAI_StatusT status = HIAIX_CheckGraphText(text.c_str(), text.size());
            if (status != HIAI_OK) return status;
            return hiaix::Parse(text, graphConfigList) ? HIAI_OK
                                                       : HIAI_GRAPH_PROTO_FILE_PARSE_FAILED;
        });
    }

    static HIAI_StatusT DestroyGraph(const uint32_t &graphID) { return HIAI_DestroyGraph(graphID); }

    /* Returns an empty pointer if the graph does not exist. */
    static std::shared_ptr<Graph> GetInstance(const uint32_t &graphID) {
        uint32_t device = 0;
        return HIAIX_GetDeviceId(graphID, &device) == HIAI_OK ? std::make_shared<Graph>(graphID)
                                                              : std::shared_ptr<Graph>();
    }

    /* Like HIAI_SetDataRecvFunctor(). The graph keeps the receiver until it is destroyed. */
    static HIAI_StatusT SetDataRecvFunctor(const EnginePortID &target,
                                           const std::shared_ptr<DataRecvInterface> &dataRecv) {
        return hiaix::SetReceiver({target.graph_id, target.engine_id, target.port_id}, dataRecv);
    }

    /* Calls UpdateConfig() of an engine on its side; with `syncFlag` it has returned afterwards. The
     * codes are those of HIAIX_UpdateEngine(). */
    static HIAI_StatusT UpdateEngineConfig(const uint32_t &graphId, const uint32_t &engineId,
                                           const AIConfig &aiConfig, const bool &syncFlag = false) {
        return hiaix::Guarded([&] {
            const std::string text = hiaix::Print(aiConfig);
            return HIAIX_UpdateEngine(graphId, engineId, text.c_str(), text.size(),
                                      syncFlag ? 1 : 0);
        });
    }

    /* Calls HIAI_DFree(); for old deleters of received blocks. */
    static void ReleaseDataBuffer(void *ptr) { (void)HIAI_DFree(ptr); }

    /* Graph files are not encrypted: always HIAI_GRAPH_SET_PUBLIC_KEY_FAILED. */
    static HIAI_StatusT SetPublicKeyForSignatureEncryption(const std::string &) {
        return HIAI_GRAPH_SET_PUBLIC_KEY_FAILED;
    }

    /* Like HIAIX_SendData(), for up to 16 times `timeOut` ms. */
    HIAI_StatusT SendData(const EnginePortID &target, const std::string &messageName,
                          const std::shared_ptr<void> &dataPtr,
                          const uint32_t timeOut = SEND_DATA_DEFAULT_TIME_OUT) {
        const HIAI_PortID_t port = {target.graph_id, target.engine_id, target.port_id};
        return hiaix::Send(dataPtr, [&](const HIAIX_Message *message) {
            return HIAIX_SendMessage(port, messageName.c_str(), message,
                                     hiaix::AllAttempts(timeOut));
        });
    }

    /* Returns an engine of this process, or an empty pointer. The engine lives as long as its graph,
     * which the pointer does not prolong. Defined in engine.h. */
    std::shared_ptr<Engine> GetEngine(const uint32_t &engineId);

    uint32_t GetGraphId() const { return id; }

    uint32_t GetDeviceID() const {
        uint32_t device = 0;
        (void)HIAIX_GetDeviceId(id, &device);
        return device;
    }

    /* Graphs do not change: always HIAI_ERROR. */
    HIAI_StatusT ModifyGraph(const GraphUpdateConfig &) {
        const HIAIX_LogPlace place = {"ModifyGraph", "graph.h", 0, &id, nullptr};
        HIAIX_LogWrite(HIAI_ERROR, &place, "a graph that exists cannot be modified");
        return HIAI_ERROR;
    }

    /* Like HIAIX_RegisterEventHandle(); an empty function removes it. */
    HIAI_StatusT RegisterEventHandle(const HIAIEvent &event,
                                     const std::function<HIAI_StatusT(void)> &callBack) {
        return hiaix::Guarded([&]() -> HIAI_StatusT {
            if (!callBack) return HIAIX_SetEventHandler(id, event, nullptr, nullptr, nullptr);
            std::unique_ptr<std::function<HIAI_StatusT(void)>> kept(
                new std::function<HIAI_StatusT(void)>(callBack));
            const HIAI_StatusT status = HIAIX_SetEventHandler(id, event, hiaix::EventHooks::call,
                                                              kept.get(), hiaix::EventHooks::drop);
            if (status == HIAI_OK) (void)kept.release();
            return status;
        });
    }

  private:
    const uint32_t id;
};

} // namespace hiai

/* Like HIAIX_SendData(): waits up to `timeOut` ms; 0 does not wait. */
inline HIAI_StatusT HIAI_SendData(HIAI_PortID_t targetPortConfig, const std::string &messageName,
                                  std::shared_ptr<void> &dataPtr, const uint32_t timeOut = 0) {
    return hiai::hiaix::Send(
        dataPtr,
        [&](const HIAIX_Message *message) {
            return HIAIX_SendMessage(targetPortConfig, messageName.c_str(), message, timeOut);
        });
}

/* Of the parameters before the graph. */
#define HIAIX_LOG_OF_GRAPH(...)                                                                    \
    inline void HIAI_ENGINE_LOG_IMPL(__VA_ARGS__, const hiai::Graph *graph, uint32_t errorCode,    \
                                     const char *format, ...) {                                    \
        const uint32_t id = graph != nullptr ? graph->GetGraphId() : 0;                            \
        HIAIX_LOG_(::hiai::hiaix::LevelOf(errorCode), graph != nullptr ? &id : nullptr, nullptr);  \
    }
HIAIX_LOG_OF_GRAPH(const char *function, const char *file, int line)
HIAIX_LOG_OF_GRAPH(const char *function, const char *file, int line, int32_t)
#undef HIAIX_LOG_OF_GRAPH
#endif
#endif
