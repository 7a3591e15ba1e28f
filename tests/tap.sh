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

# shows TEXT COMMAND...: it succeeds and prints TEXT.
shows() {
    tap_text=$1
    shift
    "$@" >"$scratch/out" 2>&1 || { cat "$scratch/out"; return 1; }
    grep -qF -- "$tap_text" "$scratch/out" || { cat "$scratch/out"; return 1; }
}

# says TEXT STATUS COMMAND...: it exits with STATUS and complains of TEXT.
says() {
    tap_text=$1 tap_want=$2 tap_status=0
    shift 2
    "$@" >/dev/null 2>"$scratch/err" </dev/null || tap_status=$?
    cat "$scratch/err"
    [ "$tap_status" = "$tap_want" ] && grep -qF -- "$tap_text" "$scratch/err"
}

# refused TEXT COMMAND...: it fails and prints TEXT.
refused() {
    tap_text=$1
    shift
    ! "$@" >"$scratch/out" 2>&1 || { cat "$scratch/out"; return 1; }
    grep -qF -- "$tap_text" "$scratch/out" || { cat "$scratch/out"; return 1; }
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
