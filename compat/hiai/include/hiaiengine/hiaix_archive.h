/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/hiaix_archive.h - the bytes of the message types of Matrix: those of the portable
 * archive of the cereal library, which this header does not need. One function for each type lists
 * its fields, for writing and for reading. Programs' own types use cereal, see data_type_reg.h.
 */
#ifndef HIAIENGINE_HIAIX_ARCHIVE_H
#define HIAIENGINE_HIAIX_ARCHIVE_H

#include <hiaiengine/hiaix_message.h>

#ifdef __cplusplus
#include <map>
#include <stdexcept>
#include <type_traits>

namespace hiai {

struct RawDataBuffer;

namespace hiaix {

/* Writes fields or reads them, in the order of the calls and without padding. Reading throws where
 * the bytes end early. */
class Archive {
  public:
    /* Appends to `bytes`. */
    explicit Archive(std::string &bytes) : to(&bytes) {}
    Archive(const void *bytes, size_t length)
        : at(static_cast<const char *>(bytes)), left(length) {}

    template <typename... Fields> void operator()(Fields &...fields) {
        const int all[] = {0, (Value(fields), 0)...};
        (void)all;
    }

    /* `count` elements in memory of their own, which is allocated if there is none, in the writer
     * too. */
    template <typename T> void Elements(std::shared_ptr<T> &data, size_t count) {
        if (to == nullptr && count > left / sizeof(T)) EndEarly();
        if (count > 0 && !data)
            data.reset(to != nullptr ? new T[count]() : new T[count], std::default_delete<T[]>());
        Raw(data.get(), count * sizeof(T));
    }

  private:
    enum { MAX_DEPTH = 1000 }; /* of lists in lists, because each takes some of the stack */

    [[noreturn]] static void EndEarly() { throw std::length_error("an archive ends early"); }

    void Raw(void *data, size_t bytes) {
        if (to != nullptr) {
            if (bytes != 0) to->append(static_cast<const char *>(data), bytes);
            return;
        }
        if (bytes > left) EndEarly();
        if (bytes != 0) std::memcpy(data, at, bytes);
        at += bytes;
        left -= bytes;
    }

    /* The number of elements that follow, each of at least `elementSize` bytes. */
    size_t Count(size_t written, size_t elementSize) {
        uint64_t count = written;
        Raw(&count, sizeof count);
        if (to == nullptr && count > left / elementSize) EndEarly();
        return static_cast<size_t>(count);
    }

    template <typename T>
    typename std::enable_if<std::is_arithmetic<T>::value || std::is_enum<T>::value>::type
    Value(T &value) {
        Raw(&value, sizeof value);
    }

    template <typename T> typename std::enable_if<std::is_class<T>::value>::type Value(T &object) {
        object.serialize(*this);
    }

    void Value(RawDataBuffer &raw); /* in hiaix_builtin.h */

    void Value(std::string &text) { Numbers(text); }

    template <typename T>
    typename std::enable_if<std::is_arithmetic<T>::value>::type Value(std::vector<T> &list) {
        Numbers(list);
    }

    void Value(std::vector<bool> &list) {
        const size_t count = Count(list.size(), 1);
        for (size_t i = 0; i < count; i++) {
            bool one = to != nullptr && list[i];
            Raw(&one, 1);
            if (to == nullptr) list.push_back(one);
        }
    }

    template <typename T>
    typename std::enable_if<!std::is_arithmetic<T>::value>::type Value(std::vector<T> &list) {
        const size_t count = Count(list.size(), 1);
        if (++depth > MAX_DEPTH) throw std::length_error("lists in lists, too deep for an archive");
        for (size_t i = 0; i < count; i++) {
            if (to == nullptr) list.emplace_back();
            Value(list[i]);
        }
        depth--;
    }

    template <typename Key, typename T> void Value(std::map<Key, T> &map) {
        const size_t count = Count(map.size(), 1);
        if (to != nullptr) {
            for (auto &one : map) {
                Key key = one.first;
                (*this)(key, one.second);
            }
            return;
        }
        for (size_t i = 0; i < count; i++) {
            Key key;
            Value(key);
            Value(map[key]);
        }
    }

    /* A string or a vector of numbers. */
    template <typename T> void Numbers(T &array) {
        const size_t size = sizeof(typename T::value_type);
        array.resize(Count(array.size(), size));
        Raw(array.empty() ? nullptr : &array[0], array.size() * size);
    }

    std::string *const to = nullptr; /* NULL: reading */
    const char *at = nullptr;
    size_t left = 0;
    unsigned depth = 0;
};

/* Converts messages of one type. Its functions are of that type, and everything else is shared. */
class ArchiveConverter : public Converter {
  public:
    constexpr ArchiveConverter(void *(*makeIt)(), void (*destroyIt)(void *),
                               void (*fieldsOfIt)(Archive &, void *))
        : make(makeIt), destroy(destroyIt), fields(fieldsOfIt) {}
    void Write(void *message, Bytes &bytes) const override {
        char order = 1; /* little endian */
        Archive archive(bytes.ctrl);
        archive(order);
        fields(archive, message);
    }
    Pointer Read(const HIAIX_Bytes &bytes) const override {
        char order = 0;
        Archive archive(bytes.ctrl, bytes.ctrlLen);
        archive(order);
        if (order != 1) throw std::length_error("an archive of another byte order");
        Pointer message(make(), destroy);
        fields(archive, message.get());
        return message;
    }

  private:
    void *(*make)();
    void (*destroy)(void *object);
    void (*fields)(Archive &archive, void *object);
};

template <typename T> struct Archived {
    static void *make() { return new T(); }
    static void destroy(void *object) { delete static_cast<T *>(object); }
    static void fields(Archive &archive, void *object) { archive(*static_cast<T *>(object)); }
    static const Converter *Get() {
        static const ArchiveConverter converter(make, destroy, fields);
        return &converter;
    }
};

template <typename T> void RegisterArchived(const char *name) {
    (void)Register(name, HIAIX_PATH_COMMON, Archived<T>::Get());
}

} // namespace hiaix
} // namespace hiai
#endif
#endif
