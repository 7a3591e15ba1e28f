#!/bin/sh
# A thousand informers in one process, on one thread and one connection.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"

holds 'the server starts' start_server
holds 'a thousand informers share a thread and a connection' \
    "$build/tests/torture-informers" --server "$url" --token admintoken
holds 'the server stops' stop_server
finish
