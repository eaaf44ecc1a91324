#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The sockets of `tarn check`, `tarn record` and `tarn run` have names that every user of the machine can see. A
# message without the token of the environment has no effect, whoever sends it, and silent connections delay nothing.
# shellcheck disable=SC1091,SC2154 # sourced, it sets work
. "$SRC/tests/support/cli.sh"
unset TARN_CHECK_OPTIONS MSTX_INJECTION_PATH LD_PRELOAD LD_LIBRARY_PATH TARN_RECORD_FILE
command -v python3 >/dev/null || {
    echo "skipped: no python3" >&2
    exit 77
}
python=$(PATH=/usr/bin:/bin command -v python3 || command -v python3)
# The words before a command that run it as another user, if this machine can.
became='setpriv --reuid=65534 --regid=65534 --clear-groups'
[ "$(id -u)" = 0 ] && $became "$python" -c '' 2>/dev/null || became=
[ -e "$(dirname "$TARN")/../lib/tarn/check/libtarn-check.so" ] || exit 0 # not built with sanitizers

# attack.py KIND PARENT: as the program of the command, or as another user beside it, sends to each socket of
# the command PARENT messages and connections without its token.
cat >"$work/attack.py" <<'EOF'
import re, socket, struct, sys, time
kind, parent, held = sys.argv[1], sys.argv[2], []
token = b"0123456789abcdef" * 2
pattern = re.compile(r"@(tarn-(loaded|check)-%s-\S+)$" % parent)
names = [m.groups() for m in (pattern.search(line.strip()) for line in open("/proc/net/unix")) if m]
assert names, "no socket"
for name, what in names:
    address = "\0" + name
    if what == "loaded":
        texts = [b"L", b"Fthis line is forged", b"", token + b"L", token + b"Fthis line is forged", b"x" * 4000]
        for text in texts * (50 if kind == "flood" else 1):
            sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            sender.setblocking(False)
            sender.sendto(text, address)  # a full socket would refuse it
            sender.close()
    else:
        # The head of a summary with one error: the token, its kind, the pid, no texts, unsent, the counts.
        head = token + struct.pack("=IiIIQ6Q", 3, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0)
        for text in (head, head[:20], b"x"):
            sender = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            sender.connect(address)
            sender.send(text)
            sender.close()
        for i in range(400 if kind == "flood" else 0):
            silent = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            silent.setblocking(False)
            try:
                silent.connect(address)
                held.append(silent)
            except OSError:
                time.sleep(0.001)
print("attacked", flush=True)
if kind == "flood":
    time.sleep(float(sys.argv[3]))
EOF

# The recorder's dlsym() would run before the sanitizer's library has begun.
record="record -o $work/recording"
if is_sanitized; then record=; fi

printf 'a 0 1 4096\nf 0 1\n' >"$work/trace"
chmod 755 "$work" && chmod 644 "$work/attack.py"
export python
for user in '' "$became"; do
    # shellcheck disable=SC2016 # for the inner shell
    attack=$user' "$python" "$0" once $PPID'
    # A program that is clean stays clean, and the forged line appears nowhere.
    for command in check "$record" "run --quirk late-map"; do
        [ -n "$command" ] || continue
        # shellcheck disable=SC2086 # words
        expect 0 $command -- sh -c "$attack && exec \"\$1\" replay \"\$2\" >/dev/null" "$work/attack.py" "$TARN" "$work/trace"
        says out '^attacked$'
        ! grep -q 'forged' "$work/err" || fail "tarn $command prints the line of a stranger"
        # A program without Tarn is not taken for one that has loaded it.
        # shellcheck disable=SC2086 # words
        expect 122 $command -- sh -c "$attack" "$work/attack.py"
        says out '^attacked$'
    done
done

# Silent connections, more than the command keeps, and datagrams, more than a socket holds, do not hold up
# reports. They stay open until the command has ended: it waits for none of them.
# shellcheck disable=SC2016 # for the inner shell
flood='{ '$became' "$python" "$0" flood $PPID 600 & } >"$3/attack" 2>&1; echo $! >"$3/pid"
    until grep -q attacked "$3/attack"; do kill -0 $!; sleep 0.05; done
    "$1" replay "$2" >/dev/null && "$1" replay "$2" >/dev/null'
started=$(date +%s)
expect 0 check -- sh -c "$flood" "$work/attack.py" "$TARN" "$work/trace" "$work"
says err '^tarn check: 2 processes: 0 error(s)'
kill "$(cat "$work/pid")" || fail "the connections were not open until the end"
[ $(($(date +%s) - started)) -lt 600 ] || fail "the command waited for the silent connections"
