#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each command that has --json prints one object, which begins with its name and the version of the
# results and has the members that docs/command.md names. The document has an example of each.
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
missing = [name for name in members if name not in result and name != "error"]
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
    # shellcheck disable=SC2046 # words
    python3 read.py "$command" $(printf '%s' "${members%%;*}" | grep -o '`[^`]*`' | tr -d '`') <out ||
        fail "wrong members of: $line"
done <rows

# Every command with the option is shown.
for command in $("$TARN" complete -- '' | cut -f1) 'channel bench' 'channel top'; do
    # shellcheck disable=SC2086 # words
    "$TARN" help $command | grep -q -e ' --json' || continue
    [ "$command" = check ] || grep -qx "$command" shown || fail "docs/command.md shows no tarn $command --json"
done
