#!/bin/sh
# How large a controller is with libyuloh inside, and whether a static one needs
# anything but itself: it runs in a root with nothing but a kubeconfig.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"

source=$root/examples/network_status
networks=/apis/cloudteam.ztgame.com/v1/namespaces/default/networks
controller=

trap '[ -z "$controller" ] || kill -9 "$controller" 2>/dev/null
      [ -z "$pid" ] || kill -9 "$pid" 2>/dev/null
      rm -rf "$scratch"' EXIT

# links NAME [-static]: a stripped controller.
links() {
    # shellcheck disable=SC2046,SC2086
    cc -std=c11 -O2 -D_GNU_SOURCE -I"$root/include" -I"$build/include" \
        "$source"/*.c "$build/libyuloh.a" -o "$scratch/$1" ${2-} \
        $(pkg-config ${2:+--static} --libs openssl libnghttp2 libzstd \
          yaml-0.1) -lm -pthread || return 1
    strip "$scratch/$1"
}

below() {
    size=$(stat -c %s "$scratch/$1")
    echo "$1: $size bytes"
    [ "$size" -lt "$2" ]
}

api() {
    curl -sS --fail-with-body --max-time 60 -X "$1" \
        --cacert "$data/pki/ca.crt" -H 'Authorization: Bearer admintoken' \
        -H "Content-Type: ${4:-application/json}" ${3:+--data-binary "$3"} \
        "$url$2"
}

# eventually COMMAND...: it succeeds within a minute.
eventually() {
    for _ in $(seq 600); do
        ! "$@" >"$scratch/.eventually" 2>&1 || return 0
        sleep 0.1
    done
    cat "$scratch/.eventually" "$scratch/controller.log"
    return 1
}

ready() {
    api GET "$networks/a" | grep -qE '"phase": ?"Ready"'
}

# with_root FOLDER COMMAND...: in a root of its own, which a user may have in a
# namespace of users.
with_root() {
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin unshare --user --map-root-user \
        chroot "$@"
}

start_in_empty_root() {
    mkdir "$scratch/root"
    cp "$scratch/static" "$scratch/root/controller"
    cp "$KUBECONFIG" "$scratch/root/kubeconfig"
    chmod a+r "$scratch/root/kubeconfig"
    with_root "$scratch/root" /controller --kubeconfig=/kubeconfig \
        >"$scratch/controller.log" 2>&1 &
    controller=$!
}

stop_controller() {
    kill -TERM "$controller"
    wait "$controller" || { cat "$scratch/controller.log"; return 1; }
    controller=
}

if nm "$build/libyuloh.a" 2>/dev/null \
    | grep -qE '__(asan|tsan|ubsan|gcov|sanitizer)_'; then
    echo '1..0 # SKIP the build is instrumented'
    exit 0
fi

holds 'a controller links' links dynamic
holds 'it has less than 1 MB' below dynamic 1000000
if ! links static -static 2>/dev/null; then
    skipped 'a static controller' 'a static library is not installed'
    finish
fi
holds 'a static one has less than 7 MB' below static 7000000
fails 'it is not dynamic' sh -c "ldd '$scratch/static'"

if ! (with_root / true) 2>/dev/null; then
    skipped 'it runs in an empty root' 'namespaces of users are not allowed'
    finish
elif [ ! -x "$build/yuloh-gen" ]; then
    skipped 'it runs in an empty root' 'yuloh-gen is not built'
    finish
fi
holds 'the server starts' start_server
"$build/yuloh-gen" crd "$source/network_types.h" >"$scratch/crd.yaml"
holds 'the definition is created' api POST \
    /apis/apiextensions.k8s.io/v1/customresourcedefinitions \
    "@$scratch/crd.yaml" application/yaml
holds 'a Network is created' eventually api POST "$networks" \
    '{"apiVersion":"cloudteam.ztgame.com/v1","kind":"Network",
      "metadata":{"name":"a"},
      "spec":{"cidr":"10.0.0.0/8","gateway":"10.0.0.1"}}'
holds 'the static controller starts' start_in_empty_root
holds 'it works in an empty root' eventually ready
holds 'it stops' stop_controller
holds 'the server stops' stop_server
finish
