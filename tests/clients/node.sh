#!/bin/sh
# @kubernetes/client-node against a server of our own.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"

if ! modules=$("$root/tests/clients/find" client-node 2>"$scratch/why"); then
    echo "1..0 # SKIP $(tail -1 "$scratch/why")"
    exit 0
fi
export HOME="$scratch"
start_server || { echo 'Bail out! no server'; exit 1; }
# Modules are looked for beside the program that imports them.
cp "$root/tests/clients/node_client.mjs" "$scratch/client.mjs"
ln -s "$modules/node_modules" "$scratch/node_modules"
node "$scratch/client.mjs"
