# A process that has nothing but what a Pod has, for tests/e2e and
# tests/interop.  Source it after tap.sh.
#
#   ask METHOD PATH [BODY]      to the server, as the administrator
#   make_root                   the process's root: the program, its libraries
#   give_credentials POD        a new Pod, and a token that is bound to it, into
#                               the directory of the service account
#   start_process, stop_process
#   made_calls                  it makes calls, now
#   tells_credential N          it has acted with N tokens
#
# Needs $url, $token, $ca (a file with the authority), $namespace.
# shellcheck shell=sh

rbac=/apis/rbac.authorization.k8s.io/v1
mounted=$scratch/root/var/run/secrets/kubernetes.io/serviceaccount

ask() {
    ask_method=$1 ask_path=$2
    shift 2
    curl -ksfS -X "$ask_method" -H "Authorization: Bearer $token" \
        -H 'Content-Type: application/json' "$url$ask_path" ${1:+-d "$1"}
}

# soon COMMAND...: it succeeds within two minutes.
soon() {
    for _ in $(seq 2400); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.05
    done
    "$@"
}

make_root() {
    program=$build/tests/torture-in_cluster
    mkdir -p "$scratch/root/bin" "$mounted" &&
        cp "$program" "$scratch/root/bin/in_cluster" &&
        ldd "$program" | grep -o '/[^ )]*' | while read -r library; do
            mkdir -p "$scratch/root$(dirname "$library")" &&
                cp "$library" "$scratch/root$library" || exit 1
        done
}

may_unshare() {
    unshare --mount true 2>/dev/null ||
        unshare --user --map-root-user --mount true 2>/dev/null
}

# As a kubelet does it: a new folder, and one rename that shows it.
give_credentials() {
    ask POST "/api/v1/namespaces/$namespace/pods" '{"metadata":{"name":"'"$1"'"},
        "spec":{"serviceAccountName":"worker","containers":[
            {"name":"c","image":"i"}]}}' >/dev/null &&
        ask POST "/api/v1/namespaces/$namespace/serviceaccounts/worker/token" \
            '{"spec":{"boundObjectRef":{"apiVersion":"v1","kind":"Pod",
              "name":"'"$1"'"}}}' |
        /usr/bin/python3 -c 'import json, sys
print(json.load(sys.stdin)["status"]["token"], end="")' \
            >"$scratch/token" &&
        mkdir "$mounted/..$1" &&
        cp "$scratch/token" "$mounted/..$1/token" &&
        cp "$ca" "$mounted/..$1/ca.crt" &&
        printf %s "$namespace" >"$mounted/..$1/namespace" &&
        ln -s "..$1" "$mounted/..new" &&
        mv -T "$mounted/..new" "$mounted/..data" &&
        for file in token ca.crt namespace; do
            [ -L "$mounted/$file" ] || ln -s "..data/$file" "$mounted/$file"
        done
}

# What the account may do, in a namespace of its own.
make_account() {
    ask POST /api/v1/namespaces '{"metadata":{"name":"'"$namespace"'"}}' &&
        ask POST "/api/v1/namespaces/$namespace/serviceaccounts" \
            '{"metadata":{"name":"worker"}}' &&
        ask POST "$rbac/namespaces/$namespace/roles" \
            '{"metadata":{"name":"worker"},"rules":[{"apiGroups":[""],
              "resources":["configmaps"],"verbs":["create","get","patch"]}]}' &&
        ask POST "$rbac/namespaces/$namespace/rolebindings" \
            '{"metadata":{"name":"worker"},"roleRef":{"apiGroup":
              "rbac.authorization.k8s.io","kind":"Role","name":"worker"},
              "subjects":[{"kind":"ServiceAccount","name":"worker",
              "namespace":"'"$namespace"'"}]}' &&
        soon may_work
}

# A kube-apiserver takes a moment to learn of a binding.
may_work() {
    ask POST /apis/authorization.k8s.io/v1/subjectaccessreviews \
        '{"spec":{"user":"system:serviceaccount:'"$namespace"':worker",
          "resourceAttributes":{"namespace":"'"$namespace"'","verb":"patch",
          "resource":"configmaps"}}}' | tr -d ' ' | grep -q '"allowed":true'
}

start_process() {
    map=
    unshare --mount true 2>/dev/null || map='--user --map-root-user'
    host=${url#https://}
    rm -f "$scratch/input"
    mkfifo "$scratch/input"
    # shellcheck disable=SC2086
    env -i "KUBERNETES_SERVICE_HOST=${host%:*}" \
        "KUBERNETES_SERVICE_PORT=${host##*:}" \
        unshare $map --mount /usr/sbin/chroot "$scratch/root" \
        /bin/in_cluster load \
        <"$scratch/input" >"$scratch/process.out" 2>"$scratch/process.err" &
    process=$!
    exec 9>"$scratch/input"
}

# Ends its input; fails if it does not end well.
stop_process() {
    exec 9>&-
    wait "$process" || { cat "$scratch/process.err"; return 1; }
}

n_calls() {
    sed -n 's/^calls //p' "$scratch/process.out" | tail -n 1
}

# Whoever waits for a process that has ended waits in vain.
has_calls() {
    ! is_alive || [ "$(n_calls)" -ge "$1" ]
}

is_alive() {
    kill -0 "$process" 2>/dev/null || { cat "$scratch/process.err"; return 1; }
}

made_calls() {
    now=$(n_calls)
    soon has_calls $((${now:-0} + 100)) && is_alive
}

has_credentials() {
    ! is_alive || [ "$(grep -c '^credential JTI=' "$scratch/process.out")" -ge "$1" ]
}

tells_credential() {
    soon has_credentials "$1" && is_alive
}
