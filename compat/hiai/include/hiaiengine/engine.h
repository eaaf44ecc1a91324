/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/engine.h - engines as classes. A class derives from hiai::Engine, declares its ports by
 * HIAI_DEFINE_PROCESS, and defines and registers its Process by HIAI_IMPL_ENGINE_PROCESS. The
 * library makes one object for each entry of a graph file.
 */
#ifndef HIAIENGINE_ENGINE_H
#define HIAIENGINE_ENGINE_H

#include <hiaiengine/ai_tensor.h>
#include <hiaiengine/ai_types.h>
#include <hiaiengine/graph.h>
#include <hiaiengine/hiaix_args.h>

#ifdef __cplusplus
namespace hiai {

constexpr uint32_t TIME_OUT_VALUE = 500; /* ms, for one attempt */
constexpr int32_t ENGINE_MAX_QUEUE_SIZE = 200;
constexpr uint32_t QUEUE_START_INDEX = 0;
constexpr uint32_t IN_QUEUE = 0;
constexpr uint32_t OUT_QUEUE = 1;
constexpr uint32_t REMOVE_MODEL_FILE_FLAG = 0;

struct HIAIEngineProfile {
    uint64_t costTime;
    uint64_t averageTime;
    uint32_t runTimes;
};

namespace hiaix {
struct EngineHooks;
}

class Engine {
  public:
    Engine() = default;
    virtual ~Engine() = default;
    Engine(const Engine &) = delete;
    Engine &operator=(const Engine &) = delete;
    Engine(Engine &&) = delete;
    Engine &operator=(Engine &&) = delete;

    /* Called once, after all engines of the side were constructed and before any Process. Another
     * status than HIAI_OK, or an exception, fails CreateGraph() with ENGINE_INIT_FAILED. */
    virtual HIAI_StatusT Init(const AIConfig &, const std::vector<AIModelDescription> &) {
        return HIAI_OK;
    }

    /* Called by Graph::UpdateEngineConfig(), maybe while Process runs. */
    virtual HIAI_StatusT UpdateConfig(const AIConfig &) { return HIAI_OK; }

    uint32_t GetEngineId() const { return HIAIX_GetEngineId(self).engine_id; }
    uint32_t GetGraphId() const { return HIAIX_GetEngineId(self).graph_id; }
    const std::string &GetEngineName() const { return name; }
    uint64_t GetReqId() const { return 0; }
    uint64_t GetJobId() const { return 0; }
    uint32_t GetQueueMaxSize() const { return HIAIX_GetQueueMaxSize(self); }
    uint32_t GetQueueCurrentSize(const uint32_t portID) const {
        return HIAIX_GetQueueCurrentSize(self, portID);
    }

    /* Like HIAIX_EngineSendData(), for up to 16 times `timeOut` ms. Any thread may send while the
     * object lives. */
    HIAI_StatusT SendData(const uint32_t portId, const std::string &messageName,
                          const std::shared_ptr<void> &dataPtr,
                          const uint32_t timeOut = TIME_OUT_VALUE) {
        if (self == nullptr) /* within the constructor */
            return HIAI_GRAPH_NOT_EXIST;
        return hiaix::Send(dataPtr, [&](const HIAIX_Message *message) {
            return HIAIX_EngineSendMessage(self, portId, messageName.c_str(), message,
                                           hiaix::AllAttempts(timeOut));
        });
    }

  protected:
    /* Gets one argument for each input port. The one of the message's port has it, the others are
     * empty. The status is logged and counted. An exception counts as HIAI_EXCEPTION. */
    virtual HIAI_StatusT Run(std::vector<std::shared_ptr<void>> &args) = 0;
    virtual HIAI_StatusT InitMsgQueue() = 0;

    HIAI_StatusT InitQueue(const uint32_t &in, const uint32_t &out) {
        inputs = in;
        return HIAIX_SetPorts(self, in, out);
    }

    HIAI_StatusT SetDataRecvFunctor(const uint32_t portId,
                                    const std::shared_ptr<DataRecvInterface> &dataRecv) {
        return hiaix::SetReceiver({GetGraphId(), GetEngineId(), portId}, dataRecv);
    }

  private:
    friend struct hiaix::EngineHooks;
    HIAIX_Engine *self = nullptr;
    std::string name;
    uint32_t inputs = 0;
};

/* Makes an engine; NULL fails the graph with MEMORY_EXHAUSTED. */
typedef Engine *(*HIAI_ENGINE_FUNCTOR_CREATOR)();

namespace hiaix {

/* An engine's object as the library calls it. */
struct EngineHooks {
    HIAI_ENGINE_FUNCTOR_CREATOR creator;

    static HIAI_StatusT create(HIAIX_Engine *self, void **object, void *arg) {
        const HIAI_StatusT status = Guarded([&]() -> HIAI_StatusT {
            std::unique_ptr<Engine> engine(static_cast<const EngineHooks *>(arg)->creator());
            if (!engine) return HIAI_MEMORY_EXHAUSTED;
            engine->self = self;
            engine->name = HIAIX_GetEngineName(self);
            const HIAI_StatusT ports = engine->InitMsgQueue();
            if (ports == HIAI_OK) *object = engine.release();
            return ports;
        });
        return status == HIAI_EXCEPTION ? HIAI_GRAPH_CREATE_ENGINE_FAILED : status;
    }
    static HIAI_StatusT init(HIAIX_Engine *self, void *object) {
        return Guarded([&]() -> HIAI_StatusT {
            EngineConfig config;
            if (!Parse(HIAIX_GetEngineText(self), config))
                return HIAI_GRAPH_PROTO_FILE_PARSE_FAILED;
            const std::vector<AIModelDescription> models(config.ai_model().begin(),
                                                         config.ai_model().end());
            return static_cast<Engine *>(object)->Init(config.ai_config(), models);
        });
    }
    static HIAI_StatusT process(HIAIX_Engine *, uint32_t port, HIAIX_Message *message,
                                void *object) {
        return Guarded([&] {
            Engine *const engine = static_cast<Engine *>(object);
            std::vector<std::shared_ptr<void>> args(engine->inputs);
            args.at(port) = Take(*message);
            return engine->Run(args);
        });
    }
    static HIAI_StatusT update(HIAIX_Engine *, const char *text, size_t length, void *object) {
        return Guarded([&]() -> HIAI_StatusT {
            AIConfig config;
            return Parse(std::string(text, length), config)
                       ? static_cast<Engine *>(object)->UpdateConfig(config)
                       : static_cast<HIAI_StatusT>(HIAI_ERROR);
        });
    }
    static void destroy(void *object) { delete static_cast<Engine *>(object); }
};

template <typename T> Engine *CreateEngine() { return new (std::nothrow) T; }

} // namespace hiaix

/* The engines of this process by name. The first registration of a name stays. */
class HIAIEngineFactory {
  public:
    static HIAIEngineFactory *GetInstance() {
        static HIAIEngineFactory *const factory = new HIAIEngineFactory();
        return factory;
    }

    /* ENGINE_FUNCTOR_NULL, ENGINE_FUNCTOR_EXIST, INVALID_VALUE, MEMORY_EXHAUSTED. */
    HIAI_StatusT RegisterEngineCreator(const std::string &engineName,
                                       HIAI_ENGINE_FUNCTOR_CREATOR engineCreatorFunc) {
        if (engineCreatorFunc == nullptr) return HIAI_ENGINE_FUNCTOR_NULL;
        return hiaix::Guarded([&] {
            hiaix::RegisterBuiltins();
            std::lock_guard<std::mutex> guard(lock);
            hooks.push_back({engineCreatorFunc});
            const HIAIX_EngineClass all = {HIAIX_ENGINE_CPLUSPLUS,
                                           hiaix::EngineHooks::create,
                                           hiaix::EngineHooks::init,
                                           hiaix::EngineHooks::process,
                                           hiaix::EngineHooks::update,
                                           hiaix::EngineHooks::destroy,
                                           &hooks.back()};
            return HIAIX_RegisterEngineClass(engineName.c_str(), &all);
        });
    }

    HIAI_StatusT UnRegisterEngineCreator(const std::string &engineName) {
        return HIAIX_UnregisterEngine(engineName.c_str());
    }

  private:
    HIAIEngineFactory() = default;
    std::mutex lock;
    std::list<hiaix::EngineHooks> hooks; /* guard: lock; never shorter, because graphs use them */
};

class HIAIEngineAutoRegister {
  public:
    HIAIEngineAutoRegister(const std::string &name, HIAI_ENGINE_FUNCTOR_CREATOR creator)
        : engineName(name),
          status(HIAIEngineFactory::GetInstance()->RegisterEngineCreator(name, creator)) {}
    ~HIAIEngineAutoRegister() {
        if (status == HIAI_OK)
            (void)HIAIEngineFactory::GetInstance()->UnRegisterEngineCreator(engineName);
    }
    HIAIEngineAutoRegister(const HIAIEngineAutoRegister &) = delete;
    HIAIEngineAutoRegister &operator=(const HIAIEngineAutoRegister &) = delete;

  private:
    const std::string engineName;
    const HIAI_StatusT status;
};

inline std::shared_ptr<Engine> Graph::GetEngine(const uint32_t &engineId) {
    void *const object = HIAIX_GetObject(id, engineId, HIAIX_ENGINE_CPLUSPLUS);
    return std::shared_ptr<Engine>(static_cast<Engine *>(object), [](Engine *) {});
}

} // namespace hiai

/* Of the parameters before the engine. */
#define HIAIX_LOG_OF_ENGINE(...)                                                                   \
    inline void HIAI_ENGINE_LOG_IMPL(__VA_ARGS__, const hiai::Engine *engine, uint32_t errorCode,  \
                                     const char *format, ...) {                                    \
        const uint32_t graph = engine != nullptr ? engine->GetGraphId() : 0;                       \
        const uint32_t id = engine != nullptr ? engine->GetEngineId() : 0;                         \
        HIAIX_LOG_(::hiai::hiaix::LevelOf(errorCode), engine != nullptr ? &graph : nullptr,        \
                   engine != nullptr ? &id : nullptr);                                             \
    }
HIAIX_LOG_OF_ENGINE(const char *function, const char *file, int line)
HIAIX_LOG_OF_ENGINE(const char *function, const char *file, int line, int32_t)
#undef HIAIX_LOG_OF_ENGINE

#define HIAI_ENGINE_NAME(x) HIAIEngine##x

/* In a class: its numbers of input and output ports, literals from 1 to 16. The class has a member
 * Process(std::shared_ptr<void> &arg0, ...) then, and what follows is protected. */
#define HIAI_DEFINE_PROCESS(inputPortNum, outputPortNum)                                           \
  protected:                                                                                       \
    HIAI_StatusT InitMsgQueue() override {                                                         \
        return this->InitQueue((inputPortNum), (outputPortNum));                                   \
    }                                                                                              \
    HIAI_StatusT Run(std::vector<std::shared_ptr<void>> &args) override {                          \
        return args.size() < static_cast<size_t>(inputPortNum)                                     \
                   ? HIAI_ENGINE_RUN_ARGS_NOT_RIGHT                                                \
                   : this->Process(HIAI_ARGS_LIST(inputPortNum));                                  \
    }                                                                                              \
    HIAI_StatusT Process(HIAI_INPUT_ARGS(inputPortNum));

/* Registers a class under a name, before main() or when a shared object is opened. */
#define HIAI_REGISTER_ENGINE_UNIQUE(name, engineClass, ctr)                                        \
    static const ::hiai::HIAIEngineAutoRegister HIAIX_CONCAT(g_hiaix_engine_, ctr)(                \
        name, ::hiai::hiaix::CreateEngine<engineClass>);

/* Registers a class and begins the definition of its Process. */
#define HIAI_IMPL_ENGINE_PROCESS(name, engineClass, inPortNum)                                     \
    HIAI_REGISTER_ENGINE_UNIQUE(name, engineClass, __COUNTER__)                                    \
    HIAI_StatusT engineClass::Process(HIAI_INPUT_ARGS(inPortNum))
#endif
#endif
