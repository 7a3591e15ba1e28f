#!/bin/sh
# What Yuloh can do today, shown on the manifests beside this script.
#
#   examples/tour.sh [BUILD-FOLDER]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
manifest=examples/manifests/network.yaml

# show COMMENT COMMAND...: prints a comment and a command, and runs it.
show() {
    printf '\n# %s\n$ ' "$1"
    shift
    for word; do
        case $word in
        *[!A-Za-z0-9_./=-]*) printf "'%s' " "$word" ;;
        *) printf '%s ' "$word" ;;
        esac
    done
    printf '\n'
    "$@"
}

show 'A custom resource, as it would be stored: canonical, one line each.' \
    "$build/yuloh" convert -o canonical "$manifest"
show 'The same with a patch, as kubectl prints it.' \
    "$build/yuloh" patch -p '{"metadata":{"labels":{"tier":"back"}}}' \
    "$manifest"
show 'Which of its objects does a label selector match?' \
    "$build/examples/select" 'tier in (front,back)' "$manifest"
echo
