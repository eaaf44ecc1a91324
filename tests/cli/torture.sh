#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tarn torture finds the three mistakes of examples/torture.c and nothing in the same work done
# properly, nor in a sample of the programs of docs/failures.md; and its results survive an interruption.
# shellcheck disable=SC1091,SC2154,SC2016 # sourced, it sets work; words for a shell
. "$SRC/tests/support/cli.sh"
program=$(cd "$(dirname "$TARN")/.." && pwd)/tests/bin/example_torture
[ -x "$program" ] || { echo "skipped: needs the examples"; exit 77; }

expect 0 torture --only '[cm]*' -- "$program"
says out '^0 finding(s) in 5 run(s)$'

expect 77 torture --time-limit 5 --only '[cm]*' --json="$work/json" --resume "$work/journal" -- "$program" bad
says out '^copy:1: hang: killed after'
# The address sanitizer handles the signal where the program is built with it.
if grep -q '^map:1: sanitizer: .*SEGV' "$work/out"; then
    class=sanitizer
else
    class=crash
    says out '^map:1: crash: signal 11'
    says out '^    tarn: crash: signal 11, address 0x'
    says out '^        #[0-9]* write_mapping .*torture\.c:4[0-9]$'
fi
says out '^memory_alloc:2: leak: 1 block of device memory of 1048576 byte'
says out "again: tarn check --fail 'map:1' -- "
says out '^3 finding(s) in 5 run(s)$'
awk '$1 == "call" { for (i = 2; i <= NF; i++) sum[i] = 0; in_table = NF; next }
    $1 == "all" { for (i = 2; i <= NF; i++) wrong += sum[i] != $i; seen = 1; exit }
    in_table { for (i = 2; i <= NF; i++) sum[i] += $i }
    END { exit !(seen && wrong == 0) }' "$work/out" || fail "a total is not the sum of its column"
cp "$work/json" "$work/out"
[ "$(json findings)" = 3 ] || fail "the JSON has $(json findings) findings"
[ "$(json $class)" = 1 ] || fail "the JSON has $(json $class) of class $class"

# The cases of the file are not run again; a case that is missing is.
grep -v '"map:1"' "$work/journal" >"$work/half"
cp "$work/half" "$work/journal"
expect 77 torture --time-limit 5 --only '[cm]*' --resume "$work/journal" -- "$program" bad
says out '^3 finding(s) in 5 run(s)$'
[ "$(wc -l <"$work/journal")" = 6 ] || fail "the journal has $(wc -l <"$work/journal") lines"
expect 125 torture --only '[cm]*' --resume "$work/journal" -- "$program"
says err 'the file is not from this program'

# Samples repeat with their seed; pairs fail two calls.
expect 0 torture --pairs --sample 4 --seed 7 --only '[cm]*' --json -- "$program"
grep '"fail"' "$work/out" >"$work/first"
[ "$(grep -c ';' "$work/first")" = 4 ] || fail "not four pairs"
expect 0 torture --pairs --sample 4 --seed 7 --only '[cm]*' --json -- "$program"
grep '"fail"' "$work/out" | cmp -s - "$work/first" || fail "another sample"

# Runs that fail and leave memory are one finding of one line, whose status is that of the first.
expect 77 torture --time-limit 5 --pairs --only 'm*' --json="$work/json" -- "$program" bad
[ "$(grep -c ': leak: ' "$work/out")" = 1 ] || fail "not one line about leaks"
says out ': leak: 1 block of device memory of 1048576 byte(s) in all; so do other runs that fail: [a-z_]*:[0-9];'
cp "$work/json" "$work/out"
[ "$(json leak)" = 2 ] || fail "the JSON has $(json leak) leaks"
[ "$(grep -c '"finding": true' "$work/out")" = "$(json findings)" ] || fail "the JSON counts other findings than it shows"

# The line that repeats a run has all options, and a shell can read it.
expect 77 torture --only map --device host:0,memory=1G --quirk ignored-hint --quirk pin-limit:8M --delay copy:1us \
    -- sh -c 'exec "$0" "$@"' "$program" bad "don't \$HOME"
says out "^    again: tarn check --device 'host:0,memory=1G' --quirk ignored-hint --quirk 'pin-limit:8M' --delay 'copy:1us' "
again=$(sed -n 's/^    again: //p' "$work/out")
set -- sh -c 'exec "$0" "$@"' "$program" bad "don't \$HOME"
wanted=$(printf '%s|' "$@")
[ "$(eval "set -- ${again#* -- }"; printf '%s|' "$@")" = "$wanted" ] || fail "other arguments: $again"
eval "\"\$TARN\" ${again#tarn}" >"$work/out" 2>"$work/err" && fail "no failure: $again"
says err '^tarn: injected: map, call 1, fails'
expect 77 torture --only map --no-check --as hip --compat 6 -- "$program" bad
says out "^    again: tarn run --as hip --compat 6 --fail 'map:1' -- "

# Quirks are runs of their own.
expect 0 torture --quirks no-vmm,fragmented:1 --only none --json -- "$program"
[ "$(grep -c '"fail": "quirk:' "$work/out")" = 2 ] || fail "not two quirks"
expect 125 torture --quirks no-vmm,no-such -- "$program"
says err 'no-such'
# A pattern that matches nothing is wrong.
expect 125 torture --quirks no-vmm --only nothing -- "$program"
says err '^tarn torture: --only=nothing matches no call of the program$'
says err '^    it calls copy, .*, tarn_space_reserve$'
expect 125 torture --only none -- "$program"
says err 'leaves no case without --quirks$'

# The table of docs/failures.md: the calls of each program, and a sample without a finding.
build=$(dirname "$(dirname "$program")")
ln -s "$build/modules/frames_cpp_worker.so" "$build/bin/frames_host" "$build/bin/frames_device" "$work"
gzip -dc "$SRC/traces/serve.trace.gz" | head -n 24 >"$work/serve.trace"
# shellcheck disable=SC2016 # Markdown
sed -n 's/^| `\(.*-- .*\)` *\(.*\) | \([0-9a-z ]*\) | 0 |$/\3|\2|\1/p' "$SRC/docs/failures.md" >"$work/table"
[ "$(wc -l <"$work/table")" = 12 ] || fail "the table of docs/failures.md has $(wc -l <"$work/table") rows"
! is_sanitized || : >"$work/table" # example_overflow fails with a sanitizer
PATH=$build/bin:$(dirname "$TARN"):$PATH
cd "$work" || exit 1
while IFS='|' read -r calls mode arguments; do
    unset TARN_HIAI_MODE
    [ -z "$mode" ] || export "${mode#with }"
    case $arguments in *example_overflow) status=77 ;; *) status=0 ;; esac # it has an error in any run
    # shellcheck disable=SC2086 # a list of words
    expect $status torture --sample 1 --seed 11 $arguments
    says out '^0 finding(s) in 1 run(s)'
    [ "${calls#about}" != "$calls" ] || says out "^all  *$calls  "
done <"$work/table"

# A signal that ends the command ends the programs that it runs.
# shellcheck disable=SC2016 # for the inner shell
"$TARN" torture -- sh -c 'echo $$ >"$0"; exec sleep 600' "$work/pid" &
torture=$!
until [ -s "$work/pid" ]; do sleep 0.05; done
kill -TERM $torture
wait $torture && fail "torture survived SIGTERM"
! grep -q '^State:.[^Z]' "/proc/$(cat "$work/pid")/status" 2>"$work/err" || fail "the program survived tarn torture"

expect 1 torture -- false
says err 'fails without an injected failure: status 1'
expect 3 torture -- sh -c 'exit 3'
says err 'no call can be made to fail: no process of sh loaded Tarn'
expect 122 torture -- true
says err 'no call can be made to fail: no process of true loaded Tarn'
expect 125 torture --fail map:1 -- true
expect 125 torture
