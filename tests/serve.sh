# A server of one's own for the scripts in tests/e2e.  Source it after tap.sh.
#
#   start_server [FLAG...]      sets $port, $url, $pid, $data, $KUBECONFIG;
#                               on the port of the one before, if it can
#   stop_server                 with SIGTERM; fails if it does not end well
#
# The administrator's token is "admintoken".  The server's log is shown when
# it could not be started.
# shellcheck shell=sh

data=$scratch/data
pid=

start_server() {
    [ -f "$scratch/tokens" ] || cat >"$scratch/tokens" <<'EOF'
admintoken,admin,admin,"system:masters"
EOF
    : >"$scratch/serve.out"     # What an earlier one said is over.
    "$build/yuloh" serve --data-dir "$data" --listen "127.0.0.1:${port:-0}" \
        --token-auth-file "$scratch/tokens" "$@" \
        >"$scratch/serve.out" 2>"$scratch/serve.log" &
    pid=$!
    for _ in $(seq 2400); do
        port=$(sed -n 's/^serving on port \([0-9]*\),.*/\1/p' \
               "$scratch/serve.out")
        [ -z "$port" ] || break
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.05
    done

    # Whoever had none may have been given the port meanwhile.
    if [ -z "$port" ] && grep -q 'Address already in use' "$scratch/serve.log"
    then
        start_server "$@"
        return
    fi
    if [ -z "$port" ]; then
        echo 'the server did not start:' >&2
        cat "$scratch/serve.log" >&2
        return 1
    fi
    url=https://127.0.0.1:$port
    export KUBECONFIG="$data/admin.kubeconfig" url
}

stop_server() {
    [ -n "$pid" ] || return 0
    kill -TERM "$pid" 2>/dev/null
    wait "$pid"
    status=$?
    pid=
    [ $status = 0 ] || { cat "$scratch/serve.log" >&2; return $status; }
}

trap '[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null; rm -rf "$scratch"' EXIT
