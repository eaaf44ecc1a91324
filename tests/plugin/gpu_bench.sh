#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The benchmark of a GPU completes without a GPU: results of the software device are present, and what
# only a GPU can show is "not measured".
set -eu
command -v python3 >/dev/null || {
    echo "skipped: needs python3"
    exit 77
}
work=$BUILD/tests/gpu_bench
rm -rf "$work"
mkdir -p "$work"
fail() {
    cat "$work/log" >&2
    echo "FAILED: $*" >&2
    exit 1
}
export TARN_LIB="$BUILD/lib" TARN_GPU_BUILD="$work" OUT="$work"
run() {
    "$SRC/bench/gpu/run.sh" --stand-in "$@" >"$work/said" 2>&1 ||
        fail "it ended badly: $(cat "$work/said")"
}

# A machine with a GPU may have nothing but a compiler. The script then has lists of the sources of its own:
# of the libraries, the plug-in, the benchmark and the API suite.
TARN_LIB='' TARN_BARE=yes CFLAGS=-O0 run
for source in "$SRC"/tests/api/*.c; do
    noun=$(basename "$source" .c)
    grep -qE "\"row\": \"$noun\".*\"text\": \"(good|cannot here)\"" "$work/results.jsonl" ||
        fail "tests/api/$noun.c did not pass"
done

run --no-suite
report=$work/report.md
[ -s "$report" ] || fail "no report"

# row TABLE-TITLE ROW: the cells of a row.
row() {
    awk -v title="## $1" -v row="| $2 |" '
        /^## / { inside = index($0, title) == 1 }
        inside && index($0, row) == 1 { print substr($0, length(row) + 1) }' "$report"
}
measured() { printf '%s' "$1" | tr '|' '\n' | grep -cE '^ [0-9]' || true; }

cells=$(row 'Virtual memory management' '512 MiB')
[ "$(measured "$cells")" = 5 ] || fail "Tarn's five calls: $cells"
[ "$(printf '%s' "$cells" | grep -o 'not measured' | wc -l)" = 5 ] || fail "the driver's: $cells"
cells=$(row 'One allocation and one free' '1 MiB')
[ "$(measured "$cells")" = 2 ] || fail "the pool and the plug-in: $cells"
cells=$(row 'Copies' '4 MiB')
[ "$(measured "$cells")" = 5 ] || fail "copies: $cells"
for text in 'steps per second' 'tokens of the largest step' '20 MiB'; do
    grep -q "| $text |\( not measured |\)\{4\}" "$report" ||
        fail "PyTorch's figures for $text come from nowhere"
done
[ "$(grep -c '^| .*: at \(least\|most\) [0-9.]* | not measured |  |$' "$report")" = 5 ] ||
    fail "goals are reached without a GPU"
grep -q 'stand-in: no GPU' "$report" || fail "the report does not mention the missing GPU"
python3 - "$work/results.jsonl" <<'END' || fail "results.jsonl is not JSON"
import json, sys
for line in open(sys.argv[1]):
    json.loads(line)
END

# The driver's columns, over the library that stands in for the driver.
driver=$BUILD/tests/standin/cuda
[ -e "$driver/libcuda.so.1" ] || fail "there is no $driver/libcuda.so.1; build the target standin_cuda"
TARN_CUDA_LIBRARY=$driver/libcuda.so.1 LD_LIBRARY_PATH=$driver run --no-suite --device cuda:0
cells=$(row 'Virtual memory management' '64 MiB')
[ "$(measured "$cells")" = 10 ] || fail "Tarn's calls and the driver's: $cells"
cells=$(row 'One allocation and one free' '1 MiB')
[ "$(measured "$cells")" = 4 ] || fail "pools beside the driver's: $cells"
grep -q 'stand-in: no GPU' "$report" || fail "the stand-in counts as a GPU"

for script in "$SRC"/bench/gpu/*.py "$SRC"/examples/python/*.py; do
    python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$script" || fail "$script"
done
