/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/data_type_reg.h - the registration of message types. HIAI_REGISTER_DATA_TYPE takes
 * types that the cereal library can serialize, and everything is copied. HIAI_REGISTER_SERIALIZE_FUNC
 * takes two functions, and a block is handed over without a copy. A name may have both: then sends
 * use the second. Without cereal (libcereal-dev) only the second exists.
 */
#ifndef HIAIENGINE_DATA_TYPE_REG_H
#define HIAIENGINE_DATA_TYPE_REG_H

#include <hiaiengine/log.h>

#ifdef __cplusplus
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <hiaiengine/hiaix_message.h>

#ifdef __has_include
#if __has_include(<cereal/cereal.hpp>)
#define HIAIX_HAS_CEREAL 1
#endif
#endif

#ifdef HIAIX_HAS_CEREAL
#include <cereal/archives/binary.hpp>
#include <cereal/archives/portable_binary.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/unordered_map.hpp>
#include <cereal/types/vector.hpp>
#endif

using std::string; /* programs for Matrix rely on it */
using std::vector;

namespace hiai {

/*
 * Serializes a message for the other side: sets the bytes to copy, and names the block (NULL or 0
 * bytes: none). std::bad_alloc fails the send with MEMORY_EXHAUSTED, any other exception with
 * HIAI_ERROR.
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

namespace hiaix {

/* A type with two functions of the program. */
struct FastConverter : Converter {
    FastConverter(HIAI_SerializeFuncT serializer, HIAI_DeserializeFuncT deserializer)
        : serialize(serializer), deserialize(deserializer) {}
    void Write(void *message, Bytes &bytes) const override {
        serialize(message, bytes.ctrl, bytes.data, bytes.dataLen);
    }
    Pointer Read(const HIAIX_Bytes &bytes) const override {
        return deserialize(static_cast<const char *>(bytes.ctrl),
                           static_cast<uint32_t>(bytes.ctrlLen),
                           static_cast<const uint8_t *>(bytes.data), bytes.dataLen);
    }
    bool IsComplete() const override { return serialize != nullptr && deserialize != nullptr; }
    HIAI_SerializeFuncT serialize;
    HIAI_DeserializeFuncT deserialize;
};

#ifdef HIAIX_HAS_CEREAL
/* Reads an archive in place. */
class ArchiveBuffer : public std::streambuf {
  public:
    ArchiveBuffer(const void *bytes, size_t length) {
        char *begin = const_cast<char *>(static_cast<const char *>(bytes));
        setg(begin, begin, begin + length);
    }
};

/* A type that cereal can serialize. */
template <typename T> struct CommonConverter : Converter {
    void Write(void *message, Bytes &bytes) const override {
        std::ostringstream stream(std::ios::binary);
        {
            cereal::PortableBinaryOutputArchive archive(stream);
            archive(*static_cast<T *>(message));
        }
        bytes.ctrl = stream.str();
    }
    Pointer Read(const HIAIX_Bytes &bytes) const override {
        if (bytes.ctrlLen == 0 || *static_cast<const char *>(bytes.ctrl) != 1)
            throw cereal::Exception("an archive of another byte order");
        ArchiveBuffer buffer(bytes.ctrl, bytes.ctrlLen);
        std::istream stream(&buffer);
        cereal::PortableBinaryInputArchive archive(stream);
        const std::shared_ptr<T> message = std::make_shared<T>();
        archive(*message);
        return message;
    }
};
#endif

} // namespace hiaix
} // namespace hiai

/* Each of these is used at file scope, with or without a semicolon behind it. It registers before
 * main(), or when a shared object is opened, and unregisters at the end. */
#define HIAI_REGISTER_SERIALIZE_FUNC(name, type, hiaiSerializeFunc, hiaiDeSerializeFunc)           \
    static_assert(sizeof(type) > 0, "the type of the message must be known");                      \
    static const ::hiai::hiaix::TypeRegistrar<::hiai::hiaix::FastConverter> HIAIX_CONCAT(          \
        g_hiaix_fast_,                                                                             \
        __COUNTER__)((name), HIAIX_PATH_FAST,                                                      \
                     ::hiai::hiaix::FastConverter((hiaiSerializeFunc), (hiaiDeSerializeFunc)));

#ifdef HIAIX_HAS_CEREAL
#define HIAI_REGISTER_DATA_TYPE(name, ...)                                                         \
    static const ::hiai::hiaix::TypeRegistrar<::hiai::hiaix::CommonConverter<__VA_ARGS__>>         \
        HIAIX_CONCAT(g_hiaix_common_, __COUNTER__)((name), HIAIX_PATH_COMMON,                      \
                                                   ::hiai::hiaix::CommonConverter<__VA_ARGS__>());

#define HIAI_REGISTER_TEMPLATE_DATA_TYPE(name, type, ...)                                          \
    HIAI_REGISTER_DATA_TYPE(name, type<__VA_ARGS__>)
#else
#define HIAI_REGISTER_DATA_TYPE(name, ...)                                                         \
    static_assert(sizeof(name) == 0, "HIAI_REGISTER_DATA_TYPE needs cereal (libcereal-dev)");
#define HIAI_REGISTER_TEMPLATE_DATA_TYPE(name, ...)                                                \
    static_assert(sizeof(name) == 0,                                                               \
                  "HIAI_REGISTER_TEMPLATE_DATA_TYPE needs cereal (libcereal-dev)");
#endif

/* A member function that archives the listed members in their order. */
#define HIAI_SERIALIZE(...)                                                                        \
    template <class Archive> void serialize(Archive &ar) { ar(__VA_ARGS__); }

#endif
#endif
