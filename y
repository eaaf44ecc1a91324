#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The entry point for every task: ./x COMMAND. `./x help` lists the commands. All output is under build/.
set -eu
cd "$(dirname "$0")"

# Packages by their Debian and Ubuntu names; a|b means that either will do. The library alone needs gcc,
# cmake, and ninja or make. A part of Tarn whose library is missing is left out.
build_packages='
gcc libc6-dev cmake ninja-build pkg-config|pkgconf zlib1g-dev libzstd-dev liblzma-dev libjansson-dev
libsqlite3-dev libdw-dev
'
# Packages that tests, lints and benchmarks need too.
test_packages='
g++ clang libclang-rt-dev|libclang-rt-14-dev|libclang-common-14-dev clang-format shellcheck
universal-ctags git libcmocka-dev libjemalloc-dev libmimalloc-dev
'
# Packages that single tests and parts use. `test` installs those that the distribution offers. A test
# that lacks one is skipped with the line "skipped: needs PACKAGE".
optional_packages='
mold libamdhip64-dev valgrind libucx-dev doxygen graphviz libcereal-dev chromium nodejs libcairo2 abigail-tools
help2man python3-pytest python3-numpy python3-numba python3-pycparser yamllint
'
# Packages of tests that only `test --all` runs.
aarch64_packages='gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-user'
night_packages="
$aarch64_packages libprotobuf-dev protobuf-compiler debhelper lintian man-db mandoc zsh fish
python3-flake8 mypy python3-build python3-setuptools python3-wheel
"

# Peers of bench_channel. It is built without those that are missing.
rival_packages='libiceoryx-binding-c-dev iceoryx libzmq3-dev libnng-dev'

# Replays the bundled recordings through every kind of pool on the software device.
replay() {
    [ -x build/bin/tarn ] || die "the command tarn was left out; ./x setup installs the libraries that it needs"
    build/bin/tarn replay --compare --touch traces/*.trace.gz
}

usage() {
    cat <<'END'
usage: ./x COMMAND

  run              build, then replay the bundled traces and compare the pools
  test [PART...]   run everything that CI runs, or those parts: lint release asan tsan clang install
                   aarch64; the last line is "N passed, N failed"
  test --all [PART...]
                   run also the tests that take long (CONTRIBUTING.md lists them)
  test --quick     run the unit tests, the API tests on the device host, the quick lints, and one test
                   for each command
  setup [build]    install the packages that building and testing need, or those for building only
  build            build the command and the libraries: build/bin/tarn, build/lib/libtarn.{a,so};
                   a part whose libraries are missing is named and left out
  bench [NAME...]  build and run the benchmarks, or those named
  lint             check style, includes, names, headers and documents
  abi [--update]   compare the public headers with the recorded binary interface, or record it again
  docs             write the reference as HTML to build/docs/html, and redraw docs/design.svg
  fuzz [SECONDS]   run each fuzz target that long (default 60)
  soak [SECONDS]   run threads over pools at random that long (default 60), with the thread sanitizer too
  python [FOLDER]  build the Python package, a wheel with the library and an archive of the source (default:
                   build/python)
  install PREFIX   install libraries, headers, packages and the command, in a folder such as ~/.local, and
                   say how to use them
  uninstall PREFIX remove what install wrote there
  package          build Debian packages: build/packages/*.deb
  help             this text

run, test, setup, lint, bench, docs, fuzz and soak install the packages that they miss with apt-get, as root
or by sudo. The other commands install none.
Environment:
  TARN_JOBS        number of compilers and of tests that run concurrently (default: a compiler for each CPU, and
                   two tests, because tests often wait)
  TARN_PEERS_DIR   folder of the allocator harness; with it, bench compares Tarn with its peers
  TARN_LIBRARY     library that python packs, instead of one that it builds
END
}

say() { printf '%s\n' "$*"; }
die() {
    printf './x: %s\n' "$*" >&2
    exit 1
}
jobs=${TARN_JOBS:-$(nproc)}
test_jobs=${TARN_JOBS:-$((jobs * 2))}

# --- packages ------------------------------------------------------------------------------------
installed() {
    # shellcheck disable=SC2016 # dpkg-query expands it, not the shell
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# any CHECK ALTERNATIVES: prints the first alternative of a|b|c that passes CHECK.
any() {
    for candidate in $(printf '%s' "$2" | tr '|' ' '); do
        if "$1" "$candidate"; then
            say "$candidate"
            return 0
        fi
    done
    return 1
}
offered() { apt-cache show "$1" >/dev/null 2>&1; }

# missing_packages LIST: prints the entries of a list that are not installed.
missing_packages() {
    for entry in $1; do
        any installed "$entry" >/dev/null || say "$entry"
    done
}

# Prints the optional packages that are missing and that the distribution offers.
missing_optional_packages() {
    for entry in $optional_packages; do
        any installed "$entry" >/dev/null || any offered "$entry" || true
    done
}

may_be_root() { [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && sudo -n true 2>/dev/null; }; }

# as_root COMMAND...: runs it as root or by sudo without a prompt, else says what to type and stops.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif may_be_root; then
        sudo -n "$@"
    else
        names=$(say "$missing" | sed 's/|.*//' | tr '\n' ' ')
        die "packages are missing. Please run, then try again:
    sudo apt-get update && sudo apt-get install -y --no-install-recommends $names"
    fi
}

# install_packages NAME...
install_packages() {
    say "installing: $*"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
}

# need_packages LIST: installs those that are missing. Uses no network if none is.
need_packages() {
    command -v dpkg-query >/dev/null || return 0 # on another distribution cmake names missing parts
    missing=$(missing_packages "$1")
    if [ -n "$missing" ]; then
        as_root apt-get update -q
        chosen=
        for entry in $missing; do
            chosen="$chosen $(any offered "$entry" || say "${entry%%|*}")"
        done
        # shellcheck disable=SC2086 # a list of words
        install_packages $chosen
    fi
}

need_test_packages() { need_packages "$build_packages $test_packages"; }

# Installs the optional packages that are offered. Never fails: tests that need them are skipped.
# want_packages [night]: with those of the nightly tests.
want_packages() {
    [ -z "${1:-}" ] || optional_packages="$optional_packages $night_packages"
    command -v dpkg-query >/dev/null || return 0
    missing=$(missing_optional_packages)
    if [ -n "$missing" ] && may_be_root; then
        # shellcheck disable=SC2086 # a list of words
        install_packages $missing || say "continuing without: $missing"
    fi
}

# --- building ------------------------------------------------------------------------------------
# configure DIRECTORY CMAKE-ARGUMENTS...: quiet unless it fails or leaves out a part. A folder keeps its
# generator.
configure() {
    directory=$1
    shift
    mkdir -p "$directory"
    if [ ! -e "$directory/CMakeCache.txt" ] && [ -z "${CMAKE_GENERATOR:-}" ] && command -v ninja >/dev/null; then
        set -- -G Ninja "$@"
    fi
    if command -v ccache >/dev/null; then
        set -- -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache "$@"
    fi
    if ! cmake -S . -B "$directory" "$@" >"$directory/configure.log" 2>&1; then
        cat "$directory/configure.log" >&2
        return 1
    fi
    grep '^tarn: ' "$directory/configure.log" || true
}

# compile DIRECTORY [CMAKE-BUILD-ARGUMENTS...]: shows each step on a terminal, else a line now and then.
compile() {
    directory=$1
    shift
    if [ -t 1 ]; then
        cmake --build "$directory" -j "$jobs" "$@"
        return
    fi
    cmake --build "$directory" -j "$jobs" "$@" >"$directory/compile.log" 2>&1 &
    compiler=$!
    trap 'kill "$compiler" 2>/dev/null; exit 130' INT TERM
    waited=0
    while kill -0 "$compiler" 2>/dev/null; do
        sleep 1
        waited=$((waited + 1))
        [ $((waited % 30)) != 0 ] || say "  building for $waited s: $(tail -n 1 "$directory/compile.log" | cut -c 1-60)"
    done
    trap - INT TERM
    wait "$compiler" || {
        grep -v '^\[ *[0-9]*[/%]' "$directory/compile.log" >&2
        return 1
    }
}

configure_release() {
    configure build -DCMAKE_C_COMPILER=gcc -DTARN_TESTS=ON -DTARN_BENCH=ON \
        -DTARN_PEERS_DIR="${TARN_PEERS_DIR:-}"
}
configure_asan() {
    configure build/asan -DCMAKE_C_COMPILER=gcc -DTARN_TESTS=ON '-DTARN_SANITIZE=address;undefined'
}
configure_tsan() {
    configure build/tsan -DCMAKE_C_COMPILER=clang -DTARN_TESTS=ON -DTARN_SANITIZE=thread
}
configure_aarch64() {
    configure build/aarch64 -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake -DTARN_TESTS=ON -DCMAKE_BUILD_TYPE=None \
        '-DCMAKE_C_FLAGS=-O1 -g1'
}
configure_clang() {
    configure build/clang -DCMAKE_C_COMPILER=clang -DTARN_TESTS=ON -DTARN_FUZZ=ON -DTARN_BENCH=ON
}

# build_product [TARGET]
build_product() {
    for tool in cmake gcc; do
        command -v $tool >/dev/null || die "$tool is missing; ./x setup installs it"
    done
    configure build -DCMAKE_C_COMPILER=gcc
    compile build --target "${1:-product}"
}

# --- testing -------------------------------------------------------------------------------------
passed=0
failed=0
skipped=0
reasons=
section() { printf '\n=== %s ===\n' "$*"; }

every=  # not empty: the nightly tests too
stages= # a line for each stage that has ended

# stage TITLE COMMAND...: prints the title, runs the command, and prints how long it took and what it counted.
stage() {
    title=$1
    shift
    section "$title"
    begun=$(date +%s)
    passed_before=$passed
    failed_before=$failed
    "$@"
    line=$(printf '%5d s  %5d passed %3d failed  %s' $(($(date +%s) - begun)) $((passed - passed_before)) \
        $((failed - failed_before)) "$title")
    say "$line"
    stages=$(printf '%s\n%s' "$stages" "$line")
}

# These sanitizers fail when the kernel randomises more than 28 bits of mapping addresses.
plain_addresses() {
    bits=$(cat /proc/sys/vm/mmap_rnd_bits 2>/dev/null || echo 28)
    if [ "$bits" -gt 28 ] && setarch "$(uname -m)" -R true 2>/dev/null; then
        setarch "$(uname -m)" -R "$@"
    else
        "$@"
    fi
}

# junit_count ATTRIBUTE FILE: prints an attribute of the <testsuite> element.
junit_count() {
    sed -n '/<testsuite/,/>/p' "$2" | tr -d '\n' | sed -n "s/.*[[:space:]]$1=\"\([0-9]*\)\".*/\1/p"
}

# skip_reasons FILE: prints a line for each skipped test of a report: "REASON (TEST)". The reason is the
# test's own line "skipped: REASON".
skip_reasons() {
    awk '
        /<testcase / {
            name = $0; sub(/.* name="/, "", name); sub(/".*/, "", name)
            skipped = 0; reason = "no reason given"
        }
        /<skipped/ { skipped = 1 }
        match($0, /skipped: [^<&]*/) { reason = substr($0, RSTART + 9, RLENGTH - 9) }
        /<\/testcase>/ { if (skipped) print reason " (" name ")"; skipped = 0 }' "$1"
}

# blame_skips REASONS: a test that is skipped for want of an installed package has failed.
blame_skips() {
    command -v dpkg-query >/dev/null || return 0
    for package in $(printf '%s\n' "$1" | sed -n 's/^needs \([^ ]*\).*/\1/p' | sort -u); do
        if installed "$package"; then
            say "a test was skipped for want of $package, which is installed"
            failed=$((failed + 1))
        fi
    done
}

# check DIRECTORY LABELS CTEST-ARGUMENTS...: runs the tests without these labels, and adds their results to
# the totals.
check() {
    directory=$1
    without=$2
    shift 2
    [ -n "$every" ] || without="$without${without:+|}nightly"
    [ -z "$without" ] || set -- -LE "^($without)\$" "$@"
    report=$PWD/$directory/ctest.xml
    rm -f "$report"
    outcome=0
    plain_addresses ctest --test-dir "$directory" -j "$test_jobs" --output-on-failure --no-tests=ignore \
        --output-junit "$report" "$@" || outcome=$?
    if [ ! -s "$report" ]; then # without a report no test matched, or ctest itself failed
        [ "$outcome" = 0 ] || failed=$((failed + 1))
        return 0
    fi
    bad=$(junit_count failures "$report")
    left_out=$(($(junit_count skipped "$report") + $(junit_count disabled "$report")))
    [ "$outcome" = 0 ] || [ "$bad" -gt 0 ] || bad=1
    failed=$((failed + bad))
    skipped=$((skipped + left_out))
    passed=$((passed + $(junit_count tests "$report") - bad - left_out))
    if [ "$left_out" -gt 0 ]; then
        here=$(skip_reasons "$report")
        reasons=$(printf '%s\n%s' "$reasons" "$here")
        blame_skips "$here"
    fi
}

# built DIRECTORY NAME [CMAKE-BUILD-ARGUMENTS...]: configures and compiles build NAME; a build that fails
# counts as one failure.
built() {
    place=$1
    kind=$2
    shift 2
    if "configure_$kind" && compile "$place" "$@"; then
        return 0
    fi
    say "the build in $place failed"
    failed=$((failed + 1))
    return 1
}

# Prints uncommitted changes. The tests must not add any.
tree_state() { git status --porcelain 2>/dev/null || true; }

# Each is a function test_PART below.
test_parts='lint release asan tsan clang install aarch64'
night_part=aarch64 # only `test --all` runs it, or its name

# leave_out REASON NAME: counts a part that cannot run here as one skipped test.
leave_out() {
    skipped=$((skipped + 1))
    reasons=$(printf '%s\n%s (%s)' "$reasons" "$1" "$2")
    say "skipped: $1"
}

test_lint() { stage "lint" lint; }
test_release() { stage "gcc, release" build_and_check build release 'lint|install' all; }
test_asan() {
    stage "gcc, address and undefined-behaviour sanitizers" build_and_check build/asan asan 'lint|install' all
}
test_tsan() { stage "clang, thread sanitizer" build_and_check build/tsan tsan 'lint|install|cli|fuzz|examples' all; }
test_clang() {
    export TARN_FUZZ_SECONDS=3
    stage "clang, fuzzers" build_and_check build/clang clang '' fuzzers -L fuzz_run
}
test_install() { stage "the installed package" build_and_check build release '' all -L install; }
test_aarch64() { stage "AArch64, run by qemu's user-mode emulation" check_aarch64; }

# build_and_check DIRECTORY NAME LABELS TARGET CTEST-ARGUMENTS...: LABELS are left out.
build_and_check() {
    place=$1
    labels=$3
    if built "$1" "$2" --target "$4" ${every:+all nightly}; then
        shift 4
        check "$place" "$labels" "$@"
    fi
}

# The software devices only: the stand-ins of vendors' libraries are not built.
check_aarch64() {
    for package in $aarch64_packages; do
        installed "$package" || {
            leave_out "needs $package" aarch64
            return 0
        }
    done
    tests/aarch64/root.sh build/aarch64-root || {
        leave_out "apt-get could not download the distribution's arm64 packages" aarch64
        return 0
    }
    if built build/aarch64 aarch64 --target unit_api; then
        check build/aarch64 '' -R '^unit_|^api_.*_(host|sim)$' \
            -E '^unit_core_failures_(cuda|hip|ascend)$|^unit_channel_ucx'
    fi
}

# The quick tier: under 90 seconds from a built tree on two cores. The other tests are in the parts above.
quick_lints='abi arrows changelog circles dead_names design differences docs doxygen kinds messages readme unique version workflows'
quick_commands='channel_top check convert diff explain fit help hipcc info layout record replay_table run torture view'
test_quick() { stage "quick tier" check_quick; }
check_quick() {
    pattern='unit_.*|api_.*_host'
    for name in $quick_lints; do pattern="$pattern|lint_$name"; done
    for name in $quick_commands; do pattern="$pattern|cli_$name"; done
    if built build release; then check build '' -R "^($pattern)\$"; fi
}

# run_tests PART...
run_tests() {
    need_test_packages
    case "$every $*" in
    yes* | *"$night_part"*) want_packages night ;;
    *) want_packages ;;
    esac
    before=$(tree_state)
    for part in "$@"; do
        "test_$part"
    done

    if [ "$(tree_state)" != "$before" ]; then
        say "the tests changed the tree:"
        git status --short
        failed=$((failed + 1))
    fi
    printf '\nstages:%s\n' "$stages"
    if [ "$skipped" -gt 0 ]; then
        say "$skipped skipped:"
        printf '%s\n' "$reasons" | sed '/^$/d; s/ ([^(]*)$//' | sort | uniq -c | sort -rn
    fi
    say "$passed passed, $failed failed"
    [ "$failed" = 0 ]
}

lint() {
    configure_release
    check build '' -L lint
}

abi() {
    optional_packages=abigail-tools
    want_packages
    mkdir -p build
    SRC=$PWD BUILD=$PWD/build tests/lint/abi.sh "$@"
}

docs() {
    optional_packages='doxygen graphviz'
    want_packages
    mkdir -p build/docs
    dot -Tsvg docs/design.dot -o docs/design.svg
    doxygen docs/Doxyfile
    say "build/docs/html/index.html"
}

# from_caller PATH: prints a path that the caller gave, relative to the folder where ./x was started.
from_caller() {
    case $1 in
    /*) say "$1" ;;
    *) say "$OLDPWD/$1" ;;
    esac
}

# install PREFIX: refuses the source tree, and to replace files that no earlier installation lists.
install() {
    prefix=$(realpath -m "$(from_caller "$1")")
    [ "$prefix" != "$(pwd -P)" ] || die "PREFIX $1 is the source tree; choose another folder, such as ~/.local"
    build_product
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    DESTDIR=$scratch/root cmake --install build --prefix "$prefix" >build/install.log
    list=$prefix/share/tarn/manifest.txt
    { cat "$list" 2>/dev/null || true; } >"$scratch/former"
    while IFS= read -r name; do
        { [ ! -e "$prefix/$name" ] && [ ! -L "$prefix/$name" ]; } || say "$name"
    done <"$scratch/root$list" | grep -vxFf "$scratch/former" >"$scratch/foreign" || true
    [ ! -s "$scratch/foreign" ] ||
        die "nothing is installed, because these files in $prefix are not of an earlier ./x install:
$(sed 's/^/    /' "$scratch/foreign")"
    cmake --install build --prefix "$prefix" >build/install.log
    show_installation
}

# Prints what was installed below $prefix, and how to use and to remove it.
show_installation() {
    lib=$(sed -n 's/^CMAKE_INSTALL_LIBDIR:[^=]*=//p' build/CMakeCache.txt)
    quoted=$(say "$prefix" | sed 's/[$`"\\]/\\&/g')
    say "installed $(wc -l <"$list") files in $prefix:"
    while read -r name text; do
        [ ! -e "$prefix/$name" ] || printf '    %-22s %s\n' "$name" "$text"
    done <<END
bin/tarn the command
include/tarn headers
$lib/libtarn.so.0 the library
$lib/tarn the checker, the recorder, and libraries with vendors' names
share/man manual pages
share/doc/tarn documents and examples
share/tarn/python the package for Python
END
    cat <<END
to use it, paste these lines into a shell, or into ~/.profile:
    export PATH="$quoted/bin:\$PATH"
    export PKG_CONFIG_PATH="$quoted/$lib/pkgconfig\${PKG_CONFIG_PATH:+:\$PKG_CONFIG_PATH}"
    export LD_LIBRARY_PATH="$quoted/$lib\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
to remove it: ./x uninstall "$quoted"
END
}

# The build works on a copy in a scratch folder, so that the tree stays clean and FOLDER gets the two results only.
# The archive has the sources, the wheel the library too: that which TARN_LIBRARY names, or else that of the build.
# It uses no network.
python() {
    out=$(from_caller "$1")
    interpreter=/usr/bin/python3
    [ -x $interpreter ] || interpreter=python3
    optional_packages='python3-build python3-setuptools python3-wheel'
    want_packages
    for module in build setuptools wheel; do
        $interpreter -c "import $module" 2>/dev/null ||
            die "packages are missing. Please run, then try again: sudo apt-get install python3-$module"
    done
    library=${TARN_LIBRARY:-build/lib/libtarn.so}
    [ -n "${TARN_LIBRARY:-}" ] || build_product tarn_shared
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    cp -R python "$scratch/source"
    cp LICENSE "$scratch/source"
    for kind in sdist wheel; do # the archive has no machine code
        [ $kind = sdist ] || strip --strip-unneeded -o "$scratch/source/tarn/libtarn.so.0" "$library"
        $interpreter -m build --no-isolation --$kind --outdir "$scratch/results" "$scratch/source" >"$scratch/log" 2>&1 || {
            cat "$scratch/log" >&2
            die "the package could not be built"
        }
    done
    mkdir -p "$out"
    for file in "$scratch"/results/*; do
        cp "$file" "$out/"
        say "$out/${file##*/}"
    done
}

bench() {
    optional_packages="$optional_packages $rival_packages"
    need_test_packages
    want_packages
    configure_release
    compile build
    if [ $# = 0 ]; then
        set -- build/bin/bench_*
        [ -e "$1" ] || die "there are no benchmarks"
        [ ! -x build/bin/peers_tarn ] || bench/peers/run.sh
    fi
    for name in "$@"; do
        section "$(basename "$name")"
        "build/bin/bench_${name##*bench_}"
    done
}

fuzz() {
    need_test_packages
    configure_clang
    compile build/clang
    export TARN_FUZZ_SECONDS="$1"
    plain_addresses ctest --test-dir build/clang -L '^fuzz_run$' --output-on-failure
}

# A quarter of the time on each software device, without the thread sanitizer and with it.
soak() {
    need_test_packages
    configure_release
    compile build --target soak_pool
    configure_tsan
    compile build/tsan --target soak_pool
    for device in host sim; do
        build/tests/bin/soak_pool $(($1 / 4 + 1)) 8 "$device:0,memory=384M"
        plain_addresses env TSAN_OPTIONS=halt_on_error=1 \
            build/tsan/tests/bin/soak_pool $(($1 / 4 + 1)) 8 "$device:0,memory=384M"
    done
}

command=${1:-help}
[ $# = 0 ] || shift
case $command in
run)
    need_packages "$build_packages"
    build_product
    replay
    ;;
test)
    if [ "${1:-}" = --quick ] && [ $# = 1 ]; then
        run_tests quick
        exit
    fi
    if [ "${1:-}" = --all ]; then
        every=yes
        night_part=
        shift
    fi
    for part in "$@"; do
        case " $test_parts " in
        *" $part "*) ;;
        *) die "test has no part '$part'; the parts are $test_parts" ;;
        esac
    done
    if [ $# = 0 ]; then
        for part in $test_parts; do
            [ "$part" = "$night_part" ] || set -- "$@" "$part"
        done
    fi
    run_tests "$@"
    ;;
setup)
    case ${1:-all} in
    build) need_packages "$build_packages" ;;
    all)
        need_test_packages
        want_packages night
        ;;
    *) die "usage: ./x setup [build]" ;;
    esac
    ;;
build) build_product ;;
abi) abi "$@" ;;
docs) docs ;;
python) python "${1:-$PWD/build/python}" ;;
bench) bench "$@" ;;
lint)
    need_test_packages
    lint
    [ "$failed" = 0 ]
    ;;
fuzz) fuzz "${1:-60}" ;;
soak) soak "${1:-60}" ;;
install)
    [ $# = 1 ] || die "usage: ./x install PREFIX"
    install "$1"
    ;;
uninstall)
    [ $# = 1 ] || die "usage: ./x uninstall PREFIX"
    cmake -DPREFIX="$(from_caller "$1")" -P cmake/uninstall.cmake
    ;;
package)
    packaging/debian.sh build/packages
    ls build/packages/*.deb
    ;;
help | -h | --help) usage ;;
*)
    usage >&2
    exit 2
    ;;
esac
