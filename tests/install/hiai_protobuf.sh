#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A program that uses google::protobuf generates graph_config.pb.h from the .proto files: the same
# source compiles with the generated and with the plain classes, and what TextFormat prints is a
# graph file.
set -eu
command -v protoc >/dev/null || {
    echo "skipped: needs protobuf-compiler"
    exit 77
}
pkg-config --exists protobuf || {
    echo "skipped: needs libprotobuf-dev"
    exit 77
}
work=$BUILD/tests/hiai_protobuf
include=$SRC/compat/hiai/include
rm -rf "$work"
mkdir -p "$work/generated"
protoc -I "$include" --cpp_out="$work/generated" proto/ai_types.proto proto/graph_config.proto

cat >"$work/client.cpp" <<'END'
#include <hiaiengine/api.h>
#include <cstdio>
#ifdef GENERATED
#include <google/protobuf/text_format.h>
#endif
class Told : public hiai::Engine {
  public:
    HIAI_StatusT Init(const hiai::AIConfig &config, const std::vector<hiai::AIModelDescription> &) override {
        for (auto item : config.items()) {
            std::printf("%s=%s\n", item.name().c_str(), item.value().c_str());
        }
        return config.items_size() == 1 ? HIAI_OK : HIAI_ERROR;
    }
    HIAI_DEFINE_PROCESS(1, 1)
};
HIAI_IMPL_ENGINE_PROCESS("Told", Told, 1) { return arg0 ? HIAI_OK : HIAI_ERROR; }
int main(int, char **argv) {
    hiai::GraphConfigList list, again;
    hiai::GraphConfig *graph = list.add_graphs();
    graph->set_graph_id(3);
    hiai::EngineConfig *engine = graph->add_engines();
    engine->set_id(1);
    engine->set_engine_name("Told");
    engine->set_side(hiai::EngineConfig_RunSide_HOST);
    hiai::AIConfigItem *item = engine->mutable_ai_config()->add_items();
    item->set_name("odd");
    item->set_value("\"quoted\" back\\slash \xc3\xa4");
    if (HIAI_Init(0) != HIAI_OK || hiai::Graph::CreateGraph(list) != HIAI_OK ||
        hiai::Graph::DestroyGraph(3) != HIAI_OK) {
        return 1;
    }
    std::string text = hiai::hiaix::Print(list);
#ifdef GENERATED
    google::protobuf::TextFormat::PrintToString(list, &text);
#endif
    std::FILE *file = std::fopen(argv[1], "w");
    std::fputs(text.c_str(), file);
    std::fclose(file);
    return hiai::Graph::ParseConfigFile(argv[1], again) == HIAI_OK && again.graphs(0).engines(0).id() == 1 &&
                   hiai::Graph::CreateGraph(argv[1]) == HIAI_OK && hiai::Graph::DestroyGraph(3) == HIAI_OK ? 0 : 2;
}
END
library="-L $BUILD/lib/tarn/hiai -lhiai_matrix -Wl,-rpath,$BUILD/lib/tarn/hiai"
# shellcheck disable=SC2086,SC2046 # lists of words
g++ -std=c++11 -Wall -Wextra -Werror -I "$include" "$work/client.cpp" $library -o "$work/plain"
# shellcheck disable=SC2086,SC2046
g++ -std=c++11 -DGENERATED -I "$work/generated" -I "$include" "$work/client.cpp" "$work"/generated/proto/*.cc \
    $(pkg-config --cflags --libs protobuf) $library -o "$work/generated/client"
"$work/plain" "$work/plain.txt" >"$work/plain.out"
"$work/generated/client" "$work/generated.txt" >"$work/generated.out"
cmp "$work/plain.out" "$work/generated.out"
[ "$(grep -c '^odd="quoted" back.slash' "$work/plain.out")" = 2 ]
