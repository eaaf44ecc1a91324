/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/hiaix_builtin.h - the message types that every process knows without the cereal
 * library: "string", "vector_uint8_t", "vector_float" and "RawDataBuffer". Their bytes are those of
 * cereal's portable archive.
 */
#ifndef HIAIENGINE_HIAIX_BUILTIN_H
#define HIAIENGINE_HIAIX_BUILTIN_H

#include <hiaiengine/hiaix_message.h>

#ifdef __cplusplus
#include <stdexcept>

namespace hiai {

struct RawDataBuffer {
    uint32_t len_of_byte = 0;
    std::shared_ptr<uint8_t> data;
};

namespace hiaix {

/* ---- the archive: 1 for little endian, then the fields without padding */

template <typename T> void Put(std::string &bytes, const T &value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
}

struct ArchiveReader {
    const char *at;
    size_t left;

    void get(void *to, size_t bytes) {
        if (bytes > left) {
            throw std::length_error("an archive ends early");
        }
        if (bytes != 0) {
            std::memcpy(to, at, bytes);
        }
        at += bytes;
        left -= bytes;
    }
    template <typename T> T number() {
        T value;
        get(&value, sizeof value);
        return value;
    }
    /* The size of an array whose elements follow. */
    size_t count(size_t elementSize) {
        const uint64_t count = number<uint64_t>();
        if (count > left / elementSize) {
            throw std::length_error("an archive ends early");
        }
        return static_cast<size_t>(count);
    }
};

/* std::string and std::vector of numbers. */
template <typename T> struct ArrayArchive {
    static void write(const T &array, std::string &bytes) {
        Put(bytes, static_cast<uint64_t>(array.size()));
        bytes.append(reinterpret_cast<const char *>(array.data()),
                     array.size() * sizeof(typename T::value_type));
    }
    static void read(ArchiveReader &reader, T &array) {
        array.resize(reader.count(sizeof(typename T::value_type)));
        reader.get(array.empty() ? nullptr : &array[0],
                   array.size() * sizeof(typename T::value_type));
    }
};

struct RawDataArchive {
    static void write(const RawDataBuffer &raw, std::string &bytes) {
        Put(bytes, raw.len_of_byte);
        if (raw.data) {
            bytes.append(reinterpret_cast<const char *>(raw.data.get()), raw.len_of_byte);
        } else {
            bytes.append(raw.len_of_byte, '\0');
        }
    }
    static void read(ArchiveReader &reader, RawDataBuffer &raw) {
        raw.len_of_byte = reader.number<uint32_t>();
        if (raw.len_of_byte > reader.left) {
            throw std::length_error("an archive ends early");
        }
        if (raw.len_of_byte > 0) {
            raw.data.reset(new uint8_t[raw.len_of_byte], std::default_delete<uint8_t[]>());
            reader.get(raw.data.get(), raw.len_of_byte);
        }
    }
};

template <typename T, typename Archive> class BuiltinConverter : public Converter {
  public:
    void Write(void *message, Bytes &bytes) const override {
        bytes.ctrl.assign(1, '\1');
        Archive::write(*static_cast<const T *>(message), bytes.ctrl);
    }
    Pointer Read(const HIAIX_Bytes &bytes) const override {
        ArchiveReader reader = {static_cast<const char *>(bytes.ctrl), bytes.ctrlLen};
        const std::shared_ptr<T> message = std::make_shared<T>();
        if (reader.number<char>() != 1) {
            throw std::length_error("an archive of another byte order");
        }
        Archive::read(reader, *message);
        return message;
    }
    static const Converter *Get() {
        static const BuiltinConverter converter{};
        return &converter;
    }
};

/* Registers the types, once. CreateGraph() and the registration of an engine call it. */
inline void RegisterBuiltins() {
    struct Once {
        Once() {
            typedef std::vector<uint8_t> Octets;
            typedef std::vector<float> Floats;
            add("string", BuiltinConverter<std::string, ArrayArchive<std::string>>::Get());
            add("vector_uint8_t", BuiltinConverter<Octets, ArrayArchive<Octets>>::Get());
            add("vector_float", BuiltinConverter<Floats, ArrayArchive<Floats>>::Get());
            add("RawDataBuffer", BuiltinConverter<RawDataBuffer, RawDataArchive>::Get());
        }
        static void add(const char *name, const Converter *converter) {
            (void)Register(name, HIAIX_PATH_COMMON, converter);
        }
    };
    static const Once once;
    (void)once;
}

} // namespace hiaix
} // namespace hiai
#endif
#endif
