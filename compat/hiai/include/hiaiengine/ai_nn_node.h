/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/ai_nn_node.h - nodes that run models; see ai_types.h. A program may register nodes of
 * its own and create them by name. Each image that hides its names has a list of its own.
 */
#ifndef HIAIENGINE_AI_NN_NODE_H
#define HIAIENGINE_AI_NN_NODE_H

#include <hiaiengine/ai_tensor.h>

#ifdef __cplusplus
using namespace std; /* the vendor's header says so, and programs rely on it */

namespace hiai {

/* Hears that a run has ended. */
class IAIListener {
  public:
    virtual ~IAIListener() = default;
    virtual void OnProcessDone(const AIContext &context, int result,
                               const std::vector<std::shared_ptr<IAITensor>> &outData) = 0;
    virtual void OnServiceDied() {}
};

class IAINNNode {
  public:
    virtual ~IAINNNode() = default;
    virtual AIStatus Init(const AIConfig &config,
                          const std::vector<AIModelDescription> &modelDescs = {}) = 0;
    virtual AIStatus SetListener(std::shared_ptr<IAIListener> listener) = 0;
    virtual AIStatus Process(AIContext &context,
                             const std::vector<std::shared_ptr<IAITensor>> &inData,
                             std::vector<std::shared_ptr<IAITensor>> &outData,
                             uint32_t timeout) = 0;
    virtual AIStatus CreateOutputTensor(const std::vector<std::shared_ptr<IAITensor>> &,
                                        std::vector<std::shared_ptr<IAITensor>> &) {
        return SUCCESS;
    }
    virtual bool IsPreAllocateOutputMem() { return true; }
    virtual AIStatus IsValid() { return SUCCESS; }
    virtual AI_NODE_EXEC_MODE GetSupportedExecMode() { return BOTH; }
    virtual uint32_t GetMaxUsedMemory() { return 0; }
};

typedef std::shared_ptr<IAINNNode> (*AINNNODE_CREATE_FUN)();

class AINNNodeFactory {
  public:
    static AINNNodeFactory *GetInstance() {
        static AINNNodeFactory *const factory = new AINNNodeFactory();
        return factory;
    }
    /* Returns an empty pointer if no node has the name. */
    std::shared_ptr<IAINNNode> CreateNNNode(const std::string &name) {
        const AINNNODE_CREATE_FUN create = creators.Find(name, nullptr);
        return create != nullptr ? create() : nullptr;
    }
    /* These return INVALID_PARA for a name that is unknown, or known already. */
    AIStatus GetNNNodeDescription(const std::string &name, AINNNodeDescription &description) {
        return creators.Find(name, &description) != nullptr ? SUCCESS : INVALID_PARA;
    }
    AIStatus RegisterNNNodeCreator(const AINNNodeDescription &description,
                                   AINNNODE_CREATE_FUN create) {
        return creators.Add(description.name(), description, create);
    }
    AIStatus RegisterNNNodeCreator(const std::string &name, AINNNODE_CREATE_FUN create) {
        AINNNodeDescription description;
        description.set_name(name);
        return RegisterNNNodeCreator(description, create);
    }
    AIStatus UnRegisterNNNode(const AINNNodeDescription &description) {
        return creators.Remove(description.name());
    }
    AIStatus UnRegisterNNNode(const std::string &name) { return creators.Remove(name); }

  private:
    AINNNodeFactory() = default;
    hiaix::Creators<AINNNodeDescription, AINNNODE_CREATE_FUN> creators;
};

class AINNNodeRegisterar {
  public:
    AINNNodeRegisterar(const AINNNodeDescription &description, AINNNODE_CREATE_FUN create)
        : name(description.name()),
          status(AINNNodeFactory::GetInstance()->RegisterNNNodeCreator(description, create)) {}
    ~AINNNodeRegisterar() {
        if (status == SUCCESS) (void)AINNNodeFactory::GetInstance()->UnRegisterNNNode(name);
    }
    AINNNodeRegisterar(const AINNNodeRegisterar &) = delete;
    AINNNodeRegisterar &operator=(const AINNNodeRegisterar &) = delete;

  private:
    const std::string name;
    const AIStatus status;
};

/* Registers a class of nodes under the name of a description, at file scope. */
#define REGISTER_NN_NODE(desc, name)                                                               \
    static ::hiai::AINNNodeRegisterar g_hiaix_node_##name(                                         \
        desc, []() -> std::shared_ptr<::hiai::IAINNNode> { return std::make_shared<name>(); })

} // namespace hiai
#endif
#endif
