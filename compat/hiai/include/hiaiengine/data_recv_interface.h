/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hiaiengine/data_recv_interface.h - receivers of the messages that leave a graph.
 */
#ifndef HIAIENGINE_DATA_RECV_INTERFACE_H
#define HIAIENGINE_DATA_RECV_INTERFACE_H

#include <hiaiengine/hiaix_message.h>

#ifdef __cplusplus
namespace hiai {

/*
 * Receives what an engine sends to an output port, in the thread that sends, once for a message. A
 * copy of the pointer keeps the message alive. The status is logged; an exception counts as
 * HIAI_EXCEPTION.
 */
class DataRecvInterface {
  public:
    DataRecvInterface() = default;
    virtual ~DataRecvInterface() = default;
    DataRecvInterface(const DataRecvInterface &) = delete;
    DataRecvInterface &operator=(const DataRecvInterface &) = delete;
    DataRecvInterface(DataRecvInterface &&) = delete;
    DataRecvInterface &operator=(DataRecvInterface &&) = delete;
    virtual HIAI_StatusT RecvData(const std::shared_ptr<void> &message) = 0;
};

namespace hiaix {

/* A receiver as the library keeps it: a shared pointer on the heap. */
struct ReceiverHooks {
    static HIAI_StatusT receive(const HIAIX_Message *message, void *arg) {
        return Guarded([&] {
            HIAIX_Message mine = *message;
            const std::shared_ptr<DataRecvInterface> receiver =
                *static_cast<std::shared_ptr<DataRecvInterface> *>(arg);
            return receiver->RecvData(Borrow(mine));
        });
    }
    static void drop(void *arg) { delete static_cast<std::shared_ptr<DataRecvInterface> *>(arg); }
};

inline HIAI_StatusT SetReceiver(const HIAI_PortID_t &port,
                                const std::shared_ptr<DataRecvInterface> &receiver) {
    if (!receiver) return HIAI_GRAPH_DATA_RECV_FUNCTOR_IS_NULL;
    void *kept = new (std::nothrow) std::shared_ptr<DataRecvInterface>(receiver);
    if (kept == nullptr) return HIAI_MEMORY_EXHAUSTED;
    const HIAI_StatusT status =
        HIAIX_SetReceiver(port, ReceiverHooks::receive, kept, ReceiverHooks::drop);
    if (status != HIAI_OK) ReceiverHooks::drop(kept);
    return status;
}

} // namespace hiaix
} // namespace hiai
#endif
#endif
