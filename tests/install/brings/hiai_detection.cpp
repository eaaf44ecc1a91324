// SPDX-License-Identifier: Apache-2.0
// HEADERS: hiaiengine/ai_model_manager.h hiaiengine/ai_nn_node.h
// An engine that says shared_ptr and static_pointer_cast without std, in its class and in namespace hiai.
#include <hiaiengine/engine.h>

class Detection : public hiai::Engine {
    HIAI_DEFINE_PROCESS(1, 1)
    map<string, shared_ptr<hiai::IAITensor>> tensors;
};

HIAI_IMPL_ENGINE_PROCESS("Detection", Detection, 1) {
    shared_ptr<string> name = static_pointer_cast<string>(arg0);
    shared_ptr<hiai::AINeuralNetworkBuffer> tensor =
        static_pointer_cast<hiai::AINeuralNetworkBuffer>(tensors[*name]);
    tensor->SetData_type(0);
    return SendData(0, "string", make_shared<string>(tensor->GetName()));
}

namespace hiai {
shared_ptr<int> within = static_pointer_cast<int>(make_shared<int>(3));
}
