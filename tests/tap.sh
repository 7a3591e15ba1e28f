# TAP for the scripts in tests/e2e.  Source it, state cases, then finish.
#
#   . "$(dirname "$0")/../tap.sh"
#   holds 'what should be true' command argument...
#   fails 'what should be refused' command argument...
#   finish
#
# The output of a command is shown only when its case fails.  $scratch is a
# folder that goes away at the end, $root the top of the tree, $build the
# build folder under test.
# shellcheck shell=sh

n_cases=0
n_bad=0
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$root/build}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export root build

holds() {
    tap_name=$1
    shift
    n_cases=$((n_cases + 1))
    if "$@" >"$scratch/.log" 2>&1; then
        echo "ok $n_cases - $tap_name"
    else
        tap_bad "$*"
    fi
}

fails() {
    tap_name=$1
    shift
    n_cases=$((n_cases + 1))
    if "$@" >"$scratch/.log" 2>&1; then
        tap_bad "should have failed: $*"
    else
        echo "ok $n_cases - $tap_name"
    fi
}

skipped() {
    n_cases=$((n_cases + 1))
    echo "ok $n_cases - $1 # SKIP $2"
}

finish() {
    echo "1..$n_cases"
    [ "$n_bad" = 0 ]
    exit
}

tap_bad() {
    n_bad=$((n_bad + 1))
    echo "not ok $n_cases - $tap_name"
    echo "# $1"
    sed 's/^/# /' "$scratch/.log"
}
