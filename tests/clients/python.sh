#!/bin/sh
# Debian's python3-kubernetes against a server of our own.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"

if ! /usr/bin/python3 -c 'import kubernetes' 2>/dev/null; then
    echo '1..0 # SKIP python3-kubernetes is not installed'
    exit 0
fi
export HOME="$scratch"
start_server || { echo 'Bail out! no server'; exit 1; }
/usr/bin/python3 "$root/tests/clients/python_client.py"
