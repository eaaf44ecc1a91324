/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/engine.h - the calls of an engine, in C++. The vendor's programs derive from its class
 * and register by macros; neither is supported. Construct this class in the function of
 * HIAIX_RegisterEngine(), from its argument.
 */
#ifndef HIAIENGINE_ENGINE_H
#define HIAIENGINE_ENGINE_H

#include <hiaiengine/graph.h>

#ifdef __cplusplus
namespace hiai {

constexpr uint32_t TIME_OUT_VALUE = 500; /* ms, for one attempt */
constexpr uint32_t ENGINE_MAX_QUEUE_SIZE = 200;

class Engine {
  public:
    explicit Engine(HIAIX_Engine *engine) : self(engine) {
    }

    /* Returns a shared pointer to the message that the engine got. */
    static std::shared_ptr<void> Message(void *msg) {
        return hiaix::Alive::find(msg);
    }

    /* Like HIAIX_EngineSendData(), for up to 16 times `timeOut` ms. */
    HIAI_StatusT SendData(uint32_t portId, const std::string &messageName,
                          const std::shared_ptr<void> &dataPtr, uint32_t timeOut = TIME_OUT_VALUE) {
        return hiaix::SendShared(dataPtr, [&](void *message) {
            return HIAIX_EngineSendData(self, portId, messageName.c_str(), message,
                                        hiaix::AllAttempts(timeOut));
        });
    }

    uint32_t GetQueueMaxSize() const {
        return HIAIX_GetQueueMaxSize(self);
    }

    uint32_t GetQueueCurrentSize(uint32_t portID) const {
        return HIAIX_GetQueueCurrentSize(self, portID);
    }

  private:
    HIAIX_Engine *self;
};

} // namespace hiai
#endif
#endif
