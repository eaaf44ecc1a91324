// SPDX-License-Identifier: Apache-2.0
// The engine of the device, in a shared object: sums up each frame in place.
#include "frames.h"

class Worker : public hiai::Engine {
    HIAI_DEFINE_PROCESS(1, 1)
};

HIAI_IMPL_ENGINE_PROCESS("Worker", Worker, 1) {
    auto frame = std::static_pointer_cast<Frame>(arg0);
    const uint64_t sum = sum_of(frame->pixels.get(), frame->size);
    const std::string answer = std::to_string(frame->number) + " " + std::to_string(sum);
    return SendData(0, "string", std::make_shared<std::string>(answer));
}
