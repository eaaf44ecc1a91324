/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/ai_model_manager.h - models, which are not supported: every call returns FAILED, and a
 * record of the log says so once in a process.
 */
#ifndef HIAIENGINE_AI_MODEL_MANAGER_H
#define HIAIENGINE_AI_MODEL_MANAGER_H

#include <hiaiengine/ai_nn_node.h>

#ifdef __cplusplus
namespace hiai {

struct DynamicBatch {
    uint32_t batchNum = 0;
};

class AIModelManager : public IAINNNode {
    typedef std::vector<std::shared_ptr<IAITensor>> Tensors;

  public:
    AIStatus Init(const AIConfig &, const std::vector<AIModelDescription> & = {}) override {
        return hiaix::NoModels("AIModelManager::Init");
    }
    AIStatus SetListener(std::shared_ptr<IAIListener>) override {
        return hiaix::NoModels("AIModelManager::SetListener");
    }
    AIStatus Process(AIContext &, const Tensors &, Tensors &, uint32_t = 0) override {
        return hiaix::NoModels("AIModelManager::Process");
    }
    AIStatus CreateOutputTensor(const Tensors &, Tensors &) override {
        return hiaix::NoModels("AIModelManager::CreateOutputTensor");
    }
    AIStatus CreateInputTensor(Tensors &) {
        return hiaix::NoModels("AIModelManager::CreateInputTensor");
    }
    AIStatus CreateInputTensor(const std::string &, Tensors &inData) {
        return CreateInputTensor(inData);
    }
    AIStatus GetModelIOTensorDim(const std::string &, std::vector<TensorDimension> &,
                                 std::vector<TensorDimension> &) {
        return hiaix::NoModels("AIModelManager::GetModelIOTensorDim");
    }
    AIStatus SetInputDynamicBatch(const std::vector<TensorDimension> &, Tensors &, uint32_t,
                                  uint32_t) {
        return hiaix::NoModels("AIModelManager::SetInputDynamicBatch");
    }
    AIStatus SetInputDynamicAIPP(Tensors &, std::shared_ptr<AippDynamicParaTensor>) {
        return hiaix::NoModels("AIModelManager::SetInputDynamicAIPP");
    }
    bool IsPreAllocateOutputMem() override { return false; }
    AIStatus IsValid() override { return hiaix::NoModels("AIModelManager::IsValid"); }
    AIStatus IdleRelease() { return hiaix::NoModels("AIModelManager::IdleRelease"); }
    AIStatus IdleResume() { return hiaix::NoModels("AIModelManager::IdleResume"); }
    using IAINNNode::GetMaxUsedMemory;
    /* Returns -1. */
    int32_t GetMaxUsedMemory(const std::string &) {
        (void)hiaix::NoModels("AIModelManager::GetMaxUsedMemory");
        return -1;
    }
    static void SetRequestId(uint64_t) { (void)hiaix::NoModels("AIModelManager::SetRequestId"); }
    static AINNNodeDescription GetDescription() {
        AINNNodeDescription description;
        description.set_name("AIModelManager");
        return description;
    }
};

} // namespace hiai
#endif
#endif
