#!/bin/sh
# yuloh serve as a process: flags, files, signals, a second start.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"

yuloh=$build/yuloh

# says TEXT COMMAND...: it fails and says TEXT.
says() {
    text=$1
    shift
    if timeout 120 "$@" >"$scratch/said" 2>&1; then
        echo 'it did not fail'
        return 1
    fi
    cat "$scratch/said"
    grep -qF -- "$text" "$scratch/said"
}

ask() {
    curl -fsS --max-time 120 --cacert "$data/pki/ca.crt" \
        --cert "$data/pki/admin.crt" --key "$data/pki/admin.key" "$@"
}

# What the manual page says of flags is what --help says.
in_the_manual() {
    "$yuloh" serve --help | "$root/tests/docs/flags" help >"$scratch/help" &&
        "$root/tests/docs/flags" man <"$root/docs/man/yuloh-serve.1" \
            >"$scratch/man" &&
        grep -q '^--listen=' "$scratch/help" &&
        diff -u "$scratch/help" "$scratch/man"
}

only_owners_read() {
    [ "$(stat -c %a "$1")" = 600 ]
}

# compresses OPTION PATH: the same with gzip and without, and smaller.
compresses() {
    ask "$1" "$url$2" >"$scratch/plain" &&
        ask "$1" -H 'Accept-Encoding: gzip' "$url$2" >"$scratch/gzip" &&
        gzip -dc <"$scratch/gzip" | cmp - "$scratch/plain" &&
        [ "$(wc -c <"$scratch/gzip")" -lt 65536 ]
}

# soon COMMAND...: it succeeds within a minute.
soon() {
    for _ in $(seq 1200); do
        "$@" 2>/dev/null && return
        sleep 0.05
    done
    "$@"
}

# There is a request besides the one that asks.
is_asked() {
    ask "$url/metrics" | grep -q '^yuloh_http_requests [^1]'
}

is_stopping() {
    grep -q '"Stopping"' "$scratch/serve.log"
}

# A request that never ends keeps the server from stopping, until it is told
# once more.
ends_when_told_twice() {
    mkfifo "$scratch/body" || return 1
    ask -T - -X POST "$url/api/v1/namespaces" <"$scratch/body" &
    exec 3<>"$scratch/body"     # Not ">", which waits for a reader.
    printf '{"metadata":' >&3
    soon is_asked || return 1
    kill -TERM "$pid"
    soon is_stopping || return 1
    sleep 0.5                   # It would be gone if it did not wait.
    kill -0 "$pid" || return 1
    kill -TERM "$pid"
    wait "$pid"
    status=$?
    exec 3>&-
    pid=
    echo "status $status"
    [ $status = 143 ]
}

has_changed() {
    ! cmp -s "$data/admin.kubeconfig" "$scratch/before"
}

# A new certificate of the administrator's is in his file, too.
renews_the_kubeconfig() {
    cp "$data/admin.kubeconfig" "$scratch/before"
    rm "$data/pki/admin.crt" "$data/pki/admin.key"
    kill -HUP "$pid"
    soon has_changed || return 1
    sed -n 's/.*client-certificate-data: //p' "$data/admin.kubeconfig" |
        base64 -d | cmp - "$data/pki/admin.crt" &&
        only_owners_read "$data/admin.kubeconfig"
}

holds 'the manual page says of each flag what --help says' in_the_manual
holds 'unknown flags are refused' \
    says 'no flag --bogus' "$yuloh" serve --bogus
holds 'bad values are refused' \
    says 'is no duration' "$yuloh" serve --request-timeout=soon
holds 'nothing is no limit' \
    says "'0' is no size above 0" "$yuloh" serve --max-body-bytes=0
holds 'a port too high is refused' \
    says "'127.0.0.1:99999' is not ADDRESS:PORT" \
    "$yuloh" serve --listen=127.0.0.1:99999
holds 'so it is for cleartext' \
    says "'99999' is no port" "$yuloh" serve --insecure-loopback-port=99999
holds 'an address must be one' \
    says "'nope' is no IP address" "$yuloh" serve --advertise-address=nope
holds 'a log without a policy is refused' \
    says 'belong together' "$yuloh" serve --audit-log-path="$scratch/log"
holds 'too many names are refused' \
    says 'more than 16 names' "$yuloh" serve --data-dir "$scratch/z" \
    --listen 127.0.0.1:0 --tls-names "$(seq -s , 20)"
holds 'short flags have one letter' \
    says 'no flag -vv' "$yuloh" serve -vv=3
holds 'bad modes are refused' \
    says 'RBAC or AlwaysAllow' "$yuloh" serve --authorization-mode=None
for range in 30000 9-8 0-9 1-70000 a-b; do
    holds "the range of ports $range is refused" \
        says 'is no range of ports' "$yuloh" serve --data-dir "$scratch/x" \
        --listen 127.0.0.1:0 --service-node-port-range $range
done
holds 'a missing token file is named' \
    says "$scratch/none" "$yuloh" serve --data-dir "$scratch/x" \
    --listen 127.0.0.1:0 --token-auth-file "$scratch/none"
holds 'a bad range is named' \
    says '10.0.0.0/99' "$yuloh" serve --data-dir "$scratch/y" \
    --listen 127.0.0.1:0 --service-cluster-ip-range 10.0.0.0/99

holds 'an empty name is refused' \
    says "'' is no host name" "$yuloh" serve --data-dir "$scratch/z" \
    --listen 127.0.0.1:0 --tls-names a,,b
holds 'what is no name is refused' \
    says "'a b' is no host name" "$yuloh" serve --data-dir "$scratch/z" \
    --listen 127.0.0.1:0 --tls-names '*.example.com,fd00::1,a b'
holds 'a directory must have a name' \
    says '--data-dir is empty' "$yuloh" serve --data-dir=

holds 'it starts' start_server -v=3
holds 'the log says so' grep -q '"Serving" version=' "$scratch/serve.log"
holds 'the kubeconfig is private' only_owners_read "$data/admin.kubeconfig"
holds 'keys are private' only_owners_read "$data/pki/ca.key"
holds 'it is ready' ask "$url/readyz"
holds 'the log has requests if asked' \
    soon grep -q '"HTTP" verb="get" path="/readyz" .* resp=200' \
    "$scratch/serve.log"
holds 'the administrator gets in' ask "$url/api/v1/namespaces/default"
holds 'a token gets in' curl -fsSk --max-time 120 \
    -H 'Authorization: Bearer admintoken' "$url/api/v1/namespaces"
fails 'nobody else does' curl -fsSk --max-time 120 "$url/api/v1/namespaces"
holds 'nobody may ask for its health' curl -fsSk --max-time 120 "$url/healthz"
holds 'the kubernetes service is there' \
    ask "$url/api/v1/namespaces/default/services/kubernetes"
for version in --http1.1 --http2; do
    holds "a long list as gzip, $version" compresses $version \
        '/apis/rbac.authorization.k8s.io/v1/clusterroles?pretty=true'
done
holds 'who gets no port is told what to do' \
    says 'Address already in use; say with --listen where else' \
    "$yuloh" serve --data-dir "$scratch/x" --listen "${url#https://}"
holds 'so is who gets none for cleartext' \
    says 'Address already in use; say with --insecure-loopback-port' \
    "$yuloh" serve --data-dir "$scratch/x" --listen 127.0.0.1:0 \
    --insecure-loopback-port "$port"
holds 'a second server is refused' \
    says 'is in use by process' "$yuloh" serve --data-dir "$data" --listen 127.0.0.1:0
holds 'something is stored' ask -H 'Content-Type: application/json' \
    -d '{"metadata":{"name":"kept"},"data":{"a":"b"}}' \
    "$url/api/v1/namespaces/default/configmaps"
rm "$data/admin.kubeconfig"
holds 'it reads certificates again' kill -HUP "$pid"
holds 'and writes the kubeconfig' \
    soon only_owners_read "$data/admin.kubeconfig"
holds 'and says so' soon grep -q 'Certificates were read' "$scratch/serve.log"
holds 'and goes on' ask "$url/readyz"
: >"$data/pki/sa-bad.key"
rm "$data/admin.kubeconfig"
kill -HUP "$pid"
holds 'a bad key of tokens is told' \
    soon grep -q 'Keys of tokens were not read' "$scratch/serve.log"
holds 'certificates do not suffer from it' test -s "$data/admin.kubeconfig"
rm "$data/pki/sa-bad.key"
holds 'it renews the kubeconfig' renews_the_kubeconfig
holds 'the administrator still gets in' ask "$url/api/v1/namespaces/default"
holds 'it stops' stop_server
holds 'the log says that, too' grep -q '"Stopped"' "$scratch/serve.log"
holds 'it starts again, on the same port' start_server
holds 'what was stored is there' \
    ask "$url/api/v1/namespaces/default/configmaps/kept"
fails 'the log tells of nothing else' \
    grep -v -e '"Serving"' -e '"Starting workers"' "$scratch/serve.log"
holds 'it stops again' stop_server
holds 'it starts once more' start_server
holds 'a second signal ends it at once' ends_when_told_twice
if [ -e /proc/net/if_inet6 ] && grep -q ' lo$' /proc/net/if_inet6; then
    holds 'it serves IPv6' start_server --listen '[::1]:0'
    holds 'the kubeconfig names it' \
        grep -q "server: \"https://\[::1\]:$port\"" "$data/admin.kubeconfig"
    holds 'it stops' stop_server
else
    skipped 'it serves IPv6' 'this machine has no IPv6'
fi

# Clients that take every connection leave descriptors for files.
few_files() {
    # shellcheck disable=SC3045
    ulimit -n 150
    exec "$yuloh" "$@"
}

(few_files serve --data-dir "$data" --listen 127.0.0.1:0) \
    >"$scratch/few.out" 2>"$scratch/few.log" &
pid=$!
until grep -qs '^serving' "$scratch/few.out" || ! kill -0 $pid; do
    sleep 0.05
done
port=$(sed -n 's/^serving on port \([0-9]*\),.*/\1/p' "$scratch/few.out")
python3 -c 'import socket, sys, time
socks = []
for i in range(300):
    try:
        socks.append(socket.create_connection(("127.0.0.1", int(sys.argv[1]))))
    except OSError:
        pass
print("here", flush=True)
time.sleep(600)' "$port" >"$scratch/hog" &
hog=$!
until [ -s "$scratch/hog" ]; do sleep 0.05; done
kill -HUP $pid
sleep 0.5
fails 'certificates can be read while all connections are taken' \
    grep -q 'not renewed' "$scratch/few.log"
kill "$hog"
holds 'it stops with few descriptors' stop_server

# A service manager is told when requests are served, and when no more are.
python3 -c 'import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind("\0" + sys.argv[1])
print("here", flush=True)
for _ in range(2):
    print(s.recv(64).decode(), flush=True)' "yuloh-test-$$" \
    >"$scratch/heard" &
soon test -s "$scratch/heard"
NOTIFY_SOCKET=@yuloh-test-$$ start_server
holds 'a manager hears that it is ready' soon grep -qx READY=1 "$scratch/heard"
holds 'it stops for a manager' stop_server
holds 'which hears that, too' soon grep -qx STOPPING=1 "$scratch/heard"

(cd "$scratch" && data=data && start_server && stop_server) >/dev/null 2>&1
holds 'paths are printed in full' \
    grep -q "kubeconfig $scratch/data/admin" "$scratch/serve.out"
finish
