// SPDX-License-Identifier: Apache-2.0
// HEADERS: hiaiengine/api.h hiaiengine/log.h
// A program that names protobuf's namespace, and streams, without an include of its own.
using namespace google;
using namespace hiai;

int report(const std::map<int, std::string> &names) {
    std::stringstream line;
    std::ofstream file("names");
    for (const auto &name : names) line << name.first << ' ' << name.second;
    std::cout << line.str() << std::endl;
    file << line.str();
    return file.good() ? 0 : 1;
}
