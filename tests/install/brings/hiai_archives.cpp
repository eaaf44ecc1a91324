// SPDX-License-Identifier: Apache-2.0
// HEADERS: hiaiengine/data_type.h hiaiengine/data_type_reg.h
// Uses message types as programs do, with strings and vectors that have no std before them.
string joined(const vector<string> &parts) {
    std::map<int, string> all;
    std::stringstream stream;
    std::ofstream file;
    for (const string &part : parts) stream << part;
    std::cout << stream.str() << std::endl;
    return all[0];
}

#ifdef HIAIX_HAS_CEREAL
struct Lists {
    std::unordered_map<int, vector<string>> lists;
    std::shared_ptr<int> number;
    HIAI_SERIALIZE(lists, number);
};
HIAI_REGISTER_DATA_TYPE("lists", Lists);

void write(std::ostream &stream, Lists &lists) {
    cereal::BinaryOutputArchive plain(stream);
    cereal::PortableBinaryOutputArchive portable(stream);
    plain(lists);
    portable(lists);
}
#endif
