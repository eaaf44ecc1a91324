/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/hiaix_builtin.h - the message types that every process knows: "string",
 * "vector_uint8_t", "vector_float" and "RawDataBuffer".
 */
#ifndef HIAIENGINE_HIAIX_BUILTIN_H
#define HIAIENGINE_HIAIX_BUILTIN_H

#include <hiaiengine/hiaix_archive.h>

#ifdef __cplusplus
namespace hiai {

struct RawDataBuffer {
#if __cplusplus < 201402L /* where a class with default values is not an aggregate */
    RawDataBuffer() = default;
    RawDataBuffer(uint32_t length, std::shared_ptr<uint8_t> bytes)
        : len_of_byte(length), data(std::move(bytes)) {}
#endif
    uint32_t len_of_byte = 0;
    std::shared_ptr<uint8_t> data;
};

namespace hiaix {

inline void Archive::Value(RawDataBuffer &raw) {
    Value(raw.len_of_byte);
    Elements(raw.data, raw.len_of_byte);
}

/* Registers the types, once. CreateGraph() and the registration of an engine call it. */
inline void RegisterBuiltins() {
    struct Once {
        Once() {
            RegisterArchived<std::string>("string");
            RegisterArchived<std::vector<uint8_t>>("vector_uint8_t");
            RegisterArchived<std::vector<float>>("vector_float");
            RegisterArchived<RawDataBuffer>("RawDataBuffer");
        }
    };
    static const Once once;
    (void)once;
}

} // namespace hiaix
} // namespace hiai
#endif
#endif
