#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each command that has --json prints one object, which begins with its name and the version of the
# results and has the members that docs/command.md names. The document has an example of each. --json=FILE
# writes the object to FILE and the text to standard output, and wrong input is an object with an error.
# shellcheck disable=SC1091,SC2154,SC2016 # sourced; it sets work; backquotes of the document
. "$SRC/tests/support/cli.sh"
command -v python3 >/dev/null || {
    echo "skipped: needs python3"
    exit 77
}
build=$(cd "$(dirname "$TARN")/.." && pwd)

cat >"$work/read.py" <<'END'
import json
import sys

command, *members = sys.argv[1:]
result = json.load(sys.stdin)
assert list(result)[:2] == ["command", "schema"], list(result)
assert result["command"] == command and result["schema"] == 1, result
missing = [name for name in members if name not in result and name not in result.get("error", {})]
assert not missing, f"no member {missing} in {list(result)}"
END

cd "$work" || exit
gzip -dc "$SRC/traces/serve.trace.gz" | head -n 400 | "$TARN" convert - recording.tarn
cp recording.tarn before.tarn
cp recording.tarn after.tarn
printf '0,64\n64,64\n' >segments
[ ! -x "$build/tests/bin/example_quickstart" ] || cp "$build/tests/bin/example_quickstart" program
[ -e "$build/lib/tarn/check/libtarn-check.so" ] || rm -f program # commands need it
# Rows "| `tarn EXAMPLE` | `member`, ... |".
sed -n 's/^| `\(tarn .*\)` | \(.*\) |$/\1|\2/p' "$SRC/docs/command.md" | grep -e --json >rows
PATH=$(dirname "$TARN"):$PATH
while IFS='|' read -r line members; do
    words=${line#tarn }
    command=${words%% -*}
    printf '%s\n' "$command" >>shown
    case $line in
    *./program*) [ -x program ] || continue ;;
    *'--as hip'*) [ -e "$build/lib/tarn/hip" ] || continue ;;
    esac
    code=0
    sh -c "$line" >out 2>err </dev/null || code=$?
    [ "$code" = 0 ] || { [ "$code" = 4 ] && [ "$command" = layout ]; } || fail "exit $code of: $line"
    members=$(printf '%s' "${members%%;*}" | grep -o '`[^`]*`' | tr -d '`')
    if [ "$command" = check ]; then
        sed -i -n '/^{/p' out # its program prints, too
    fi
    # shellcheck disable=SC2086 # words
    python3 read.py "$command" $members <out || fail "wrong members of: $line"

    sh -c "$(printf '%s\n' "$line" | sed 's/--json/--json=file/')" >out 2>err </dev/null || true
    # shellcheck disable=SC2086 # words
    python3 read.py "$command" $members <file || fail "wrong members in the file of: $line"
    ! grep -q '"schema"' out || fail "the file is not instead of standard output: $line"
    [ "$command" = check ] || [ -s out ] || fail "no text with a file: $line"
    rm file
done <rows
[ -z "$(ls -d ./-* 2>/dev/null)" ] || fail "a file is called like an option"

# Wrong input, before and behind the option.
for command in $(sort -u shown | tr ' ' :); do
    command=$(echo "$command" | tr : ' ')
    for words in '--json --no-such-option' '--no-such-option --json' '--json=file --no-such-option'; do
        code=0
        rm -f file
        # shellcheck disable=SC2086 # words
        "$TARN" $command $words >out 2>err </dev/null || code=$?
        [ "$code" = 2 ] || [ "$code" = 125 ] || fail "exit $code of: tarn $command $words"
        [ ! -e file ] || mv file out
        python3 read.py "$command" exit_code message <out || fail "no error from: tarn $command $words"
        # shellcheck disable=SC2086
        grep -q -F -e "$(head -n 1 err | sed 's/.*: //; s/[";].*//')" out || fail "another error in: tarn $command $words"
    done
done
# fails CODE COMMAND ARGUMENTS...: the object of an error.
fails() {
    expect "$@"
    python3 read.py "$2" exit_code message <"$work/out" || fail "no error from: tarn $*"
}
fails 2 explain --json absent.tarn
fails 2 fit --json recording.tarn --device none:0
fails 2 diff --json before.tarn
fails 2 layout --json nonsense
fails 2 layout --json --verify absent
fails 122 check --json -- true
fails 3 check --json -- sh -c 'exit 3'
fails 125 check --json --leaks=5 -- true
fails 122 torture --json -- true
fails 1 torture --json -- false
expect 2 info --json --device none:0
says out '^  "error": {$'
expect 2 replay --json absent.tarn
says out '^  "error": {$'
expect 1 version --json=/dev/full
says err '^tarn version: --json=/dev/full: No space left on device$'
expect 1 layout --json=absent/file 4K
says err '^tarn layout: --json=absent/file: No such file or directory$'

# One question of twenty.
expect 0 explain --json --no-replay --question 3 recording.tarn
python3 -c 'import json, sys; assert [q["number"] for q in json.load(sys.stdin)["questions"]] == [3]' <"$work/out" ||
    fail "other questions than 3"
! grep -q by_function "$work/out" || fail "more than question 3"

# Every command with the option is shown.
for command in $("$TARN" complete -- '' | cut -f1) 'channel bench' 'channel top'; do
    # shellcheck disable=SC2086 # words
    "$TARN" help $command | grep -q -e ' --json' || continue
    grep -qx "$command" shown || fail "docs/command.md shows no tarn $command --json"
done
