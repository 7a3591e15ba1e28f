#!/bin/sh
# The client against a server with TLS, found by KUBECONFIG: the example program
# follow, as a user calls it, and the program in docs/client.md.  The server is
# one of ours, or the kube-apiserver that YULOH_WHOLE_SERVER names.
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/../serve.sh"

follow=$build/examples/follow
follower=

trap '[ -z "$follower" ] || kill "$follower" 2>/dev/null
      [ -z "$pid" ] || kill -9 "$pid" 2>/dev/null; rm -rf "$scratch"' EXIT

# put METHOD PATH BODY: sends it as the administrator.
put() {
    curl -sSfk -H "Authorization: Bearer ${YULOH_TOKEN:-admintoken}" \
        -H 'Content-Type: application/json' -X "$1" "$url$2" -d "$3"
}

# use_server URL: one that is there already, and may have been used before.
use_server() {
    url=$1
    export KUBECONFIG="$scratch/kubeconfig"
    cat >"$KUBECONFIG" <<EOF
apiVersion: v1
kind: Config
clusters:
- {name: c, cluster: {server: "$url", insecure-skip-tls-verify: true}}
users:
- {name: u, user: {token: "$YULOH_TOKEN"}}
contexts:
- {name: x, context: {cluster: c, user: u}}
current-context: x
EOF
    for name in one two hello; do
        put DELETE $maps/$name '' >/dev/null 2>&1
    done
}

# heard LINE: waits until the follower has printed it.
heard() {
    for _ in $(seq 1200); do
        grep -qxF -- "$1" "$scratch/heard" && return
        sleep 0.05
    done
    cat "$scratch/heard"
    return 1
}

maps=/api/v1/namespaces/default/configmaps

holds 'a resource must be named' says 'usage: follow' 2 "$follow"
holds 'that no server is configured is told' \
    says 'follow: no API server is configured' 1 \
    env KUBECONFIG="$scratch/none" "$follow" pods
if [ -n "${YULOH_WHOLE_SERVER:-}" ]; then
    use_server "$YULOH_WHOLE_SERVER"
else
    start_server || exit 1
fi
holds 'an object is made' put POST $maps \
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"one"}}'
holds 'it is listed, by a short name' \
    shows 'LISTED   default/one' "$follow" --once cm default
holds 'so is what has no namespace' \
    shows 'LISTED   kube-system' "$follow" --once namespaces
holds 'a selector leaves it out' \
    sh -c '[ -z "$("$0" --once cm default a=b)" ]' "$follow"
holds 'a resource that is not there is told' \
    says "doesn't have a resource type \"foos\"" 1 "$follow" --once foos
holds 'an error of the server is told' \
    says 'unable to parse requirement' 1 "$follow" --once cm default '!!'

: >"$scratch/heard"
"$follow" configmaps default >"$scratch/heard" 2>&1 &
follower=$!
holds 'a follower lists' heard 'LISTED   default/one'
holds 'another object is made' put POST $maps \
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"two"}}'
holds 'the follower hears of it' heard 'ADDED    default/two'
holds 'it goes' put DELETE $maps/two ''
holds 'the follower hears of that' heard 'DELETED  default/two'
awk '/^```$/ { inside = 0 } inside { print } /^```c$/ { inside = 1 }' \
    "$root/docs/client.md" >"$scratch/hello.c"
holds 'the program of the guide can be built' \
    cc -Wall -Werror -o "$scratch/hello" "$scratch/hello.c" \
    -I"$root/include" -L"$build" -lyuloh -Wl,-rpath,"$build"
holds 'it makes an object' shows 'made hello at revision' "$scratch/hello"
holds 'the follower hears of that, too' heard 'ADDED    default/hello'
holds 'it says why it cannot make it again' \
    says 'configmaps "hello" already exists' 1 "$scratch/hello"
kill "$follower"
wait "$follower" 2>/dev/null
follower=
holds 'the server stops' stop_server
finish
