#!/bin/sh
# Runs a server with some objects in it, until Ctrl-C.
#
#   examples/run.sh [BUILD-FOLDER]
#
# Its data stays in BUILD-FOLDER/run.  PORT says where it listens [6443];
# SECONDS_UP ends it by itself.
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
port=${PORT:-6443}
data=$build/run

: >"$build/run.out"
"$build/yuloh" serve --data-dir "$data" --listen "127.0.0.1:$port" \
    >"$build/run.out" 2>"$build/run.log" &
pid=$!
trap 'kill "$pid" 2>/dev/null || true' INT TERM EXIT
until grep -q '^serving' "$build/run.out"; do
    if ! kill -0 "$pid" 2>/dev/null; then
        cat "$build/run.log" >&2
        echo '"make run PORT=7443" uses another port.' >&2
        exit 1
    fi
    sleep 0.1
done

kubectl=$(tools/debian-kubectl "$PWD/$build" 2>/dev/null) || kubectl=kubectl
export KUBECONFIG="$PWD/$data/admin.kubeconfig"

# show COMMAND...: prints a command and runs it.
show() {
    printf '\n$ kubectl %s\n' "$*"
    "$kubectl" "$@"
}

if command -v "$kubectl" >/dev/null; then
    show version --short
    show apply -f examples/manifests/web.yaml
    show get deployments,services,cronjobs
    show get deployment web -o \
        'jsonpath={.spec.template.spec.containers[0].image}{"\n"}'
else
    echo 'There is no kubectl here; any will do.'
fi

cat <<EOF

The server listens on https://127.0.0.1:$port, its data is in $data.

    export KUBECONFIG=$KUBECONFIG
    $kubectl get all --all-namespaces
    $kubectl explain deployment.spec
    $build/yuloh backup /tmp/yuloh.backup --data-dir $data

Ctrl-C stops it.
EOF
if [ -n "${SECONDS_UP:-}" ]; then
    sleep "$SECONDS_UP"
    kill -TERM "$pid"
fi
trap 'kill -TERM "$pid" 2>/dev/null' INT TERM
wait "$pid" || wait "$pid" || true
trap - EXIT
echo
echo "The server has stopped. Its data stays in $data, its log is $build/run.log."
