#!/bin/sh
# Clients that want all memory for themselves, against a server with the
# budget that it has by default: tests/torture/budget.py, which speaks TAP.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"

# A sanitizer makes a server slow and large: a part of the load will do.
scale=100 grow=384
if grep -q -e __asan_init -e __tsan_init "$build/yuloh"; then
    scale=5 grow=4096
fi

cat >"$scratch/tokens" <<'END'
admintoken,admin,admin,"system:masters"
usertoken,user,user,dev
END

# A port that is free now; if it is not later, another one is tried.
for _ in 1 2 3 4 5; do
    clear=$(python3 -c 'import socket
s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    start_server --insecure-loopback-port "$clear" --write-timeout 5s && break
done
[ -n "$port" ] || exit 1

# The user may write what the attacks are made of.
as_admin() {
    curl -sSf --cacert "$data/pki/ca.crt" -o "$scratch/answer" \
        -H 'Authorization: Bearer admintoken' \
        -H 'Content-Type: application/json' --data-binary "$2" "$url$1"
}
rbac=/apis/rbac.authorization.k8s.io/v1/namespaces/default
as_admin $rbac/roles '{"metadata":{"name":"user"},"rules":[{"apiGroups":[""],
    "resources":["configmaps","pods"],"verbs":["*"]}]}' \
    && as_admin $rbac/rolebindings '{"metadata":{"name":"user"},
    "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role",
    "name":"user"},"subjects":[{"kind":"User","name":"user"}]}' || exit 1

"$root/tests/torture/budget.py" "127.0.0.1:$port" --clear "127.0.0.1:$clear" \
    --kubeconfig "$KUBECONFIG" --pid "$pid" --user usertoken --grow $grow \
    --scale $scale "$@"
status=$?
stop_server || status=1
[ $status = 0 ] || sed 's/^/# server: /' "$scratch/serve.log"
exit $status
