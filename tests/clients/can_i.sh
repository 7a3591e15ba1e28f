#!/bin/sh
# What kubectl says a user may do: on a server of our own, and on the
# kube-apiserver that tests/interop/cluster/servers started.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"

skip() {
    echo "1..0 # SKIP $1"
    exit 0
}

[ -n "${YULOH_SERVER:-}" ] || skip 'there is no kube-apiserver'
kubectl=$("$root/tests/clients/find" kubectl 2>"$scratch/why") ||
    skip "$(tail -1 "$scratch/why")"
export HOME="$scratch"

ours() {
    "$kubectl" --server "$url" --insecure-skip-tls-verify \
        --token admintoken --kubeconfig /dev/null "$@"
}

theirs() {
    "$kubectl" --server "$YULOH_SERVER" --insecure-skip-tls-verify \
        --token "$YULOH_TOKEN" --kubeconfig /dev/null "$@"
}

# What a controller does there: the rules of roles that are sums.
sum_roles() {
    for role in view edit admin; do
        theirs get clusterroles -o json -l \
            "rbac.authorization.k8s.io/aggregate-to-$role=true" \
            >"$scratch/parts" || return 1
        /usr/bin/python3 - "$scratch/parts" >"$scratch/sum" <<'END'
import json, sys
rules = []
for role in json.load(open(sys.argv[1]))["items"]:
    rules += [r for r in role.get("rules") or [] if r not in rules]
print(json.dumps({"rules": rules}))
END
        theirs patch clusterrole "$role" --type=merge \
            -p "$(cat "$scratch/sum")" || return 1
    done
}

bind() {
    "$1" create namespace reign &&
        for role in admin edit view; do
            "$1" create rolebinding "$role" -n reign --clusterrole="$role" \
                --user="$role" --group="group-$role" || return 1
        done &&
        "$1" create clusterrolebinding everywhere --clusterrole=view \
            --user=watcher
}

# same ARGUMENT...: both list the same.
# The order of verbs that come from several bindings is nobody's promise.
in_order() {
    awk '{
        at = match($0, /\[[^]]*\]$/)
        if (!at) { print; next }
        n = split(substr($0, at + 1, RLENGTH - 2), verbs, " ")
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && verbs[j] < verbs[j - 1]; j--) {
                swapped = verbs[j]
                verbs[j] = verbs[j - 1]
                verbs[j - 1] = swapped
            }
        printf "%s[", substr($0, 1, at - 1)
        for (i = 1; i <= n; i++) printf "%s%s", verbs[i], i < n ? " " : ""
        print "]"
    }' | sort
}

same() {
    ours auth can-i --list "$@" | in_order >"$scratch/ours" &&
        theirs auth can-i --list "$@" | in_order >"$scratch/theirs" &&
        [ -s "$scratch/theirs" ] &&
        diff "$scratch/theirs" "$scratch/ours"
}

holds 'the server starts' start_server
holds 'roles are added up there' sum_roles
holds 'users are bound here' bind ours
holds 'users are bound there' bind theirs
for user in admin edit view; do
    holds "$user" same -n reign --as="bound-$user" --as-group="group-$user"
    holds "$user by name" same -n reign --as="$user"
    holds "$user elsewhere" same -n default --as="$user"
done
holds 'nobody' same -n reign --as=nobody
holds 'nobody who is authenticated' same -n reign --as=nobody \
    --as-group=system:authenticated
holds 'one who may see everything' same -n reign --as=watcher
holds 'a component' same -n kube-system --as=system:kube-scheduler
holds 'the master' same -n reign
holds 'the server stops' stop_server
finish
