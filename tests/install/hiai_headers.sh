#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Programs for Matrix are C++11 and newer: all of its headers together, in both orders, compile with
# both compilers, and so do the registration macros with and without a semicolon. The engine of a
# class may lie in a namespace, and two sources of a program may register one type.
set -eu
work=$BUILD/tests/hiai_headers
include=$SRC/compat/hiai/include
rm -rf "$work"
mkdir -p "$work"
# The headers in an order, twice.
headers() {
    (cd "$include" && find . -name '*.h' | sed 's|^\./||' | sort "$@" | sed 's|.*|#include <&>|')
}
{
    headers
    headers -r
} >"$work/forth.cpp"
{
    headers -r
    headers
} >"$work/back.cpp"

cat >"$work/client.cpp" <<'END'
#include <hiaiengine/api.h>
#include <hiaiengine/data_type_reg.h>
#define PORTS 2
namespace hiai {
class Within : public Engine {
    HIAI_DEFINE_PROCESS(PORTS, 1);
    int after = 0;
};
}
using namespace hiai;
using namespace std;
HIAI_IMPL_ENGINE_PROCESS("Within", Within, PORTS) { after++; return arg0 || arg1 ? HIAI_OK : HIAI_ERROR; }
enum { MY_ERROR_CODE = 1, MY_OTHER_CODE };
HIAI_DEF_ERROR_CODE(0x421, HIAI_ERROR, MY_ERROR, "mine");
HIAI_DEF_ERROR_CODE(0x421, HIAI_ERROR, MY_OTHER, "mine")
namespace own { struct Type { string text; }; }
static void put(void *, string &, unsigned char *&, uint32_t &) {}
static shared_ptr<void> get(const char *, const uint32_t &, const unsigned char *, const uint32_t &) { return nullptr; }
HIAI_REGISTER_SERIALIZE_FUNC("fast", own::Type, put, get);
HIAI_REGISTER_SERIALIZE_FUNC("fast too", own::Type, put, get)
#ifdef HIAIX_HAS_CEREAL
template <class Archive> void serialize(Archive &ar, own::Type &type) { ar(type.text); }
namespace own { struct Member { vector<uint32_t> list; HIAI_SERIALIZE(list); }; }
HIAI_REGISTER_DATA_TYPE("own::Member", own::Member);
HIAI_REGISTER_DATA_TYPE("again", own::Member)
#endif
#ifdef MAIN
int main() {
    HIAI_ENGINE_LOG(MY_ERROR, "%d bytes", sizeof(int));
    EnginePortID port{.graph_id = 1, .engine_id = 2, .port_id = 3};
    return port.port_id == 3 && HIAI_GET_ERROR_STR(MY_OTHER) == "mine" ? 0 : 1;
}
#endif
END

for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    for way in c++11/forth c++11/back c++20/forth; do
        "$compiler" -std="${way%/*}" -Wall -Wextra -Werror -fsyntax-only -I "$include" "$work/${way#*/}.cpp"
    done
    # A designated initialiser is an extension in C++11.
    "$compiler" -std=c++11 -Wall -Wextra -Werror -DMAIN -I "$include" -c "$work/client.cpp" -o "$work/main.o"
    "$compiler" -std=c++11 -Wall -Wextra -Werror -I "$include" -fvisibility=hidden -DWithin=Other \
        -c "$work/client.cpp" -o "$work/other.o"
    "$compiler" "$work/main.o" "$work/other.o" -L "$BUILD/lib/tarn/hiai" -lhiai_matrix \
        -Wl,-rpath,"$BUILD/lib/tarn/hiai" -o "$work/client"
    said=$(TARN_HIAI_LOG=1 "$work/client" 2>&1 >/dev/null)
    [ "$said" = "$(printf '%s' "$said" | grep 'ERROR client.cpp')" ] || {
        echo "a second registration was reported: $said" >&2
        exit 1
    }
done
