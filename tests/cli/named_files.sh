#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A command writes to the file that the user names and to no other: a symbolic link is refused, and what it leads
# to stays as it is. A failure leaves no part of a file. Devices, pipes and the command's own descriptors are
# written in place. A file to resume from is a regular one.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

gzip -dc "$SRC/traces/serve.trace.gz" | head -n 100 >"$work/trace"
mkdir "$work/folder"
cd "$work/folder"
echo 'of another user' >"$work/victim"

# refuses CODE WHERE ARGUMENTS...: the command, whose output is `link`, fails and changes nothing.
refuses() {
    wanted=$1 pattern=$2
    shift 2
    for target in "$work/victim" "$work/absent" /dev/null "$work/folder"; do
        ln -sfn "$target" link
        expect "$wanted" "$@"
        says err "$pattern"
        [ "$(readlink link)" = "$target" ] || fail "the link was replaced: tarn $*"
        [ "$(cat "$work/victim")" = 'of another user' ] || fail "the target of the link changed: tarn $*"
        [ ! -e "$work/absent" ] || fail "the target of the link was created: tarn $*"
        [ "$(ls)" = link ] || fail "another file: $(ls): tarn $*"
    done
}
refuses 1 'link: cannot write: a symbolic link is not followed' view "$work/trace" -o link
refuses 1 'link: cannot write: a symbolic link is not followed' view "$work/trace" --svg -o link
refuses 1 'link: cannot write: a symbolic link is not followed' convert --to csv "$work/trace" link
refuses 1 'link: cannot write: a symbolic link is not followed' convert --to pprof "$work/trace" ./link
refuses 1 'link: cannot write: a symbolic link is not followed' fit "$work/trace" --minimise link --limit 0.5x
for command in "replay --device sim:0 $work/trace" "explain --no-replay $work/trace" "layout 100 5000" info \
    "diff $work/trace $work/trace" "fit --pool direct $work/trace"; do
    # shellcheck disable=SC2086 # words
    refuses 1 '--json=link: a symbolic link is not followed' $command --json=link
done
libraries=$(dirname "$TARN")/../lib/tarn
if [ -e "$libraries/record/libtarn-record.so" ]; then
    refuses 125 'link: a symbolic link is not followed' record -o link -- true
fi
if [ -e "$libraries/check/libtarn-check.so" ]; then
    refuses 125 'a symbolic link is not followed' check --json=link -- true
    refuses 125 'a symbolic link is not followed' check --log-path link -- true
fi
rm link

# A folder behind a link is another matter.
ln -s . here
expect 0 view "$work/trace" -o here/page.html
[ -s page.html ] || fail "no page behind a link to a folder"
rm here page.html

# In place: a pipe, a device, and the descriptors of the command, which lie behind links of the system.
expect 0 convert --to csv "$work/trace" -
cp "$work/out" "$work/csv"
for name in /dev/stdout /dev/fd/1 /proc/self/fd/1; do
    expect 0 convert --to csv "$work/trace" $name
    cmp -s "$work/out" "$work/csv" || fail "another table in $name, a file"
    "$TARN" convert --to csv "$work/trace" $name | cmp -s - "$work/csv" || fail "another table in $name, a pipe"
done
{ echo before && "$TARN" convert --to csv "$work/trace" /dev/stdout && echo after; } >"$work/around"
[ "$(sed -n '1p;$p' "$work/around" | tr '\n' ' ')" = 'before after ' ] || fail "a file behind /dev/stdout was replaced"
expect 0 view "$work/trace" -o /dev/null
[ -c /dev/null ] || fail "/dev/null was replaced"
mkfifo pipe
cat pipe >"$work/piped" &
reader=$!
expect 0 convert --to csv "$work/trace" pipe
wait "$reader"
cmp -s "$work/piped" "$work/csv" || fail "another table in a pipe"
[ -p pipe ] || fail "the pipe was replaced"
expect 0 layout 100 5000 --json=/dev/stdout
says out '"command": "layout"'

# The results of an earlier torture are read again, so they lie in a regular file.
if [ -e "$libraries/check/libtarn-check.so" ]; then
    for file in /dev/null /dev/full pipe "$work/folder"; do
        expect 125 torture --resume "$file" -- true
        says err "^tarn torture: --resume $file: "
    done
    if [ ! -c /dev/null ] || [ ! -p pipe ]; then fail "a device was replaced"; fi
    ln -s "$work/victim" link
    expect 125 torture --resume link -- true
    says err '^tarn torture: --resume link: a symbolic link is not followed'
    [ "$(cat "$work/victim")" = 'of another user' ] || fail "--resume wrote through a link"
fi

# A JSON object that cannot be written completely leaves the old file.
echo old >result
rm -f link
got=0
(
    trap '' XFSZ
    ulimit -f 1
    exec "$TARN" replay --device sim:0 "$work/trace" --json=result >/dev/null 2>"$work/err"
) || got=$?
[ "$got" = 1 ] || fail "exit $got, not 1, on a full disk"
says err '--json=result: File too large'
[ "$(cat result)" = old ] || fail "an object in parts"
[ "$(echo *)" = 'pipe result' ] || fail "a temporary file is left: $(echo *)"
