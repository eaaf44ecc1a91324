/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/hiaix_text.h - messages of graph files without the protobuf library: fields, and text
 * that is read and written. proto/graph_config.pb.h and proto/ai_types.pb.h define the messages.
 * The reader expects text that HIAIX_CheckGraphText() has accepted, and skips what it does not know.
 */
#ifndef HIAIENGINE_HIAIX_TEXT_H
#define HIAIENGINE_HIAIX_TEXT_H

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hiai {
namespace hiaix {

/* A repeated field. Elements keep their addresses. T may be incomplete in declarations. */
template <typename T> class Repeated {
    typedef std::vector<std::unique_ptr<T>> Items;

    template <typename I, typename R> class Walk {
      public:
        typedef std::forward_iterator_tag iterator_category;
        typedef T value_type;
        typedef std::ptrdiff_t difference_type;
        typedef R *pointer;
        typedef R &reference;

        explicit Walk(I position) : at(position) {}
        R &operator*() const { return **at; }
        R *operator->() const { return at->get(); }
        Walk &operator++() {
            ++at;
            return *this;
        }
        Walk operator++(int) {
            Walk before = *this;
            ++at;
            return before;
        }
        bool operator!=(const Walk &other) const { return at != other.at; }
        bool operator==(const Walk &other) const { return at == other.at; }

      private:
        I at;
    };

  public:
    typedef Walk<typename Items::iterator, T> iterator;
    typedef Walk<typename Items::const_iterator, const T> const_iterator;

    Repeated() = default;
    Repeated(const Repeated &other) { append(other); }
    Repeated(Repeated &&other) noexcept = default;
    ~Repeated() = default;
    Repeated &operator=(const Repeated &other) {
        if (this != &other) {
            Repeated copy(other);
            items.swap(copy.items);
        }
        return *this;
    }
    Repeated &operator=(Repeated &&other) noexcept = default;

    int size() const { return static_cast<int>(items.size()); }
    bool empty() const { return items.empty(); }
    const T &Get(int i) const { return *items.at(static_cast<std::size_t>(i)); }
    const T &operator[](int i) const { return Get(i); }
    T *Mutable(int i) { return items.at(static_cast<std::size_t>(i)).get(); }
    T *Add() {
        items.push_back(std::unique_ptr<T>(new T()));
        return items.back().get();
    }
    void Clear() { items.clear(); }
    iterator begin() { return iterator(items.begin()); }
    iterator end() { return iterator(items.end()); }
    const_iterator begin() const { return const_iterator(items.begin()); }
    const_iterator end() const { return const_iterator(items.end()); }

  private:
    void append(const Repeated &other) {
        for (const T &item : other) *Add() = item;
    }

    Items items;
};

/* A message inside of a message, which knows whether it was set. */
template <typename T> struct Single {
    T value;
    bool has = false;
};

/* ---- writing */

class TextWriter {
  public:
    std::string text;

    template <typename T> void on(const char *name, const T &value) {
        if (value != T()) write(name, value);
    }
    template <typename T> void on(const char *name, const Single<T> &field) {
        if (field.has) write(name, field.value);
    }
    template <typename T> void on(const char *name, const Repeated<T> &field) {
        for (const T &item : field) write(name, item);
    }

  private:
    void write(const char *name, const std::string &value) {
        text.append(name).append(": \"");
        for (const char c : value) {
            if (c == '"' || c == '\\') {
                text.append(1, '\\').append(1, c);
            } else if (static_cast<unsigned char>(c) < 32) {
                char octal[8];
                std::snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned>(c));
                text.append(octal);
            } else {
                text.append(1, c);
            }
        }
        text.append("\"\n");
    }
    template <typename T>
    typename std::enable_if<std::is_arithmetic<T>::value || std::is_enum<T>::value>::type
    write(const char *name, const T &value) {
        const std::string number = std::to_string(static_cast<long long>(value));
        text.append(name).append(": ").append(number).append("\n");
    }
    template <typename T>
    typename std::enable_if<std::is_class<T>::value>::type write(const char *name,
                                                                 const T &message) {
        text.append(name).append(" {\n");
        message.hiaix_visit(*this);
        text.append("}\n");
    }
};

/* ---- reading */

class TextReader {
  public:
    explicit TextReader(const std::string &from)
        : text(from), at(text.data()), end(at + text.size()) {
        next();
    }

    /* Reads fields into a message until its end. */
    template <typename T> void message(T &value) {
        while (!word.empty() && word != "}" && word != ">" && at <= end && !over) {
            field = word;
            next();
            if (word == ":") next();
            found = false;
            value.hiaix_visit(*this);
            if (!found) skip();
            if (word == "," || word == ";") next();
        }
    }

    template <typename T> void on(const char *name, T &value) {
        if (!found && field == name) {
            found = true;
            read(value);
        }
    }

  private:
    void read(std::string &value) {
        value.clear();
        while (is_string && !over) { // adjacent strings are one
            value += word;
            next();
        }
    }
    template <typename T>
    typename std::enable_if<std::is_arithmetic<T>::value>::type read(T &value) {
        value = word == "true"    ? static_cast<T>(1)
                : word == "false" ? static_cast<T>(0)
                                  : static_cast<T>(std::strtoll(word.c_str(), nullptr, 0));
        next();
    }
    template <typename T> typename std::enable_if<std::is_enum<T>::value>::type read(T &value) {
        int number = 0;
        if (!hiaix_number_of(word, value)) {
            number = static_cast<int>(std::strtol(word.c_str(), nullptr, 0));
            value = static_cast<T>(number);
        }
        next();
    }
    template <typename T> typename std::enable_if<std::is_class<T>::value>::type read(T &value) {
        const std::string name = field;
        next();
        message(value);
        next();
        field = name;
        found = true;
    }
    template <typename T> void read(Single<T> &value) {
        value.has = true;
        read(value.value);
    }
    template <typename T> void read(Repeated<T> &value) {
        const bool list = word == "[" && !is_string;
        if (list) next();
        while (!(list && word == "]") && !over) {
            read(*value.Add());
            if (!list) return;
            if (word == ",") next();
        }
        next();
    }
    void skip() {
        int depth = 0;
        do {
            const bool opens = !is_string && (word == "{" || word == "<" || word == "[");
            const bool closes = !is_string && (word == "}" || word == ">" || word == "]");
            depth += opens ? 1 : closes ? -1 : 0;
            next();
        } while ((depth > 0 || is_string) && !over);
    }

    void next() {
        const std::string marks = "{}<>[],;:";
        word.clear();
        is_string = false;
        for (bool comment = false; at < end; ++at) { // and blanks
            comment = (comment || *at == '#') && *at != '\n';
            if (!comment && *at != ' ' && (*at < '\t' || *at > '\r')) break;
        }
        over = at >= end;
        if (over) return;
        if (*at == '"' || *at == '\'')
            string();
        else if (marks.find(*at) != std::string::npos)
            word.assign(1, *at++);
        else
            while (at < end && marks.find(*at) == std::string::npos && *at != '#' && *at > ' ')
                word.append(1, *at++);
    }
    void string() {
        const char quote = *at++;
        is_string = true;
        while (at < end && *at != quote) {
            word.append(1, *at == '\\' ? escape() : *at);
            ++at;
        }
        ++at;
    }
    char escape() {
        static const char letters[] = "abfnrtv";
        static const char meant[] = "\a\b\f\n\r\t\v";
        int value = 0, digits = 0;
        for (++at; digits < 3 && at < end && *at >= '0' && *at <= '7'; ++digits)
            value = value * 8 + (*at++ - '0');
        if (digits != 0) {
            --at;
            return static_cast<char>(value);
        }
        for (int i = 0; letters[i] != '\0' && at < end; i++)
            if (letters[i] == *at) return meant[i];
        return at < end ? *at : '\\';
    }

    const std::string text;
    const char *at;
    const char *const end;
    std::string word;  // the current one; of a string its value
    std::string field; // whose value is read
    bool is_string = false, over = false, found = false;
};

/* ---- enumerations: `list` applies its first argument to the type, name and number of each value */

#define HIAIX_PB_VALUE_(type, name, number) type##_##name = (number),
#define HIAIX_PB_NAMED_(type, name, number)                                                        \
    if (word == #name) {                                                                           \
        value = type##_##name;                                                                     \
        return true;                                                                               \
    }

/* Defines the enumeration, and the search for a value by its name in a text. */
#define HIAIX_PB_ENUM(type, list)                                                                  \
    enum type { list(HIAIX_PB_VALUE_, type) };                                                     \
    inline bool hiaix_number_of(const std::string &word, type &value) {                            \
        list(HIAIX_PB_NAMED_, type) return false;                                                  \
    }

/* A value as a constant of the message's class. */
#define HIAIX_PB_CONSTANT(type, name, number) static constexpr type name = type##_##name;

/* ---- the fields of a message: an accessor macro for each kind */

#define HIAIX_PB_SCALAR(type, name, text)                                                          \
  public:                                                                                          \
    type name() const { return name##_; }                                                          \
    void set_##name(type value) { name##_ = value; }                                               \
    void clear_##name() { name##_ = type(); }                                                      \
                                                                                                   \
  private:                                                                                         \
    type name##_ = type();

#define HIAIX_PB_STRING(type, name, text)                                                          \
  public:                                                                                          \
    const std::string &name() const { return name##_; }                                            \
    void set_##name(const std::string &value) { name##_ = value; }                                 \
    void set_##name(const char *value) { name##_ = value; }                                        \
    void set_##name(const void *value, std::size_t length) {                                       \
        name##_.assign(static_cast<const char *>(value), length);                                  \
    }                                                                                              \
    std::string *mutable_##name() { return &name##_; }                                             \
    void clear_##name() { name##_.clear(); }                                                       \
                                                                                                   \
  private:                                                                                         \
    std::string name##_;

#define HIAIX_PB_MESSAGE(type, name, text)                                                         \
  public:                                                                                          \
    bool has_##name() const { return name##_.has; }                                                \
    const type &name() const { return name##_.value; }                                             \
    type *mutable_##name() {                                                                       \
        name##_.has = true;                                                                        \
        return &name##_.value;                                                                     \
    }                                                                                              \
    void clear_##name() { name##_ = ::hiai::hiaix::Single<type>(); }                               \
                                                                                                   \
  private:                                                                                         \
    ::hiai::hiaix::Single<type> name##_;

#define HIAIX_PB_LIST_(type, name)                                                                 \
  public:                                                                                          \
    int name##_size() const { return name##_.size(); }                                             \
    const ::hiai::hiaix::Repeated<type> &name() const { return name##_; }                          \
    const type &name(int i) const { return name##_.Get(i); }                                       \
    ::hiai::hiaix::Repeated<type> *mutable_##name() { return &name##_; }                           \
    void clear_##name() { name##_.Clear(); }                                                       \
                                                                                                   \
  private:                                                                                         \
    ::hiai::hiaix::Repeated<type> name##_;

#define HIAIX_PB_MESSAGES(type, name, text)                                                        \
    HIAIX_PB_LIST_(type, name)                                                                     \
  public:                                                                                          \
    type *add_##name() { return name##_.Add(); }                                                   \
    type *mutable_##name(int i) { return name##_.Mutable(i); }

#define HIAIX_PB_STRINGS(type, name, text)                                                         \
    HIAIX_PB_LIST_(std::string, name)                                                              \
  public:                                                                                          \
    std::string *add_##name() { return name##_.Add(); }                                            \
    void add_##name(const std::string &value) { *name##_.Add() = value; }                          \
    void add_##name(const char *value) { *name##_.Add() = value; }                                 \
    void set_##name(int i, const std::string &value) { *name##_.Mutable(i) = value; }              \
    std::string *mutable_##name(int i) { return name##_.Mutable(i); }

#define HIAIX_PB_SCALARS(type, name, text)                                                         \
    HIAIX_PB_LIST_(type, name)                                                                     \
  public:                                                                                          \
    void add_##name(type value) { *name##_.Add() = value; }                                        \
    void set_##name(int i, type value) { *name##_.Mutable(i) = value; }

#define HIAIX_PB_DEFINE_(kind, type, name, text) HIAIX_PB_##kind(type, name, text)
#define HIAIX_PB_VISIT_(kind, type, name, text)  visitor.on(#text, name##_);

/* The members of a message, of a list of its fields. */
#define HIAIX_PB_FIELDS(message, list)                                                             \
    list(HIAIX_PB_DEFINE_) public : template <typename V> void hiaix_visit(V &visitor) {           \
        list(HIAIX_PB_VISIT_)                                                                      \
    }                                                                                              \
    template <typename V> void hiaix_visit(V &visitor) const { list(HIAIX_PB_VISIT_) }             \
    void CopyFrom(const message &other) { *this = other; }                                         \
    void Clear() { *this = message(); }

} // namespace hiaix
} // namespace hiai
#endif
#endif
