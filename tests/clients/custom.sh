#!/bin/sh
# Custom resources through a current kubectl, against a server of our own.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"
. "$root/tests/kubectl/script.sh"
. "$root/tests/kubectl/custom.sh"

if ! kubectl=$("$root/tests/clients/find" kubectl 2>"$scratch/why"); then
    echo "1..0 # SKIP $(tail -1 "$scratch/why")"
    exit 0
fi
export HOME="$scratch"
holds 'the server starts' start_server
custom_cases
if [ -x "$build/yuloh-gen" ]; then
    custom_gen_cases
else
    skipped 'generated definitions' \
        'yuloh-gen is not built: libclang-14-dev is missing'
fi
holds 'the server stops' stop_server
finish
