// SPDX-License-Identifier: Apache-2.0
// A message type as clients of Matrix have it: the fields are a portable archive, the bytes a block
// of HIAI_DMalloc. The tests and modules/engines.cpp share it.
#pragma once

#include <sstream>

#include <hiaiengine/api.h>
#include <hiaiengine/data_type_reg.h>

#ifdef HIAIX_HAS_CEREAL
struct Picture {
    std::string title;
    uint32_t size = 0;
    std::shared_ptr<uint8_t> data;
};

template <class Archive> void serialize(Archive &archive, Picture &picture) {
    archive(picture.title, picture.size);
}

inline void write_picture(void *input, std::string &ctrl, uint8_t *&data, uint32_t &size) {
    Picture *picture = static_cast<Picture *>(input);
    std::ostringstream stream;
    {
        cereal::PortableBinaryOutputArchive archive(stream);
        archive(*picture);
    }
    ctrl = stream.str();
    data = picture->data.get();
    size = picture->size;
}

// `Free` is the deleter of the block.
template <typename Result, Result (*Free)(void *)>
std::shared_ptr<void> read_picture(const char *ctrl, const uint32_t &ctrl_size, const uint8_t *data,
                                   const uint32_t &size) {
    auto picture = std::make_shared<Picture>();
    std::istringstream stream(std::string(ctrl, ctrl_size));
    cereal::PortableBinaryInputArchive archive(stream);
    archive(*picture);
    if (picture->size != size) return nullptr;
    picture->data.reset(const_cast<uint8_t *>(data), Free);
    return picture;
}

// A picture in a block that its sender frees too. An empty pointer if there is no memory.
inline std::shared_ptr<Picture> make_picture(const std::string &title, uint32_t size) {
    void *block = nullptr;
    if (hiai::HIAIMemory::HIAI_DMalloc(size, block, 20000, hiai::HIAI_MEMORY_ATTR_MANUAL_FREE) !=
        HIAI_OK)
        return nullptr;
    auto picture = std::make_shared<Picture>();
    picture->title = title;
    picture->size = size;
    picture->data.reset(static_cast<uint8_t *>(block), hiai::HIAIMemory::HIAI_DFree);
    return picture;
}
#endif
