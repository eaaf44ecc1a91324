// SPDX-License-Identifier: Apache-2.0
// HEADERS: hiaiengine/engine.h
// Names numbers of statuses, and the macros of one number of ports.
static_assert(HIAI_GRAPH_ID_EXIST_CODE == 0x6 && HIAI_HDC_SESSION_DEAD_CODE == 0x9D &&
                  HIAI_GRAPH_NOT_FIND_MEMORY_CODE == 0x1E,
              "numbers of the interface");

class Two : public hiai::Engine {
  protected:
    HIAI_StatusT InitMsgQueue() override { return InitQueue(2, 1); }
    HIAI_StatusT Run(std::vector<std::shared_ptr<void>> &args) override {
        return both(HIAI_ARGS_LIST_2);
    }

  private:
    HIAI_StatusT both(HIAI_INPUT_ARGS_2) { return arg0 || arg1 ? HIAI_OK : HIAI_ERROR; }
};

hiai::Engine *make_two();
hiai::Engine *make_two() { return new Two(); }
