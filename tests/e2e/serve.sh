#!/bin/sh
# yuloh serve as a process: flags, files, signals, a second start.
. "$(dirname "$0")/../tap.sh"
. "$root/tests/serve.sh"

yuloh=$build/yuloh

# says TEXT COMMAND...: it fails and says TEXT.
says() {
    text=$1
    shift
    if timeout 20 "$@" >"$scratch/said" 2>&1; then
        echo 'it did not fail'
        return 1
    fi
    cat "$scratch/said"
    grep -qF -- "$text" "$scratch/said"
}

ask() {
    curl -fsS --max-time 20 --cacert "$data/pki/ca.crt" \
        --cert "$data/pki/admin.crt" --key "$data/pki/admin.key" "$@"
}

# Every flag that --help lists is in the manual page.
in_the_manual() {
    "$yuloh" serve --help | sed -n 's/^  --\([a-z-]*\).*/\1/p' >"$scratch/flags"
    [ -s "$scratch/flags" ] || return 1
    sed 's/\\-/-/g' "$root/docs/man/yuloh-serve.1" >"$scratch/page"
    while read -r flag; do
        grep -q -- "--$flag" "$scratch/page" \
            || { echo "--$flag is missing"; return 1; }
    done <"$scratch/flags"
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

holds 'the manual page has every flag' in_the_manual
holds 'unknown flags are refused' \
    says 'no flag --bogus' "$yuloh" serve --bogus
holds 'bad values are refused' \
    says 'is no duration' "$yuloh" serve --request-timeout=soon
holds 'bad modes are refused' \
    says 'RBAC or AlwaysAllow' "$yuloh" serve --authorization-mode=None
holds 'a missing token file is named' \
    says "$scratch/none" "$yuloh" serve --data-dir "$scratch/x" \
    --listen 127.0.0.1:0 --token-auth-file "$scratch/none"
holds 'a bad range is named' \
    says '10.0.0.0/99' "$yuloh" serve --data-dir "$scratch/y" \
    --listen 127.0.0.1:0 --service-cluster-ip-range 10.0.0.0/99

holds 'it starts' start_server
holds 'the kubeconfig is private' only_owners_read "$data/admin.kubeconfig"
holds 'keys are private' only_owners_read "$data/pki/ca.key"
holds 'it is ready' ask "$url/readyz"
holds 'the administrator gets in' ask "$url/api/v1/namespaces/default"
holds 'a token gets in' curl -fsSk --max-time 20 \
    -H 'Authorization: Bearer admintoken' "$url/api/v1/namespaces"
fails 'nobody else does' curl -fsSk --max-time 20 "$url/api/v1/namespaces"
holds 'nobody may ask for its health' curl -fsSk --max-time 20 "$url/healthz"
holds 'the kubernetes service is there' \
    ask "$url/api/v1/namespaces/default/services/kubernetes"
for version in --http1.1 --http2; do
    holds "a long list as gzip, $version" compresses $version \
        '/apis/rbac.authorization.k8s.io/v1/clusterroles?pretty=true'
done
holds 'a second server is refused' \
    says 'is in use by process' "$yuloh" serve --data-dir "$data" --listen 127.0.0.1:0
holds 'something is stored' ask -H 'Content-Type: application/json' \
    -d '{"metadata":{"name":"kept"},"data":{"a":"b"}}' \
    "$url/api/v1/namespaces/default/configmaps"
holds 'it reads certificates again' sh -c "kill -HUP $pid && sleep 0.2"
holds 'and goes on' ask "$url/readyz"
holds 'it stops' stop_server
holds 'it starts again, on the same port' start_server
holds 'what was stored is there' \
    ask "$url/api/v1/namespaces/default/configmaps/kept"
holds 'it stops again' stop_server
finish
