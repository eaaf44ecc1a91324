#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Rooms include each other in one direction only. The lint reads the include lines. Afterwards it
# plants wrong includes in a copy, and must find each of them.
set -eu

# Each PREFIX/ of the headers that faces give their users, as PREFIX=FACE, in one line.
prefixes() {
    for folder in compat/*/include/*/; do
        [ ! -d "$folder" ] || printf '%s\n' "$folder"
    done | sed 's|^compat/\(.*\)/include/\(.*\)/$|\2=\1|' | tr '\n' ' '
}

# check ROOT: prints each include line that is not allowed, and why.
check() {
    (
        cd "$1"
        # shellcheck disable=SC2016 # for awk to expand
        find src tools compat plugin examples bench tests/plugin tests/api tests/channel tests/soak tests/system tests/support tests/compat \
            -name '*.[ch]' -o -name '*.cpp' 2>/dev/null | sort |
            xargs -r awk -v prefixes="$(prefixes)" '
        BEGIN {
            # For each room, the prefixes that it may include. A room may always include itself.
            data = "trace/base64.h trace/builder.h trace/extension.h trace/intern.h trace/pprof.h trace/progress.h trace/ranges.h trace/scratch.h trace/table.h trace/trace.h trace/varint.h"
            may["base"] = "tarn/base.h"
            may["fail"] = "base/ tarn/base.h tarn/face.h"
            may["algo"] = "base/ tarn/base.h tarn/rule.h"
            may["annotate"] = "base/ tarn/"
            may["stack"] = "base/"
            may["check"] = "algo/ annotate/ base/ stack/ tarn/"
            may["record"] = "algo/ annotate/ base/ stack/stack.h trace/write/binary.h trace/intern.h tarn/"
            may["core"] = "algo/ annotate/ base/ backend/layer/layer.h backend/registry.h fail/point.h tarn/"
            may["channel"] = "algo/ base/ core/address/owner.h fail/point.h tarn/"
            may["backend"] = "backend/contract/ backend/soft/ base/ algo/ tarn/"
            may["backend/layer"] = "algo/ backend/contract/ base/ fail/ tarn/"
            may["backend/adapter"] = "backend/vendor/ base/ algo/ tarn/" # a library that is opened at run time
            may["trace"] = "algo/ base/ tarn/"
            may["trace/parse"] = "base/ tarn/ trace/builder.h trace/intern.h trace/progress.h trace/varint.h"
            may["trace/read"] = "algo/ base/ tarn/ " data " trace/parse/ trace/write/binary.h"
            may["trace/study"] = "algo/ base/ tarn/ " data
            may["trace/write"] = "algo/ base/ tarn/ " data
            may["tools"] = "backend/layer/grammars.h backend/layer/quirks.h base/differences.h base/error.h base/fidelity.h base/grow.h base/launcher.h base/named_file.h base/options.h base/printable.h base/replacement.h base/socket_name.h base/variable.h base/words.h check/report/kinds.h check/options.h check/report/output.h check/report/rules.h check/report/wire.h fail/names.h fail/spec.h fail/tally.h record/options.h stack/library.h stack/namer.h trace/ tarn/"
            may["bench"] = "annotate/ trace/ tarn/"
            may["examples"] = "tarn/"
            may["tests/api"] = "support/ tarn/"
            may["tests/channel"] = "support/ tarn/"
            may["tests/soak"] = "tarn/"
            may["tests/system"] = "system/ tarn/"
            may["tests/support"] = "support/ tarn/"
            # A face uses the runtime that faces share, and both use compat/face and the public headers; never
            # the other way. compat/face has few headers of base. The headers and tests of a face use nothing of Tarn.
            may["compat/face"] = "src/base/differences.h src/base/fidelity.h src/base/launcher.h src/base/log.h src/base/printable.h src/base/tsan.h src/base/uncancelled.h src/base/variable.h src/fail/call.h tarn/"
            # The runtime names instructions of kernels that fail. Lists are macros.
            may["compat/runtime"] = "compat/face/ src/base/list.h src/base/tsan.h src/stack/stack.h tarn/"
            # Its rooms stand above each other: each includes those before it, and its own.
            floors = "base device graph stream kernel memory copy exec code context"
            below = may["compat/runtime"]
            sub("compat/face/", "compat/face/ compat/runtime/", may["compat/runtime"]) # the files above all rooms
            for (i = 1; i <= split(floors, floor, " "); i++) {
                below = below " compat/runtime/" floor[i] "/"
                may["compat/runtime/" floor[i]] = below
            }
            may["compat"] = "compat/runtime/ compat/face/ src/base/list.h src/base/tsan.h tarn/"
            # A plug-in uses the public headers; its own header includes nothing.
            may["plugin"] = "tarn/"
            may["tests/plugin"] = "plugin/ support/ tarn/"
            may["compat/include"] = ""
            may["tests/compat"] = "support/"
            may["tests/compat_tarn"] = "support/ tarn/" # <noun>_tarn.c: both in one process
            # algo is pure: no locks, no I/O.
            pure = " pthread.h threads.h semaphore.h stdio.h unistd.h fcntl.h base/lock.h base/log.h "
        }
        BEGIN {
            n = split(prefixes, pair, " ")
            for (i = 1; i <= n; i++) { split(pair[i], half, "="); owner[half[1]] = half[2] }
        }
        # The face that a file belongs to or uses.
        function face_of(path, part) {
            split(path, part, "/")
            if (part[1] == "compat") return part[2]
            if (part[1] == "tests" && part[2] == "compat") return part[3]
            if (path ~ /^examples\/frames-cpp\//) return "hiai" # the twin of examples/frames
            if (path ~ /^examples\/llama\/blas\/hipblas/) return "hip" # a program for either vendor
            if (path ~ /^examples\/llama\//) return "cuda"
            # The headers of a face declare the functions of the vendor'"'"'s library, too.
            if (path ~ /^src\/backend\/ascend\//) return "acl"
            if (path ~ /^src\/backend\/(hip|cuda)\//) return part[3]
            for (p in owner) {
                if (path ~ "^examples/" owner[p] "-") return owner[p]
                if (path ~ "^bench/compat_" owner[p] "[_.]") return owner[p]
                if (path ~ "^tools/launch/face_" owner[p] "[_.]") return owner[p]
            }
            return ""
        }
        function rules_of(path, room) {
            if (room ~ /^backend\/(ascend|cuda|hip)$/) return "backend/adapter"
            if (room == "backend/layer") return room
            if (room ~ /^backend\//) return "backend"
            if (path ~ /^compat\/[^\/]*\/include\//) return "compat/include"
            if (room ~ /^compat\/runtime\//) return room
            if (room ~ /^compat\//) return room in may ? room : "compat"
            if (path ~ /^tests\/compat\/.*_tarn\.c/) return "tests/compat_tarn"
            return room
        }
        function room_of(path, part, n) {
            n = split(path, part, "/")
            if (part[1] == "compat" && part[2] == "runtime" && n > 3) return "compat/runtime/" part[3]
            if (part[1] == "compat") return "compat/" part[2]
            if (part[1] == "src" && part[2] == "backend" && n > 3) return "backend/" part[3]
            if (part[1] == "src" && part[2] == "trace" && n > 3) return "trace/" part[3]
            if (part[1] == "src") return part[2]
            if (part[1] == "tests") return part[1] "/" part[2]
            return part[1]
        }
        function refuse(why) {
            printf "%s:%d: %s may not include %s%s\n", FILENAME, FNR, room, name, why
        }
        FNR == 1 { room = room_of(FILENAME); rules = rules_of(FILENAME, room); face = face_of(FILENAME) }
        /^[ \t]*#[ \t]*include/ {
            quoted = $0 ~ /"/
            name = $0
            sub(/^[^"<]*["<]/, "", name)
            sub(/[">].*/, "", name)
            if (!(rules in may)) { refuse(": no rule for this room"); next }
            if (name ~ /\.\./) { refuse(": no way up"); next }
            if (room == "algo" && index(pure, " " name " ")) { refuse(": algo is pure"); next }
            split(name, part, "/")
            if (part[1] in owner) {                                      # a header of a face
                # The rooms that emit events to MSTX and receive them from it use its names.
                if (owner[part[1]] == "mstx" && (room == "annotate" || room == "check" || room == "record")) next
                # compat/kernel has headers of the faces that run kernels.
                if (owner[part[1]] == "kernel" && (face == "hip" || face == "cuda")) next
                if (owner[part[1]] != face) refuse(": it belongs to the face " owner[part[1]])
                next
            }
            if (!quoted && name !~ /^tarn\//) next                      # the system'"'"'s
            if (name !~ /\//) {                                          # a file beside it
                if (FILENAME ~ /^(src|tools|compat|plugin|tests)\//) refuse(": say the room")
                next
            }
            if (rules != "compat/include" && index(name, room "/") == 1) next # its own room
            n = split(may[rules], allowed, " ")
            for (i = 1; i <= n; i++) if (index(name, allowed[i]) == 1) next
            refuse("")
        }'
    )
}

found=$(check "$SRC")
if [ -n "$found" ]; then
    printf '%s\n' "$found" >&2
    exit 1
fi

# --- the check itself is checked -----------------------------------------------------------------
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/compat/one/include/uno" "$copy/compat/two/include/two" \
    "$copy/compat/mstx/include/mstx"
missed=0
# try FILE INCLUDE: what the check says of it.
try() {
    mkdir -p "$copy/$(dirname "$1")"
    printf '#include %s\n' "$2" >"$copy/$1"
    check "$copy"
    rm "$copy/$1"
}
# plant FILE INCLUDE: must be refused. plant_good FILE INCLUDE: must be allowed.
plant() {
    [ -n "$(try "$1" "$2")" ] && return
    echo "not noticed: $1 includes $2" >&2
    missed=1
}
plant_good() {
    [ -z "$(try "$1" "$2")" ] && return
    echo "wrongly refused: $1 includes $2" >&2
    missed=1
}
plant src/base/x.c '"core/address/map.h"'
plant src/base/x.c '<tarn/map.h>'
plant src/algo/x.c '"core/address/map.h"'
plant src/algo/x.c '<tarn/pool.h>'
plant src/algo/x.c '<pthread.h>'
plant src/algo/x.c '"base/lock.h"'
plant src/annotate/x.c '"algo/interval.h"'
plant src/check/x.c '"core/address/map.h"'
plant src/check/x.c '<uno/uno.h>'
plant src/record/x.c '"check/report/report.h"'
plant src/record/x.c '"core/address/map.h"'
plant tools/x.c '"record/recorder.h"'
plant src/core/x.c '"check/report/report.h"'
plant src/core/x.c '<mstx/mstx.h>'
plant src/core/x.c '"backend/host/arena.h"'
plant src/core/x.c '"trace/reader.h"'
plant src/core/x.c '"map.h"'
plant src/core/x.c '"../backend/host/arena.h"'
plant src/channel/x.c '"core/pool/pool.h"'
plant src/backend/host/x.c '"core/address/map.h"'
plant src/backend/host/x.c '"backend/sim/cost.h"'
plant src/backend/sim/x.h '  "annotate/heap.h"'
plant src/backend/sim/x.c '"backend/vendor/vendor.h"'
plant src/backend/vendor/x.c '"backend/hip/hip.h"'
plant src/backend/hip/x.c '"backend/cuda/cuda.h"'
plant src/backend/hip/x.c '"core/address/map.h"'
plant src/trace/x.c '"core/pool/pool.h"'
plant src/trace/study/x.c '"trace/read/csv.h"'
plant src/trace/parse/x.c '"trace/read/read.h"'
plant src/trace/write/x.c '"trace/parse/json.h"'
plant src/stack/x.c '"check/report/report.h"'
plant tools/x.c '"x.h"'
plant src/fail/x.c '"core/address/map.h"'
plant src/fail/x.c '<tarn/map.h>'
plant src/backend/layer/x.c '"backend/host/arena.h"'
plant src/core/x.c '"fail/log.h"'
plant src/novel/x.c '"base/error.h"'
plant tools/x.c '"core/pool/pool.h"'
plant tools/x.c '"check/report/report.h"'
plant bench/x.c '"algo/interval.h"'
plant examples/x.c '"base/error.h"'
plant tests/api/x.c '"core/pool/pool.h"'
plant tests/support/x.c '"base/error.h"'
plant compat/one/x.c '"core/pool/pool.h"'
plant compat/one/x.c '"base/error.h"'
plant compat/one/x.c '"src/base/uncancelled.h"'
plant compat/runtime/x.c '"src/base/uncancelled.h"'
plant compat/one/x.c '"x.h"'
plant compat/one/x.c '"compat/two/x.h"'
plant compat/one/x.c '<two/two.h>'
plant compat/face/x.c '"compat/one/x.h"'
plant compat/face/x.c '<uno/uno.h>'
plant compat/face/x.c '"core/pool/pool.h"'
plant compat/face/x.c '"compat/runtime/x.h"'
plant compat/runtime/memory/x.c '"compat/runtime/copy/x.h"'
plant compat/runtime/memory/x.c '"compat/runtime/x.h"'
plant compat/runtime/new/x.c '"compat/runtime/base/x.h"'
plant compat/runtime/x.c '"compat/one/x.h"'
plant compat/runtime/x.c '<uno/uno.h>'
plant compat/runtime/x.c '"core/pool/pool.h"'
plant compat/one/include/uno/x.h '"compat/runtime/x.h"'
plant compat/one/include/uno/x.h '<tarn/base.h>'
plant compat/one/include/uno/x.h '"compat/one/x.h"'
plant compat/one/include/uno/x.h '<two/two.h>'
plant src/core/x.c '<uno/uno.h>'
plant src/backend/one/x.c '<uno/uno.h>'
plant tools/x.c '<uno/uno.h>'
plant tools/x.c '"compat/one/x.h"'
plant bench/pool.c '<uno/uno.h>'
plant bench/compat_one.c '<two/two.h>'
plant bench/compat_one.c '"compat/one/x.h"'
plant examples/x.c '<uno/uno.h>'
plant examples/two-grow/x.c '<uno/uno.h>'
plant tests/api/x.c '<uno/uno.h>'
plant tests/compat/one/x.c '<tarn/base.h>'
plant tests/compat/one/x.cpp '<tarn/base.h>'
plant tests/compat/one/x.cpp '"compat/one/x.h"'
plant tests/compat/one/support/x.c '<tarn/base.h>'
plant tests/compat/one/x_tarn.c '"core/pool/pool.h"'
plant tests/compat/two/x.cpp '<uno/uno.h>'
plant plugin/torch/x.c '"core/pool/pool.h"'
plant plugin/torch/x.c '"compat/face/x.h"'
plant plugin/torch/x.c '<uno/uno.h>'
plant tests/plugin/torch/x.c '"core/pool/pool.h"'
plant_good plugin/torch/x.c '<tarn/pool.h>'
plant_good plugin/torch/x.c '"plugin/torch/x.h"'
plant_good tests/plugin/torch/x.c '"plugin/torch/torch.h"'
plant_good src/base/x.c '<tarn/base.h>'
plant_good src/base/x.c '<pthread.h>'
plant_good src/algo/x.c '"base/error.h"'
plant_good src/annotate/x.c '<mstx/mstx.h>'
plant_good src/check/x.c '<mstx/mstx.h>'
plant_good src/check/x.c '"annotate/mem_event.h"'
plant_good src/core/x.c '"backend/registry.h"'
plant_good src/core/x.c '"backend/layer/layer.h"'
plant_good src/core/x.c '"fail/point.h"'
plant_good src/backend/layer/x.c '"fail/spec.h"'
plant_good src/core/x.c '"core/address/map.h"'
plant_good src/channel/x.c '<tarn/pool.h>'
plant_good src/backend/host/x.c '"backend/host/arena.h"'
plant_good src/backend/registry.c '"backend/host/backend.h"'
plant_good src/backend/hip/x.c '"backend/vendor/vendor.h"'
plant_good tools/x.c '"trace/reader.h"'
plant_good tools/x.c '"check/report/kinds.h"'
plant_good tools/x.c '"tools/table.h"'
plant_good tests/api/x.c '"support/device.h"'
plant_good compat/one/x.c '<tarn/pool.h>'
plant_good compat/one/x.c '<uno/uno.h>'
plant_good compat/one/x.c '"compat/one/x.h"'
plant_good compat/one/x.c '"compat/face/x.h"'
plant_good compat/one/x.c '"compat/runtime/x.h"'
plant_good compat/runtime/x.c '"compat/runtime/copy/y.h"'
plant_good compat/runtime/copy/x.c '"compat/runtime/memory/y.h"'
plant_good compat/runtime/x.c '"compat/face/x.h"'
plant_good compat/runtime/x.c '<tarn/pool.h>'
plant_good compat/face/x.c '"compat/face/x.h"'
plant_good compat/face/x.c '<tarn/base.h>'
plant_good compat/face/x.c '"src/base/uncancelled.h"'
plant_good compat/one/include/uno/x.h '<stddef.h>'
plant_good compat/one/include/uno/x.h '<uno/y.h>'
plant_good tests/compat/one/x.cpp '<uno/uno.h>'
plant_good tests/compat/one/x.cpp '<vector>'
plant_good tests/compat/one/support/x.c '"support/x.h"'
plant_good tests/compat/one/x_tarn.c '<tarn/tarn.h>'
plant_good examples/one-grow/x.c '<uno/uno.h>'
plant_good bench/compat_one_grow.c '<uno/uno.h>'
plant_good bench/compat_one_grow.c '<tarn/tarn.h>'
plant_good tools/launch/face_one.c '<uno/uno.h>'
exit $missed
