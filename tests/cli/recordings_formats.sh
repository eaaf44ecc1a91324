#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One story in every format has the same peaks wherever the format holds them, and explains itself.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

folder=$(snapshots)/formats
ls "$folder"/story.trace >/dev/null 2>&1 || {
    echo "skipped: no samples of formats (TARN_SNAPSHOTS)" >&2
    exit 77
}

# The peak of live bytes of each file that does not have that of the story, as its README says. The database of Nsight
# Systems has a static variable of 4 KiB besides.
cat >"$work/others" <<'END'
jax-device-memory.prof 10551296
jax-device-memory.prof.gz 10551296
memscope_dump-real.csv 20782080
nsys.sqlite 7868416
rmm.dev1.csv 1048576
torch-memory-snapshot-list.json 2097152
torch-memory-snapshot-list.pickle 2097152
torch-npu-snapshot.pickle 8912896
umpire-real.json 256
END

for file in "$folder"/*; do
    name=${file##*/}
    case $name in
    README.md | other | write) continue ;;
    esac
    peak=$(awk -v name="$name" '$1 == name { print $2 }' "$work/others")
    expect 0 explain "$file" --json --no-replay
    [ "$(json peak_live_bytes)" = "${peak:-7864320}" ] || fail "$name: a peak of $(json peak_live_bytes)"
    [ "$(grep -c '"question": ' "$work/out")" = 20 ] || fail "$name: not 20 answers"
    case $name in
    torch-snapshot* | torch-memory* | kineto* | memscope_dump.* | tensorflow*)
        [ "$(json peak_reserved_bytes)" = 20971520 ] || fail "$name: $(json peak_reserved_bytes) reserved"
        ;;
    esac
done
expect 2 explain "$folder/other/bcc-memleak.txt"
says err 'looks like a text or a table of another program'
