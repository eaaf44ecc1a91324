#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The reports of tarn check: as text and as JSON, with the lines of the program, counted and suppressed by
# options. Replays of the bundled traces give no report.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
unset TARN_CHECK_OPTIONS MSTX_INJECTION_PATH

# Checked replays need no program; one is enough under sanitizers.
sanitized=no
! is_sanitized || sanitized=yes
for trace in "$SRC"/traces/*.trace.gz; do
    [ $sanitized = no ] || [ "$(basename "$trace")" = gpt-train.trace.gz ] || continue
    expect 0 replay --check "$trace"
    says err 'SUMMARY: 0 error(s), 0 warning(s), 0 byte(s) leaked in 0 region(s), 0 suppressed'
done
# A replay accesses memory by Tarn alone, so the bytes that it does not touch are known to be unwritten.
printf 'a 0 1 376\nf 0 1\n' >"$work/trace"
TARN_CHECK_OPTIONS=unused=1 expect 0 replay --check --touch "$work/trace"
says err 'unused-memory: 360 of 376 byte(s) (95%) of R1 never written, first at +0x8'
expect 2 replay --check "$work/absent.trace"
TARN_CHECK_OPTIONS=leeks=1
export TARN_CHECK_OPTIONS
expect 2 replay --check "$SRC/traces/gpt-train.trace.gz"
says err 'leeks'
unset TARN_CHECK_OPTIONS

bugs=$BUILD/tests/check/bugs
[ -x "$bugs/tarn_overflow_fill" ] || exit 0 # not built with sanitizers

# The example, by the checker and by Valgrind.
example=$BUILD/tests/bin/example_overflow
expect 77 check -- "$example"
says out '^the neighbour begins with 0xee'
says err '^==[0-9]*== ERROR heap-overflow: write of 1500 byte(s) at 0x'
says err '^==[0-9]*==   is 0 byte(s) after region R[12] .* size 1000$'
says err '^==[0-9]*==     #[0-9]* 0x[0-9a-f]* spill .*overflow\.c:[0-9]*$'
if command -v valgrind >/dev/null; then
    valgrind -q "$example" >"$work/out" 2>"$work/err" || fail "the example ends badly under valgrind"
    says err 'Unaddressable byte'
    says err 'spill.* (overflow\.c:'
fi

# The complete report of an overflow.
expect 77 check -- "$bugs/tarn_overflow_fill"
says err '^==[0-9]*== ERROR heap-overflow: write of 1008 byte(s) at 0x[0-9a-f]*.* dev 0 thread [0-9]* \[#1\]$'
says err '^==[0-9]*==   is 0 byte(s) after region R1 \[0x[0-9a-f]*,0x[0-9a-f]*) size 1000$'
says err '^==[0-9]*==   in heap H1 \[0x[0-9a-f]*,0x[0-9a-f]*) size [0-9]* domain "tarn" (1000/[0-9]* bytes live)$'
says err '^==[0-9]*==   access by thread [0-9]*:$'
says err '^==[0-9]*==     #0 0x[0-9a-f]* tarn_fill '
says err '^==[0-9]*==     #1 0x[0-9a-f]* main .*tarn_overflow_fill\.c:[0-9]*$'
says err '^==[0-9]*==   allocated by thread [0-9]*:$'
says err '^==[0-9]*==     #0 0x[0-9a-f]* tarn_pool_alloc '
says err '^==[0-9]*== SUMMARY: 1 error(s), 0 warning(s), 0 byte(s) leaked in 0 region(s), 0 suppressed$'
# Without the index of addresses, which some compilers omit, every unit is searched.
if command -v objcopy >/dev/null; then
    objcopy --remove-section=.debug_aranges "$bugs/tarn_overflow_fill" "$work/no_index"
    expect 77 check -- "$work/no_index"
    says err '^==[0-9]*==     #1 0x[0-9a-f]* main .*tarn_overflow_fill\.c:[0-9]*$'
fi

# As JSON, one object on each line.
expect 77 check --json="$work/json" -- "$bugs/tarn_overflow_fill"
grep -q '"kind": "heap-overflow", "sev": "ERROR"' "$work/json" || fail "no report in the JSON"
if command -v python3 >/dev/null; then
    python3 - "$work/json" <<'END' || fail "the JSON is not as it should be"
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
report, summary = lines
assert report["side"] == "after" and report["offset"] == 0 and report["region"]["size"] == 1000
assert any(f["file"].endswith("tarn_overflow_fill.c") for f in report["stacks"]["alloc"]["frames"])
assert summary["summary"]["errors"] == 1
END
fi

# Output options: a file, another exit code, a rule, an immediate end.
expect 9 check --log-path "$work/log" --exitcode 9 -- "$bugs/tarn_overflow_fill"
[ ! -s "$work/err" ] || fail "the report went to the terminal as well"
grep -q heap-overflow "$work/log" || fail "the report is not in the file"
printf 'heap-*:main:tarn\n' >"$work/rules"
expect 0 check --suppressions "$work/rules" -- "$bugs/tarn_overflow_fill"
says err 'SUMMARY: 0 error(s), 0 warning(s), 0 byte(s) leaked in 0 region(s), 1 suppressed'
printf 'leek:main\n' >"$work/rules"
expect 125 check --suppressions "$work/rules" -- "$bugs/tarn_overflow_fill"
says err 'rules: line 1: not kind:function'
# A file that is wrong, or none, is refused before the program starts. The program may change its folder.
mkdir "$work/folder"
printf 'leak:main\n\n%02000d\n' 0 >"$work/long"
for file in "$work/rules" "$work/absent" "$work/folder" "$work/long"; do
    expect 125 check --suppressions "$file" -- touch "$work/ran"
    says err "^tarn check: suppressions $file: "
    [ ! -e "$work/ran" ] || fail "the program was started with $file"
done
says err 'line 3: longer than 1023 bytes$'
printf 'heap-*:main:tarn\n' >"$work/rules"
# shellcheck disable=SC2016 # for the inner shell
(cd "$work" && expect 0 check --suppressions rules -- sh -c 'cd / && exec "$0"' "$bugs/tarn_overflow_fill") || exit 1
expect 77 check --halt-on-error -- "$bugs/tarn_overflow_fill"
says err 'heap-overflow'
expect 77 check --stack-depth 0 -- "$bugs/tarn_overflow_fill"
! grep -q 'by thread' "$work/err" || fail "there are stacks"
