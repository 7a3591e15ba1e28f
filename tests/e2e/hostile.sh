#!/bin/sh
# A hostile client against a server of its own: tests/torture/hostile.py, which
# speaks TAP, over TLS.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"

# A sanitizer makes a server slow and large: a part of the load will do.
scale=100 rss=1024
if grep -q -e __asan_init -e __tsan_init "$build/yuloh"; then
    scale=3 rss=4096
fi

# Who is idle stays, however long it takes to open all connections.
start_server --header-timeout 5s --body-timeout 7s --write-timeout 5s \
    --idle-timeout 1h || exit 1
"$root/tests/torture/hostile.py" "127.0.0.1:$port" --kubeconfig "$KUBECONFIG" \
    --pid "$pid" --rss $rss --head-timeout 5 --body-timeout 7 --scale $scale
status=$?
stop_server || status=1
[ $status = 0 ] || sed 's/^/# server: /' "$scratch/serve.log"
exit $status
