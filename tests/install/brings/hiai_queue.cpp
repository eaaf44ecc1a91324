// SPDX-License-Identifier: Apache-2.0
// HEADERS: hiaiengine/multitype_queue.h
std::queue<hiai::MultiTypeQueue *> queues;
std::chrono::milliseconds moment(3);
