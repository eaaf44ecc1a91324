#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `tarn view` writes one page that loads nothing and in which no text of the recording is markup; a
# picture shows the same; a failure leaves the output as it was.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"

# The peak is 7,864,320 bytes. The phase has a hostile name, and so does the file.
trace="$work/<b>&story.trace"
hostile='</script><img src=x onerror=alert(1)>'
cat >"$trace" <<END
a 0 0 2097152
a 10 1 2097152
m 20 $hostile
f 30 0
a 40 2 1572864
a 50 3 4194304
f 70 2
f 80 3
END

# absent FILE TEXT: the file does not contain the text.
absent() {
    ! grep -qF -e "$2" "$1" || fail "$1 contains $2"
}

# --- the page
expect 0 view "$trace" -o "$work/page.html"
[ ! -s "$work/err" ] || fail "a message in spite of success"
page=$work/page.html
[ "$(tail -n 1 "$page")" = '</html>' ] || fail "the page is not complete"
holds "$(wc -c <"$page") < 200000"
absent "$page" 'http:'
absent "$page" 'https:'
absent "$page" 'onerror'
absent "$page" 'story.trace'
grep -q "Content-Security-Policy\" content=\"default-src 'none'" "$page" || fail "the page may load something"
holds "$(grep -c '</script>' "$page") == 2"

expect 0 view "$trace" -o -
cmp -s "$work/out" "$page" || fail "standard output is another page"
expect 0 view "$trace" -o "$work/plain.html" --no-replay
holds "$(wc -c <"$work/plain.html") < $(wc -c <"$page")"

# --- the picture
expect 0 view "$trace" --svg -o "$work/picture.svg"
absent "$work/picture.svg" '<img'
grep -q '7.50 MiB' "$work/picture.svg" || fail "the picture does not name the peak"
grep -q '&#60;b&#62;&#38;story.trace' "$work/picture.svg" || fail "the name of the file is not escaped"
if command -v xmllint >/dev/null; then
    xmllint --noout "$work/picture.svg" || fail "the picture is not XML"
fi
if "$TARN" view "$trace" --png -o "$work/picture.png" 2>"$work/err"; then
    [ "$(head -c 4 "$work/picture.png" | tail -c 3)" = PNG ] || fail "the picture is not a PNG"
else
    says err 'needs Cairo'
    [ ! -e "$work/picture.png" ] || fail "a picture without Cairo"
fi

# --- invalid use
printf 'before' >"$work/kept.html"
printf 'once upon a time\n' >"$work/noise"
expect 2 view "$work/noise" -o "$work/kept.html"
says err 'not a recording of a known format'
expect 2 view "$trace" -o "$work/kept.html" --device nothing:0
[ "$(cat "$work/kept.html")" = before ] || fail "a failure changed the output"
expect 1 view "$trace" -o "$work/absent/page.html"
says err "absent/page.html: cannot write: No such file"
expect 1 view "$trace" -o "$work"
expect 1 view "$trace" -o /dev/full
says err '/dev/full: cannot write: No space left'
expect 2 view "$trace"
expect 2 view -o "$work/page.html"
expect 2 view "$trace" "$trace" -o "$work/page.html"
printf 'm 1 nothing\n' >"$work/empty.trace"
expect 0 view "$work/empty.trace" -o "$work/page.html"
expect 2 view "$work/empty.trace" --svg -o "$work/none.svg"
says err 'no blocks to draw'
[ ! -e "$work/none.svg" ] || fail "a picture of nothing"

# The end of a name selects the format, and an option that contradicts it is refused.
for name in x.svg X.SVG x.html x; do
    expect 0 view "$SRC/traces/serve.trace.gz" --no-replay -o "$work/$name"
    case $name in
    *.svg | *.SVG) head -c 200 "$work/$name" | grep -q '<svg' || fail "$name is no SVG" ;;
    *) head -c 200 "$work/$name" | grep -qi '<!doctype html' || fail "$name is no page" ;;
    esac
done
for name in x.png x.html; do
    rm -f "$work/$name"
    expect 2 view "$SRC/traces/serve.trace.gz" --svg -o "$work/$name"
    says err "^tarn view: --svg: the name \".*$name\" ends as that of another format"
    [ ! -e "$work/$name" ] || fail "$name was written"
done
