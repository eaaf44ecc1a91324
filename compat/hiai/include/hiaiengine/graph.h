/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/graph.h - graphs and sends in C++. Each function returns the status codes of the C
 * function that it calls.
 */
#ifndef HIAIENGINE_GRAPH_H
#define HIAIENGINE_GRAPH_H

#include <hiaiengine/ai_memory.h>
#include <hiaiengine/data_type_reg.h>

#ifdef __cplusplus
#include <functional>

namespace hiai {

constexpr uint32_t SEND_DATA_DEFAULT_TIME_OUT = 500; /* ms, for one attempt */

struct EnginePortID {
    uint32_t graph_id;
    uint32_t engine_id;
    uint32_t port_id;
};

enum HIAIEvent { HIAI_DEVICE_DISCONNECT_EVENT = HIAIX_EVENT_DISCONNECT };

/* Receives the messages that an engine sends to an output port. A copy of the pointer keeps the
 * message alive. */
class DataRecvInterface {
  public:
    DataRecvInterface() = default;
    virtual ~DataRecvInterface() = default;
    DataRecvInterface(const DataRecvInterface &) = default;
    DataRecvInterface &operator=(const DataRecvInterface &) = default;
    virtual HIAI_StatusT RecvData(const std::shared_ptr<void> &message) = 0;
};

namespace hiaix {

/*
 * Receivers by port. A callback of the C form gets only the message, so each port uses a function
 * of its own. There are 64.
 */
class Receivers {
  public:
    static HIAI_StatusT set(const HIAI_PortID_t &port,
                            const std::shared_ptr<DataRecvInterface> &receiver) {
        std::lock_guard<std::mutex> guard(all().lock);
        unsigned at = place_for(port);
        if (!receiver || at == MAX_RECEIVERS) {
            return receiver ? HIAI_MEMORY_EXHAUSTED : HIAI_GRAPH_DATA_RECV_FUNCTOR_IS_NULL;
        }
        HIAI_StatusT status = HIAI_SetDataRecvFunctor(port, Callbacks<MAX_RECEIVERS>::of(at));
        if (status == HIAI_OK) {
            all().places[at].port = port;
            all().places[at].receiver = receiver;
        }
        return status;
    }

    static void forget(uint32_t graph) {
        std::lock_guard<std::mutex> guard(all().lock);
        for (Place &place : all().places) {
            if (place.receiver && place.port.graph_id == graph) {
                place.receiver.reset();
            }
        }
    }

  private:
    static constexpr unsigned MAX_RECEIVERS = 64;
    struct Place {
        HIAI_PortID_t port;
        std::shared_ptr<DataRecvInterface> receiver; // empty if the place is free
    };

    static Receivers &all() {
        static Receivers *const receivers = new Receivers();
        return *receivers;
    }

    static unsigned place_for(const HIAI_PortID_t &port) {
        unsigned free_one = MAX_RECEIVERS;
        for (unsigned i = MAX_RECEIVERS; i-- > 0;) {
            const Place &place = all().places[i];
            if (!place.receiver) {
                free_one = i;
            } else if (std::memcmp(&place.port, &port, sizeof port) == 0) {
                return i;
            }
        }
        return free_one;
    }

    static HIAI_StatusT hear_at(unsigned at, void *message) {
        std::shared_ptr<DataRecvInterface> receiver;
        {
            std::lock_guard<std::mutex> guard(all().lock);
            receiver = all().places[at].receiver;
        }
        return receiver ? receiver->RecvData(Alive::find(message)) : HIAI_ERROR;
    }

    template <unsigned N> static HIAI_StatusT hear(void *message) {
        return hear_at(N, message);
    }

    // The function of each place. The second parameter allows the specialisation inside the class.
    template <unsigned N, typename Unused = void> struct Callbacks {
        static HIAI_RecvDataCallbackT of(unsigned at) {
            return at == N - 1 ? static_cast<HIAI_RecvDataCallbackT>(hear<N - 1>)
                               : Callbacks<N - 1>::of(at);
        }
    };
    template <typename Unused> struct Callbacks<0, Unused> {
        static HIAI_RecvDataCallbackT of(unsigned) {
            return nullptr;
        }
    };

    std::mutex lock;
    Place places[MAX_RECEIVERS]; // guard: lock
};

/* The functions to call when the other side of a graph is gone. */
class Watchers {
  public:
    static HIAI_StatusT set(uint32_t graph, int event,
                            const std::function<HIAI_StatusT(void)> &watcher) {
        std::lock_guard<std::mutex> guard(all().lock);
        HIAI_StatusT status =
            HIAIX_RegisterEventHandle(graph, event, watcher ? hear : nullptr, nullptr);
        if (status == HIAI_OK) {
            all().watchers[graph] = watcher;
        }
        return status;
    }

    static void forget(uint32_t graph) {
        std::lock_guard<std::mutex> guard(all().lock);
        all().watchers.erase(graph);
    }

  private:
    static Watchers &all() {
        static Watchers *const watchers = new Watchers();
        return *watchers;
    }

    static HIAI_StatusT hear(uint32_t graph, void *) {
        std::function<HIAI_StatusT(void)> watcher;
        {
            std::lock_guard<std::mutex> guard(all().lock);
            watcher = all().watchers[graph];
        }
        return watcher ? watcher() : HIAI_OK;
    }

    std::mutex lock;
    std::unordered_map<uint32_t, std::function<HIAI_StatusT(void)>> watchers; // guard: lock
};

} // namespace hiaix

/* A graph of this process, by its id. The object does not keep the graph alive. */
class Graph {
  public:
    explicit Graph(uint32_t graphID) : id(graphID) {
    }

    static HIAI_StatusT CreateGraph(const std::string &configFile) {
        return HIAI_CreateGraph(configFile.c_str(), configFile.size());
    }

    /* Also removes the graph's receivers and event handles. */
    static HIAI_StatusT DestroyGraph(uint32_t graphID) {
        HIAI_StatusT status = HIAI_DestroyGraph(graphID);
        if (status == HIAI_OK) {
            hiaix::Receivers::forget(graphID);
            hiaix::Watchers::forget(graphID);
        }
        return status;
    }

    /* Returns an empty pointer if the graph does not exist. */
    static std::shared_ptr<Graph> GetInstance(uint32_t graphID) {
        struct HIAIX_Stats stats;
        stats.size = sizeof stats;
        return HIAIX_Stats(graphID, &stats) == HIAI_OK ? std::make_shared<Graph>(graphID)
                                                       : std::shared_ptr<Graph>();
    }

    /* Like HIAI_SetDataRecvFunctor(), for at most 64 ports of a process: else MEMORY_EXHAUSTED. */
    static HIAI_StatusT SetDataRecvFunctor(const EnginePortID &target,
                                           const std::shared_ptr<DataRecvInterface> &dataRecv) {
        return hiaix::Receivers::set({target.graph_id, target.engine_id, target.port_id}, dataRecv);
    }

    /* Like HIAIX_SendData(), for up to 16 times `timeOut` ms. */
    HIAI_StatusT SendData(const EnginePortID &target, const std::string &messageName,
                          const std::shared_ptr<void> &dataPtr,
                          const uint32_t timeOut = SEND_DATA_DEFAULT_TIME_OUT) {
        HIAI_PortID_t port = {target.graph_id, target.engine_id, target.port_id};
        return hiaix::SendShared(dataPtr, [&](void *message) {
            return HIAIX_SendData(port, messageName.c_str(), message, hiaix::AllAttempts(timeOut));
        });
    }

    /* Calls HIAI_DFree(); for old deleters of received blocks. */
    static void ReleaseDataBuffer(void *ptr) {
        (void)HIAI_DFree(ptr);
    }

    /* Like HIAIX_RegisterEventHandle(); an empty function removes it. */
    HIAI_StatusT RegisterEventHandle(const HIAIEvent &event,
                                     const std::function<HIAI_StatusT(void)> &callBack) {
        return hiaix::Watchers::set(id, event, callBack);
    }

  private:
    uint32_t id;
};

} // namespace hiai

/* Like HIAIX_SendData(): waits up to `timeOut` ms; 0 does not wait. */
inline HIAI_StatusT HIAI_SendData(HIAI_PortID_t targetPortConfig, const std::string &messageName,
                                  std::shared_ptr<void> &dataPtr, const uint32_t timeOut = 0) {
    return hiai::hiaix::SendShared(dataPtr, [&](void *message) {
        return HIAIX_SendData(targetPortConfig, messageName.c_str(), message, timeOut);
    });
}
#endif
#endif
