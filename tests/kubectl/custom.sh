# What people do with kubectl and custom resources, as cases.  Sourced with
# $kubectl set, after tap.sh, serve.sh and script.sh, while a server runs.
# shellcheck shell=sh

group=cloudteam.ztgame.com
crd=crd/networks.$group
manifests=$root/examples/manifests

# network NAME CIDR [MORE]: a manifest of a Network in $scratch/NAME.yaml.
network() {
    cat >"$scratch/$1.yaml" <<EOF
apiVersion: $group/v1
kind: Network
metadata: {name: $1}
spec: {cidr: "$2", gateway: "192.168.0.1"${3-}}
EOF
}

# The definition and the example of the notes, as they stand there.
custom_cases() {
    holds 'apply a definition of 2018' \
        shows 'created' k apply -f "$manifests/crd_network.yaml"
    holds 'it is established' shows 'condition met' \
        k wait --for condition=established --timeout=120s "$crd"
    holds 'it is a resource' \
        shows 'networks' k api-resources --api-group=$group
    holds 'apply an object' \
        shows 'created' k apply -f "$manifests/example_network.yaml"
    holds 'apply it again' \
        shows 'unchanged' k apply -f "$manifests/example_network.yaml"
    holds 'get networks' shows 'example-network' k get networks
    holds 'unknown fields are kept' is '192.168.0.0/16' \
        k get network example-network -o 'jsonpath={.spec.cidr}'
    holds 'explain says which kind it is' shows 'Network' k explain network
    holds 'describe' shows '192.168.0.1' k describe network example-network
    holds 'merge patch' k patch network example-network --type=merge \
        -p '{"spec":{"gateway":"192.168.0.254"}}'
    holds 'merge patch took' is '192.168.0.254' \
        k get network example-network -o 'jsonpath={.spec.gateway}'
    holds 'a strategic patch is refused' refused 'in an unknown format' \
        k patch network example-network --type=strategic -p '{"spec":{}}'
    holds 'edit' env KUBE_EDITOR="sed -i s/[.]254/.253/" "$kubectl" edit \
        network example-network
    holds 'edit took' is '192.168.0.253' \
        k get network example-network -o 'jsonpath={.spec.gateway}'
    holds 'label and select' sh -c \
        '"$1" label network example-network tier=front &&
         "$1" get networks -l tier=front | grep example' sh "$kubectl"
    holds 'delete the object' k delete -f "$manifests/example_network.yaml"
    holds 'delete the definition' \
        k delete -f "$manifests/crd_network.yaml" --timeout=120s
    holds 'then there is no such resource' refused 'the server' k get networks
}

# The definitions that `yuloh gen crd` makes from annotated headers.
custom_gen_cases() {
    "$build/yuloh" gen crd "$root/examples/network_status/network_types.h" \
        >"$scratch/crd.yaml"
    "$build/yuloh" gen crd "$root/examples/appservice/appservice_types.h" \
        >"$scratch/apps.yaml"
    network one 192.168.0.0/16
    network two 192.168.0.0
    network three 10.0.0.0/8 ', colour: red'

    holds 'apply a generated definition' \
        shows 'created' k apply -f "$scratch/crd.yaml"
    holds 'it is established, too' shows 'condition met' \
        k wait --for condition=established --timeout=120s "$crd"
    holds 'explain a generated kind' \
        shows 'specification for a Network' k explain network
    holds 'explain its spec' shows 'The address of the gateway' \
        k explain network.spec
    holds 'explain a field' shows 'such as 192.168.0.0/16' \
        k explain network.spec.cidr
    holds 'explain metadata' shows 'ownerReferences' \
        k explain network.metadata
    holds 'explain everything' shows 'lastTransitionTime' \
        k explain network --recursive
    holds 'apply a valid object' shows 'created' k apply -f "$scratch/one.yaml"
    holds 'short names are listed' \
        shows 'net ' k api-resources --api-group=$group
    holds 'and understood' shows 'one' k get net
    holds 'columns of its own' columns_case
    holds 'a wrong value is refused' \
        refused "in body should match '^[0-9.]+/[0-9]+\$'" \
        k apply -f "$scratch/two.yaml"
    holds 'an unknown field is refused' \
        refused 'unknown field' k apply -f "$scratch/three.yaml"
    holds 'or dropped' sh -c '"$1" apply --validate=false -f "$2" &&
        ! "$1" get network three -o jsonpath={.spec} | grep red' sh \
        "$kubectl" "$scratch/three.yaml"
    holds 'a missing field is refused' \
        refused 'spec.cidr: Required value' sh -c \
        'sed "s/cidr: [^,]*, //; s/one/four/" "$2" |
         "$1" create --validate=false -f -' sh "$kubectl" "$scratch/one.yaml"
    holds 'an old revision is a conflict' conflict_case
    holds 'wait for a condition' wait_case
    holds 'server-side apply' \
        shows 'serverside-applied' k apply --server-side \
        --field-manager=alice -f "$scratch/one.yaml" --force-conflicts
    holds 'another manager conflicts' refused 'with "alice"' sh -c \
        'sed "s/192.168.0.1/192.168.0.9/" "$2" |
         "$1" apply --server-side --field-manager=bob -f -' sh \
        "$kubectl" "$scratch/one.yaml"
    holds 'unless it insists' shows 'serverside-applied' sh -c \
        'sed "s/192.168.0.1/192.168.0.9/" "$2" |
         "$1" apply --server-side --field-manager=bob --force-conflicts \
             -f -' sh "$kubectl" "$scratch/one.yaml"
    holds 'a second version comes while a watch is open' second_version_case
    holds 'objects are read in it' is "$group/v2" \
        k get "networks.v2.$group" one -o 'jsonpath={.apiVersion}'
    holds 'it is explained' shows 'VLAN' \
        k explain network.spec --api-version=$group/v2

    holds 'another definition' shows 'created' k apply -f "$scratch/apps.yaml"
    holds 'becomes established' shows 'condition met' \
        k wait --for condition=established --timeout=120s \
        crd/appservices.appcontroller.k8s.io
    holds 'its objects are made' sh -c 'printf "%s\n" \
        "apiVersion: appcontroller.k8s.io/v1alpha1" "kind: AppService" \
        "metadata: {name: web}" "spec: {deploymentName: web, replicas: 2}" |
        "$1" create -f -' sh "$kubectl"
    holds 'and described' shows 'Deployment Name' k describe appservice web
    holds 'explained' shows "the Deployment's own" \
        sh -c '"$1" explain appservice.spec.replicas | tr "\n" " "' sh \
        "$kubectl"

    holds 'all networks go' k delete networks --all
    holds 'all definitions go' k delete crd --all --timeout=120s
}

columns_case() {
    k get networks >"$scratch/table" || return 1
    cat "$scratch/table"
    head -n 1 "$scratch/table" | grep -q 'NAME  *CIDR  *PHASE' &&
        grep -q 'one  *192.168.0.0/16' "$scratch/table"
}

# Whoever replaces an object that has changed since it was read is told so.
conflict_case() {
    k get network one -o json >"$scratch/old.json" &&
        k annotate network one changed=yes &&
        refused 'the object has been modified' \
            k replace -f "$scratch/old.json"
}

# A condition in the status, which has a path of its own.
wait_case() {
    path=/apis/$group/v1/namespaces/default/networks/one
    k get network one -o json >"$scratch/one.json" &&
        /usr/bin/python3 - "$scratch/one.json" <<'EOF' &&
import json, sys
network = json.load(open(sys.argv[1]))
network["status"] = {"phase": "Ready", "conditions": [
    {"type": "Ready", "status": "True", "reason": "Made", "message": "",
     "lastTransitionTime": "2020-03-05T16:21:06Z"}]}
json.dump(network, open(sys.argv[1], "w"))
EOF
        k replace --raw "$path/status" -f "$scratch/one.json" &&
        shows 'condition met' k wait --for=condition=Ready --timeout=120s \
            network/one &&
        shows 'Ready' k get network one
}

# A watch of one version sees what is written in another, which was added
# while it was open.  The change ends it, and it is opened again, as informers
# do.
second_version_case() {
    sed 's/^    name: v1$/    name: v2/; s/storage: true/storage: false/
         s/^  - additional/@&/' "$scratch/crd.yaml" | sed -n '/^@/,$p' |
        sed 's/^@//
             s/^\( *\)gateway:$/\1vlan: {type: integer, description: The VLAN.}\n&/' \
        >"$scratch/v2"
    cat "$scratch/crd.yaml" "$scratch/v2" >"$scratch/crd2.yaml"
    : >"$scratch/watched"
    watcher=
    watched one "k annotate network one seen=\$i --overwrite" &&
        k apply -f "$scratch/crd2.yaml" &&
        watched late "sed 's/one/late-'\$i'/; s|$group/v1|$group/v2|
            s/cidr/vlan: 7, cidr/' '$scratch/one.yaml' |
            k create --validate=false -f -"
    seen=$?
    kill "$watcher"
    cat "$scratch/watched"
    return $seen
}

# watched WORD COMMAND: repeats the command until a watch has shown WORD.
watched() {
    for i in $(seq 400); do
        if [ -z "$watcher" ] || ! kill -0 "$watcher" 2>/dev/null; then
            "$kubectl" get networks --watch-only --request-timeout=300s \
                >>"$scratch/watched" 2>&1 &
            watcher=$!
        fi
        eval "$2" >"$scratch/last" 2>&1
        sleep 0.25
        ! grep -q "$1" "$scratch/watched" || return 0
    done
    cat "$scratch/last"
    return 1
}
