#!/bin/sh
# A current kubectl against a server of our own.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"
. "$root/tests/kubectl/script.sh"

if ! kubectl=$("$root/tests/clients/find" kubectl 2>"$scratch/why"); then
    echo "1..0 # SKIP $(tail -1 "$scratch/why")"
    exit 0
fi
export HOME="$scratch"
holds 'the server starts' start_server
kubectl_cases
holds 'the server stops' stop_server
finish
