#!/bin/sh
# Controllers of our own at work: on a server of our own, and on the
# kube-apiserver that tests/interop/cluster/servers started.  Both get the same
# work.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"

skip() {
    echo "1..0 # SKIP $1"
    exit 0
}

[ -n "${YULOH_WHOLE_SERVER:-}" ] || skip 'there is no kube-apiserver'
[ -x "$build/yuloh-gen" ] || skip 'yuloh-gen is not built'
kubectl=$("$root/tests/clients/find" kubectl 2>"$scratch/why") ||
    skip "$(tail -1 "$scratch/why")"
export HOME="$scratch"
controllers=
# shellcheck disable=SC2086
trap '[ -z "$controllers" ] || kill -9 $controllers 2>/dev/null
      [ -z "$pid" ] || kill -9 "$pid" 2>/dev/null; rm -rf "$scratch"' EXIT

k() {
    "$kubectl" --kubeconfig "$config" --request-timeout 20s "$@"
}

write_kubeconfig() {
    cat <<END
apiVersion: v1
kind: Config
clusters:
- {name: c, cluster: {server: "$1", insecure-skip-tls-verify: true}}
users:
- {name: u, user: {token: $2}}
contexts:
- {name: x, context: {cluster: c, user: u, namespace: default}}
current-context: x
END
}

# settles TEXT ARGUMENT...: kubectl comes to print TEXT, within a minute.
settles() {
    want=$1
    shift
    have=
    for _ in $(seq 120); do
        have=$(k "$@" 2>&1) && [ "$have" = "$want" ] && return 0
        sleep 0.25
    done
    echo "it is '$have'"
    tail -n 20 "$scratch"/*.log
    return 1
}

# logs TEXT FILE: a log comes to have it.
logs() {
    for _ in $(seq 120); do
        grep -qF "$1" "$2" && return 0
        sleep 0.25
    done
    tail -n 20 "$2"
    return 1
}

# network NAME GATEWAY
network() {
    k apply -f - <<END
apiVersion: cloudteam.ztgame.com/v1
kind: Network
metadata: {name: $1}
spec: {cidr: 192.168.0.0/16, gateway: $2}
END
}

many_networks() {
    for i in $(seq 100); do
        printf '%s\n' '---' 'apiVersion: cloudteam.ztgame.com/v1' \
            'kind: Network' "metadata: {name: many-$i, labels: {of: many}}" \
            "spec: {cidr: 10.$i.0.0/16, gateway: 10.$i.0.1}"
    done | k apply -f -
}

# Within a minute.
all_ready() {
    for _ in $(seq 120); do
        n=$(k get networks -l of=many -o \
                'jsonpath={.items[*].status.phase}' | tr ' ' '\n' |
            grep -c '^Ready$')
        [ "$n" != 100 ] || return 0
        sleep 0.25
    done
    echo "$n are"
    return 1
}

ready='jsonpath={.status.conditions[?(@.type=="Ready")].status}'

# cases SIDE
cases() {
    holds "$1: the definition is installed" sh -c "
        '$build/yuloh' gen crd '$root/examples/network_status/network_types.h' |
            '$kubectl' --kubeconfig '$config' apply -f -"
    holds "$1: and established" k wait --for condition=Established \
        --timeout 30s crd/networks.cloudteam.ztgame.com
    "$build/examples/network_controller" --kubeconfig="$config" \
        >"$scratch/table-$1.log" 2>&1 &
    table=$!
    "$build/examples/network_informer" --kubeconfig="$config" \
        >"$scratch/informer-$1.log" 2>&1 &
    informer=$!
    controllers="$controllers $table $informer"
    holds "$1: a Network is created" network one 192.168.0.1
    holds "$1: and becomes ready" settles True get network one -o "$ready"
    holds "$1: it has a finalizer" settles 1 get network one -o \
        'go-template={{len .metadata.finalizers}}'
    holds "$1: the informer by hand hears of it" \
        logs 'Network one: 192.168.0.0/16' "$scratch/informer-$1.log"
    holds "$1: a gateway outside of the range is set" network one 10.0.0.1
    holds "$1: and told in the status" \
        settles False get network one -o "$ready"
    holds "$1: a hundred are created" many_networks
    holds "$1: and all become ready" all_ready
    holds "$1: one is deleted" k delete network one --timeout 30s
    holds "$1: so are all" k delete networks --all --timeout 60s
    kill "$table" "$informer"
    holds "$1: the table ends well" wait "$table"
    holds "$1: so do the stations" wait "$informer"
    controllers=
}

holds 'a server of our own starts' start_server
write_kubeconfig "$url" admintoken >"$scratch/ours"
write_kubeconfig "$YULOH_WHOLE_SERVER" "$YULOH_TOKEN" >"$scratch/theirs"
config=$scratch/ours
cases yuloh
config=$scratch/theirs
cases kube-apiserver
holds 'our server stops' stop_server
finish
