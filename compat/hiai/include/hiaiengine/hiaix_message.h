/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/hiaix_message.h - messages as shared pointers: how the library shares them, and the
 * registration of message types. Exceptions of the program's functions end here.
 */
#ifndef HIAIENGINE_HIAIX_MESSAGE_H
#define HIAIENGINE_HIAIX_MESSAGE_H

#include <hiaiengine/hiaix_hooks.h>

#ifdef __cplusplus
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace hiai {
namespace hiaix {

/* Calls a function of the program. Returns MEMORY_EXHAUSTED for std::bad_alloc, and HIAI_EXCEPTION
 * with a record in the log for other exceptions. */
template <typename Call> HIAI_StatusT Guarded(Call call) noexcept {
    const HIAIX_LogPlace place = {"exception", "", 0, nullptr, nullptr};
    try {
        return call();
    } catch (const std::bad_alloc &) {
        return HIAI_MEMORY_EXHAUSTED;
    } catch (const std::exception &exception) {
        HIAIX_LogWrite(HIAI_ERROR, &place, exception.what());
        return HIAI_EXCEPTION;
    } catch (...) {
        HIAIX_LogWrite(HIAI_ERROR, &place, "of an unknown type");
        return HIAI_EXCEPTION;
    }
}

/* ---- owners */

typedef std::shared_ptr<void> Pointer;

struct PointerOps {
    static void *copy(void *owner) {
        return new (std::nothrow) Pointer(*static_cast<const Pointer *>(owner));
    }
    static void release(void *owner) { delete static_cast<Pointer *>(owner); }
    static const HIAIX_OwnerOps *ops() {
        static const HIAIX_OwnerOps all = {HIAIX_OWNER_SHARED_PTR, copy, release};
        return &all;
    }
};

/* Returns a pointer to a message, which takes the owner of the message. */
inline Pointer Take(HIAIX_Message &message) {
    const HIAIX_OwnerOps *const ops = message.ops;
    void *const owner = message.owner;
    if (ops == nullptr || owner == nullptr) /* sent by HIAI_C_SendData(), and the sender's */
        return Pointer(message.msg, [](void *) {});
    message.owner = nullptr;
    if (ops->kind == HIAIX_OWNER_SHARED_PTR) {
        Pointer pointer(std::move(*static_cast<Pointer *>(owner)));
        ops->release(owner);
        return pointer;
    }
    return Pointer(message.msg, [ops, owner](void *) { ops->release(owner); });
}

/* Returns a pointer to a message, which keeps its owner. */
inline Pointer Borrow(HIAIX_Message &message) {
    if (message.ops != nullptr && message.ops->kind == HIAIX_OWNER_SHARED_PTR)
        return *static_cast<const Pointer *>(message.owner);
    HIAIX_Message copy = message;
    if (message.ops != nullptr) {
        copy.owner = message.ops->copy(message.owner);
        if (copy.owner == nullptr) throw std::bad_alloc();
    }
    return Take(copy);
}

/* Sends by `call`, a function of hiaix_hooks.h with all arguments except the message. */
template <typename Call> HIAI_StatusT Send(const Pointer &pointer, Call call) {
    const HIAIX_Message message = {pointer.get(), const_cast<Pointer *>(&pointer),
                                   PointerOps::ops()};
    return call(&message);
}

/* Returns the time of 16 attempts. */
inline uint32_t AllAttempts(uint32_t timeOut) {
    return timeOut > UINT32_MAX / 16 ? UINT32_MAX : timeOut * 16;
}

/* ---- message types */

/* The bytes of a message, which live until the library releases them. */
struct Bytes {
    std::string ctrl;
    uint8_t *data = nullptr;
    uint32_t dataLen = 0;
};

/* How a type of the program is written and read. It lives as long as its registration. */
class Converter {
  public:
    virtual void Write(void *message, Bytes &bytes) const = 0;
    virtual Pointer Read(const HIAIX_Bytes &bytes) const = 0;
    virtual bool IsComplete() const { return true; }

  protected:
    ~Converter() = default;
};

struct ConverterHooks {
    static HIAI_StatusT write(const void *msg, HIAIX_Bytes *out, void *arg) {
        std::unique_ptr<Bytes> bytes;
        const HIAI_StatusT status = Guarded([&]() -> HIAI_StatusT {
            bytes.reset(new Bytes());
            static_cast<const Converter *>(arg)->Write(const_cast<void *>(msg), *bytes);
            return HIAI_OK;
        });
        if (status != HIAI_OK)
            return status == HIAI_EXCEPTION ? static_cast<HIAI_StatusT>(HIAI_ERROR) : status;
        out->ctrl = bytes->ctrl.data();
        out->ctrlLen = bytes->ctrl.size();
        out->data = bytes->data;
        out->dataLen = bytes->dataLen;
        out->keep = bytes.release();
        return HIAI_OK;
    }
    static void release(void *keep) { delete static_cast<Bytes *>(keep); }
    static HIAI_StatusT read(const HIAIX_Bytes *in, HIAIX_Message *out, void *arg) {
        return Guarded([&]() -> HIAI_StatusT {
            std::unique_ptr<Pointer> owner(new Pointer());
            *owner = static_cast<const Converter *>(arg)->Read(*in);
            if (!*owner) return HIAI_ERROR;
            *out = {owner->get(), owner.get(), PointerOps::ops()};
            (void)owner.release();
            return HIAI_OK;
        });
    }
};

inline HIAI_StatusT Register(const char *name, HIAIX_Path path, const Converter *converter) {
    const HIAIX_MessageType type = {ConverterHooks::write, ConverterHooks::release,
                                    ConverterHooks::read, const_cast<Converter *>(converter)};
    return HIAIX_RegisterMessageType(name, path, &type);
}

/* A message type, registered while the object lives. The first registration of a name stays. */
template <typename Kind> class TypeRegistrar {
  public:
    TypeRegistrar(const char *typeName, HIAIX_Path typePath, const Kind &typeKind)
        : kind(typeKind), name(typeName), path(typePath),
          status(kind.IsComplete() ? Register(typeName, typePath, &kind)
                                   : HIAI_ENGINE_FUNCTOR_NULL) {}
    ~TypeRegistrar() {
        if (status == HIAI_OK) (void)HIAIX_UnregisterMessageType(name.c_str(), path);
    }
    TypeRegistrar(const TypeRegistrar &) = delete;
    TypeRegistrar &operator=(const TypeRegistrar &) = delete;

    HIAI_StatusT Status() const { return status; }

  private:
    const Kind kind;
    const std::string name;
    const HIAIX_Path path;
    const HIAI_StatusT status;
};

} // namespace hiaix
} // namespace hiai
#endif
#endif
