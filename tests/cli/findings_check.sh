#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tarn check writes its findings as JUnit's XML, as SARIF and as annotations of GitHub, with the place in the program.
# Names that are no XML are escaped. A command without a result says so in its files.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
. "$SRC/tests/support/findings.sh"
: "${BUILD:?the folder of the build}"
skip_sanitized "a sanitizer's library must come first in a program"
mkdir "$work/a b<c>&d"
cd "$work/a b<c>&d" || exit
cat >wrong.c <<'END'
#include <tarn/tarn.h>

static void lose(tarn_device *device) {
    tarn_addr block;
    (void)tarn_memory_alloc(device, 4096, &block);
}

int main(int argc, char **argv) {
    tarn_device *device;
    if (tarn_device_open("host:0,devices=1,memory=64M", &device) != TARN_OK) return 2;
    if (argc > 1 && argv[1][0] == 'l') lose(device);
    return tarn_device_close(device) == TARN_OK ? 0 : 3;
}
END
"${CC:-cc}" -g "$PWD/wrong.c" -I "$SRC/include" -L "$BUILD/lib" -ltarn -Wl,-rpath,"$BUILD/lib" -o wrong

expect 77 check --junit "$work/junit" --sarif="$work/sarif" --annotations=github -- ./wrong lose
junit "$work/junit" >"$work/cases"
same "$work/cases" '1 1 0' 'resource-leak in lose|wrong.c|5|failure resource-leak'
sarif "$work/sarif" >"$work/results"
same "$work/results" successful 'resource-leak|error|wrong.c|5|lose'
grep -q '"uri": "wrong.c"' "$work/sarif" || fail "the file is not named from the current folder"
says err '^::error file=wrong.c,line=5,title=tarn check%3A resource-leak in lose::1 block of device memory .*%0A'
# GitHub sets a variable for the steps of its jobs, and names the root of the checkout.
GITHUB_ACTIONS=true GITHUB_WORKSPACE=$work expect 77 check -- ./wrong lose
says err '^::error file=a b<c>&d/wrong.c,line=5,'
GITHUB_ACTIONS=true expect 77 check --annotations none -- ./wrong lose
grep -q '^::' "$work/err" && fail "an annotation was printed"
expect 77 check -- ./wrong lose
grep -q '^::' "$work/err" && fail "an annotation was printed outside of GitHub"
# The JSON of the reports is as it was.
expect 77 check --junit "$work/junit" --json="$work/json" -- ./wrong lose
[ "$(grep -c '"kind": "resource-leak"' "$work/json")" = 1 ] || fail "the JSON has no report"

# Without a finding the program is a case that passed.
expect 0 check --junit "$work/junit" --sarif "$work/sarif" -- ./wrong
junit "$work/junit" >"$work/cases"
same "$work/cases" '1 0 0' './wrong||'
sarif "$work/sarif" >"$work/results"
same "$work/results" successful
mkdir 'x"<&>'
printf 'int main(void) { return 0; }\n' >nothing.c
"${CC:-cc}" nothing.c -o 'x"<&>/none'
expect 122 check --junit "$work/junit" --sarif "$work/sarif" -- './x"<&>/none'
junit "$work/junit" >"$work/cases"
same "$work/cases" '1 0 1' './x"<&>/none|||error status'
sarif "$work/sarif" >"$work/results"
same "$work/results" failed

# Warnings are findings on demand only, in the status and in the files.
warns=$BUILD/tests/check/bugs/mstx_region_overlap
[ -x "$warns" ] || fail "no program that overlaps"
expect 0 check --overlap warn --junit "$work/junit" --sarif "$work/sarif" -- "$warns"
junit "$work/junit" >"$work/cases"
grep -q '^[0-9]* 0 0$' "$work/cases" || fail "a warning is a failure"
sarif "$work/sarif" >"$work/results"
grep -q '|warning|' "$work/results" || fail "SARIF has no warning"
expect 77 check --overlap warn --fail-on-warning --junit "$work/junit" -- "$warns"
junit "$work/junit" >"$work/cases"
grep -q '^[0-9]* [1-9][0-9]* 0$' "$work/cases" || fail "no warning is a failure"
expect 9 check --overlap warn --fail-on-warning --error-exitcode 9 -- "$warns"

# The names that users of other checkers type.
expect 5 check --error-exitcode=5 --log-file="$work/log" --num-callers=0 -- ./wrong lose
grep -q 'ERROR resource-leak' "$work/log" || fail "--log-file has no report"
grep -q "allocated by" "$work/log" && fail "--num-callers=0 shows a stack"
expect 125 check --error-exitcode=256 -- ./wrong
says err '^tarn check: --error-exitcode takes N, not "256"'
expect 77 check --gen-suppressions=all -- ./wrong lose
says err '^==[0-9]*==   to suppress: resource-leak:lose$'
sed -n 's/^==[0-9]*==   to suppress: //p' "$work/err" >rules
expect 3 check --suppressions rules -- ./wrong lose
says err ' 1 suppressed$'
expect 0 help check
says out '^ *--gen-suppressions'
for option in error-exitcode log-file num-callers; do says out "^ *--$option="; done

# A file that cannot be written is an error before the program starts.
for option in junit sarif; do
    expect 125 check --$option "$work/absent/file" -- sh -c "touch '$work/ran'"
    says err "^tarn check: --$option $work/absent/file: No such file"
    [ ! -e "$work/ran" ] || fail "the program was started"
    expect 125 check --$option /dev/full -- ./wrong lose
    says err "^tarn check: --$option /dev/full: No space left on device"
done
