// SPDX-License-Identifier: Apache-2.0
// The message of this example: a 4K frame, whose pixels travel without a copy. The program and the
// shared object of the worker both register it.
#include <hiaiengine/api.h>
#include <hiaiengine/data_type_reg.h>

struct Frame {
    uint32_t number = 0;
    uint32_t size = 0;
    std::shared_ptr<uint8_t> pixels; // in a block of HIAI_DMalloc()
};

inline void write_frame(void *input, std::string &ctrl, uint8_t *&data, uint32_t &size) {
    const Frame *frame = static_cast<const Frame *>(input);
    ctrl.assign(reinterpret_cast<const char *>(&frame->number), sizeof frame->number);
    data = frame->pixels.get();
    size = frame->size;
}

inline std::shared_ptr<void> read_frame(const char *ctrl, const uint32_t &, const uint8_t *data,
                                        const uint32_t &size) {
    auto frame = std::make_shared<Frame>();
    std::memcpy(&frame->number, ctrl, sizeof frame->number);
    frame->size = size;
    frame->pixels.reset(const_cast<uint8_t *>(data), hiai::HIAIMemory::HIAI_DFree);
    return frame;
}
HIAI_REGISTER_SERIALIZE_FUNC("frame", Frame, write_frame, read_frame)

// Fletcher's sum over 32-bit words: it detects every changed and every misplaced word.
inline uint64_t sum_of(const uint8_t *pixels, uint32_t size) {
    const uint32_t *word = reinterpret_cast<const uint32_t *>(pixels);
    uint64_t a = 1, b = 0;
    for (uint32_t i = 0; i < size / sizeof *word; i++) b += a += word[i];
    return a ^ b << 32;
}
