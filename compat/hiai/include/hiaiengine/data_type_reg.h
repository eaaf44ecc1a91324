/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/data_type_reg.h - message types in C++: serializers with std::string, and messages
 * that live as long as a std::shared_ptr to them.
 *
 * HIAI_REGISTER_DATA_TYPE, which copies everything by the cereal library, is not supported: use
 * HIAI_REGISTER_SERIALIZE_FUNC.
 */
#ifndef HIAIENGINE_DATA_TYPE_REG_H
#define HIAIENGINE_DATA_TYPE_REG_H

#include <hiaiengine/hiaix.h>

#ifdef __cplusplus
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <unordered_map>

namespace hiai {

/*
 * Serializes a message for the other side: sets the bytes to copy, and names the block (NULL or 0
 * bytes: none). Called twice if the bytes to copy are long. std::bad_alloc fails the send with
 * MEMORY_EXHAUSTED, any other exception with HIAI_ERROR.
 */
typedef void (*HIAI_SerializeFuncT)(void *inputPtr, std::string &ctrlStr, uint8_t *&dataPtr,
                                    uint32_t &dataLen);

/*
 * Makes a message of received bytes. `ctrlPtr` is valid during the call. `dataPtr`, unless NULL, is
 * a block that the message owns from now on: HIAIMemory::HIAI_DFree() frees it. `dataLen` is its
 * length as sent. An empty pointer or an exception rejects the message, and the block returns to
 * its owner.
 */
typedef std::shared_ptr<void> (*HIAI_DeserializeFuncT)(const char *ctrlPtr, const uint32_t &ctrlLen,
                                                       const uint8_t *dataPtr,
                                                       const uint32_t &dataLen);

/* Additions of this library. */
namespace hiaix {

/*
 * The messages that the library manages, each kept alive by a pointer here. The library knows a
 * message by its address. The table itself is never destroyed, because the library's threads may
 * outlive the program's statics.
 */
class Alive {
  public:
    static void keep(const std::shared_ptr<void> &message) {
        std::lock_guard<std::mutex> guard(all().lock);
        all().kept[message.get()] = message;
    }

    /* A HIAIX_DestroyT, called when the library's last user has finished. */
    static void forget(void *message, void *) {
        std::shared_ptr<void> last; // released after the lock
        std::lock_guard<std::mutex> guard(all().lock);
        auto at = all().kept.find(message);
        if (at != all().kept.end()) {
            last.swap(at->second);
            all().kept.erase(at);
        }
    }

    /* Returns a shared pointer to a message that an engine or callback got. It owns nothing if the
     * message is not managed. */
    static std::shared_ptr<void> find(void *message) {
        std::lock_guard<std::mutex> guard(all().lock);
        auto at = all().kept.find(message);
        return at != all().kept.end() ? at->second : std::shared_ptr<void>(message, [](void *) {});
    }

  private:
    static Alive &all() {
        static Alive *const alive = new Alive;
        return *alive;
    }

    std::mutex lock;
    std::unordered_map<void *, std::shared_ptr<void>> kept; // guard: lock
};

/* A message type, registered while the object lives. The first registration of a name stays. */
class Serializer {
  public:
    Serializer(const char *kind, HIAI_SerializeFuncT serializer, HIAI_DeserializeFuncT deserializer)
        : name(kind), serialize(serializer), deserialize(deserializer),
          registered(HIAIX_RegisterSerialize(kind, serializer != nullptr ? write : nullptr,
                                             deserializer != nullptr ? read : nullptr,
                                             Alive::forget, this)) {
    }

    ~Serializer() {
        if (registered == HIAI_OK) {
            (void)HIAIX_UnregisterSerialize(name.c_str());
        }
    }

    Serializer(const Serializer &) = delete;
    Serializer &operator=(const Serializer &) = delete;

    /* Returns HIAI_OK, ENGINE_FUNCTOR_NULL, ENGINE_FUNCTOR_EXIST, INVALID_VALUE or
     * MEMORY_EXHAUSTED. */
    HIAI_StatusT Status() const {
        return registered;
    }

  private:
    static HIAI_StatusT write(const void *msg, void *ctrl, uint32_t *ctrlLen, uint8_t **data,
                              uint32_t *dataLen, void *arg) {
        const Serializer *self = static_cast<const Serializer *>(arg);
        uint32_t room = *ctrlLen;
        std::string text;
        try {
            self->serialize(const_cast<void *>(msg), text, *data, *dataLen);
        } catch (const std::bad_alloc &) {
            return HIAI_MEMORY_EXHAUSTED;
        } catch (...) {
            return HIAI_ERROR;
        }
        if (text.size() > UINT32_MAX) {
            return HIAI_GRAPH_DATA_SIZE_WRONG;
        }
        *ctrlLen = static_cast<uint32_t>(text.size());
        if (text.size() > room) {
            return HIAI_GRAPH_TARGET_SIZE_ENOUGH;
        }
        if (!text.empty()) {
            std::memcpy(ctrl, text.data(), text.size());
        }
        return HIAI_OK;
    }

    static void *read(const void *ctrl, uint32_t ctrlLen, uint8_t *data, uint32_t dataLen,
                      void *arg) {
        const Serializer *self = static_cast<const Serializer *>(arg);
        try {
            std::shared_ptr<void> message =
                self->deserialize(static_cast<const char *>(ctrl), ctrlLen, data, dataLen);
            if (message) {
                Alive::keep(message);
            }
            return message.get();
        } catch (...) {
            return nullptr;
        }
    }

    const std::string name;
    const HIAI_SerializeFuncT serialize;
    const HIAI_DeserializeFuncT deserialize;
    const HIAI_StatusT registered;
};

/*
 * Sends a message that the caller shares with its local receivers. `call` is a send of hiaix.h with
 * all arguments except the message.
 */
template <typename Call> HIAI_StatusT SendShared(const std::shared_ptr<void> &message, Call call) {
    void *address = message.get();
    HIAI_StatusT adopted = HIAI_GRAPH_ID_EXIST; // managed already, or NULL
    if (address != nullptr) {
        adopted = HIAIX_Adopt(address, Alive::forget, nullptr);
    }
    if (adopted != HIAI_OK && adopted != HIAI_GRAPH_ID_EXIST) {
        return adopted;
    }
    HIAI_StatusT status = HIAI_MEMORY_EXHAUSTED;
    try {
        if (adopted == HIAI_OK) {
            Alive::keep(message);
        }
        status = call(address);
    } catch (const std::bad_alloc &) {
        status = HIAI_MEMORY_EXHAUSTED;
    }
    if (adopted == HIAI_OK) {
        (void)HIAIX_Release(address);
    }
    return status;
}

/* Returns the time of 16 attempts. */
inline uint32_t AllAttempts(uint32_t timeOut) {
    return timeOut > UINT32_MAX / 16 ? UINT32_MAX : timeOut * 16;
}

} // namespace hiaix
} // namespace hiai

/* Registers before main(), or when a shared object is opened, and unregisters at the end. Use it at
 * file scope. `Type` documents the message type. */
#define HIAI_REGISTER_SERIALIZE_FUNC(name, Type, hiaiSerializeFunc, hiaiDeSerializeFunc)           \
    static_assert(sizeof(Type) > 0, "the type of the message must be known");                      \
    static const ::hiai::hiaix::Serializer HIAIX_CONCAT(hiaix_serializer_, __LINE__)(              \
        (name), (hiaiSerializeFunc), (hiaiDeSerializeFunc))

#endif
#endif
