/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/ai_nn_node.h - nodes that run models; see ai_types.h.
 */
#ifndef HIAIENGINE_AI_NN_NODE_H
#define HIAIENGINE_AI_NN_NODE_H

#include <hiaiengine/ai_tensor.h>

#ifdef __cplusplus
namespace hiai {

/* Hears that a run has ended. */
class IAIListener {
  public:
    virtual ~IAIListener() = default;
    virtual void OnProcessDone(const AIContext &context, const AIStatus &result,
                               const std::vector<std::shared_ptr<IAITensor>> &outData) = 0;
};

class IAINNNode {
  public:
    virtual ~IAINNNode() = default;
    virtual AIStatus Init(const AIConfig &config,
                          const std::vector<AIModelDescription> &modelDescs) = 0;
    virtual AIStatus SetListener(std::shared_ptr<IAIListener> listener) = 0;
    virtual AIStatus Process(AIContext &context,
                             const std::vector<std::shared_ptr<IAITensor>> &inData,
                             std::vector<std::shared_ptr<IAITensor>> &outData,
                             uint32_t timeout) = 0;
};

} // namespace hiai
#endif
#endif
