#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The name of a file may hold control characters, which a terminal takes as commands, and newlines, which make a
# line of another's. Each command prints it with \xNN in their place, in a file too.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

escape=$(printf '\033')
bad=$(printf 'e\033]0;owned\a\n\302\233\377tarn: done')
shown='e\\x1b]0;owned\\x07\\x0a\\xc2\\x9b\\xfftarn: done'
cd "$work"

# is_clean ARGUMENTS...: the output of the command has the name, and no control characters.
is_clean() {
    LC_ALL=C grep -q "$shown" out err || fail "the name is not shown: tarn $*"
    for name in out err; do
        [ -z "$(LC_ALL=C tr -d '\n\t -\377' <$name | head -c 1)" ] || fail "a control character in $name: tarn $*"
        ! LC_ALL=C grep -q '^.*tarn: done' $name || LC_ALL=C grep -q "$shown" $name || fail "a line of its own: tarn $*"
        ! LC_ALL=C grep -q "$(printf '\302\233')" $name || fail "U+009B in $name: tarn $*"
    done
}

gzip -dc "$SRC/traces/serve.trace.gz" | head -n 100 >"$bad"
for command in "replay --device sim:0" "explain --no-replay" "fit --pool direct"; do
    # shellcheck disable=SC2086 # words
    expect 0 $command "$bad"
    is_clean "$command"
done
expect 3 replay --device sim:0 --limit 1M "$bad"
is_clean replay --limit
# A file that is missing, that is no recording, and one too many.
echo 'a 1' >"$bad.damaged"
for command in replay explain fit diff convert view; do
    for name in "$bad.absent" "$bad.damaged"; do
        case $command in
        diff) expect 2 diff "$name" "$bad" ;;
        convert) expect 2 convert "$name" x.csv ;;
        view) expect 2 view "$name" -o x.html ;;
        *) expect 2 "$command" "$name" ;;
        esac
        is_clean $command
    done
done
for command in explain fit view; do
    expect 2 $command one "$bad"
    is_clean "$command"
done
expect 2 layout --verify "$bad.absent"
is_clean layout
# Outputs that cannot be written.
mkdir "$bad.folder"
expect 1 convert --to csv "$bad" "$bad.folder/none/x"
is_clean convert
expect 1 view "$bad" -o "$bad.folder"
is_clean view
expect 1 fit "$bad" --pool fixed --limit 0.5x --minimise "$bad.folder"
is_clean fit --minimise
expect 1 layout 100 --json="$bad.folder"
is_clean layout --json
# The message of a JSON object is the line as it was printed.
expect 2 explain "$bad.absent" --json
says err "$shown.absent: cannot open"
says out "\"message\":\"$(printf '%s' "$shown" | sed 's/\\/&&/g').absent: cannot open"

libraries=$(dirname "$TARN")/../lib/tarn
if [ -e "$libraries/record/libtarn-record.so" ]; then
    expect 125 record -o "$bad.folder" -- true
    is_clean record
fi
if [ -e "$libraries/check/libtarn-check.so" ]; then
    expect 125 torture --resume "$bad.folder" -- true
    is_clean torture
    expect 125 check --log-path "$bad.folder" -- true
    is_clean check
fi

# A command prints the name of a program in one line, whatever it is. The recorder's dlsym() would run before a
# sanitizer's library has begun.
cp /bin/false "$bad.program"
for command in "run --quirk late-map" record check; do
    if [ "$command" = record ] && is_sanitized; then continue; fi
    [ "$command" = "run --quirk late-map" ] || [ -e "$libraries/check/libtarn-check.so" ] || continue
    got=0
    # shellcheck disable=SC2086 # words
    "$TARN" $command -- "./$bad.program" >out 2>err </dev/null || got=$?
    [ "$got" = 1 ] || fail "exit $got, not 1: tarn $command"
    is_clean "$command"
done

# Names that a program gives are printed by the checker without control characters, in JSON too.
named=$BUILD/tests/check/bugs/tarn_name_of_many_lines
if [ -x "$named" ]; then
    expect 77 check --json=- -- "$named"
    for name in out err; do
        [ -z "$(LC_ALL=C tr -d '\n\t -\377' <$name | head -c 1)" ] || fail "a control character in $name"
        [ "$(grep -c '^==1== SUMMARY' $name)" = 0 ] || fail "a forged line in $name"
    done
    says out '"name": "he\\u000a==1== SUMMARY: 0 error(s), 0 warning(s)\\u009b"'
    says out '"name": "re\\"g\\u000a\\u001b\[31m\\ufffd"'
fi

# The name of a program is shown too, and what the options say. Only newlines are left there.
for command in "run --quirk late-map" torture check record; do
    [ "$command" = "run --quirk late-map" ] || [ -e "$libraries/check/libtarn-check.so" ] || continue
    got=0
    # shellcheck disable=SC2086 # words
    "$TARN" $command -- "./e$escape]0;owned.absent" >out 2>err </dev/null || got=$?
    [ "$got" != 0 ] || fail "tarn $command runs a program that is absent"
    [ -z "$(LC_ALL=C tr -d '\n\t -\377' <err | head -c 1)" ] || fail "a control character: tarn $command"
    says err '^tarn.*e\\x1b\]0;owned.absent'
done
expect 2 replay "--pool=${escape}[2J" x
says err '\\x1b\[2J'

# On a terminal, the same holds for standard output, but for the colours of the command.
command -v script >/dev/null || exit 0
TERM=xterm NO_COLOR=1
export TERM NO_COLOR
script -qec "'$TARN' complete -- tarn ''" /dev/null >listed 2>&1 </dev/null
"$TARN" complete -- tarn '' >out
tr -d '\r' <listed | cmp -s - out || fail "a terminal gets another text"
