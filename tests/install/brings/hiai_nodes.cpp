// SPDX-License-Identifier: Apache-2.0
// HEADERS: hiaiengine/ai_nn_node.h
// Registers a tensor and a node of the program's own.
using namespace hiai;

class Own : public IAITensor {
  public:
    bool Init(const AITensorDescription &) override { return true; }
    const char *GetTypeName() override { return "Own"; }
    uint32_t ByteSizeLong() override { return 0; }
    void SetBufferAttr(void *, int32_t, bool, bool) override {}
    bool IsSupportZerocpy() override { return false; }
};

shared_ptr<IAITensor> make_own(const AITensorDescription &description);
shared_ptr<IAITensor> make_own(const AITensorDescription &description) {
    shared_ptr<Own> own = make_shared<Own>();
    return own->Init(description) ? own : nullptr;
}
REGISTER_TENSOR_CREATER(Own, string("Own"), make_own);

class Node : public IAINNNode {
  public:
    AIStatus Init(const AIConfig &, const vector<AIModelDescription> &) override { return SUCCESS; }
    AIStatus SetListener(shared_ptr<IAIListener>) override { return FAILED; }
    AIStatus Process(AIContext &, const vector<shared_ptr<IAITensor>> &,
                     vector<shared_ptr<IAITensor>> &, uint32_t) override {
        return GetSupportedExecMode() == BOTH ? SUCCESS : AI_TASK_TIMEOUT;
    }
};

static AINNNodeDescription describe() {
    AINNNodeDescription description;
    description.set_name("Node");
    return description;
}
REGISTER_NN_NODE(describe(), Node);

bool there() {
    return AINNNodeFactory::GetInstance()->CreateNNNode("Node") != nullptr &&
           AITensorFactory::GetInstance()->CreateTensor(string("Own")) != nullptr;
}
