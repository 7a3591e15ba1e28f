# What people do with kubectl, as cases.  Sourced with $kubectl set, after
# tap.sh and serve.sh, while a server runs.
# shellcheck shell=sh

k() {
    "$kubectl" --request-timeout=120s "$@"
}

# make KIND NAME...: kubectl create.
make() {
    k create "$@"
}

# is TEXT COMMAND...: its output is TEXT.
is() {
    text=$1
    shift
    out=$("$@" 2>"$scratch/err") || { cat "$scratch/err"; return 1; }
    [ "$out" = "$text" ] || { echo "got: $out"; return 1; }
}

# manifest NAME: standard input becomes $scratch/NAME.yaml.
manifest() {
    cat >"$scratch/$1.yaml"
}

manifest web <<'EOF'
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {app: web}
spec:
  replicas: 2
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: nginx
        image: nginx:1.25
        ports: [{containerPort: 80}]
EOF
sed 's/replicas: 2/replicas: 3/; s/1\.25/1.26/' "$scratch/web.yaml" \
    >"$scratch/web2.yaml"

manifest pod <<'EOF'
apiVersion: v1
kind: Pod
metadata: {name: one, labels: {app: one}}
spec:
  containers: [{name: c, image: busybox, command: [sleep, "60"]}]
EOF

manifest service <<'EOF'
apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  selector: {app: web}
  ports: [{port: 80, targetPort: 8080}]
EOF

for version in v1 v1beta1 v2alpha1; do
    manifest "cron-$version" <<EOF
apiVersion: batch/$version
kind: CronJob
metadata: {name: cron-$version}
spec:
  schedule: "*/5 * * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: OnFailure
          containers: [{name: c, image: busybox}]
EOF
done

kubectl_cases() {
    holds 'version' shows 'yuloh' k version
    holds 'api-versions' shows 'batch/v2alpha1' k api-versions
    holds 'api-resources' shows 'deployments' k api-resources
    holds 'api-resources by group' \
        shows 'cronjobs' k api-resources --api-group=batch
    holds 'explain a kind' shows 'FIELDS' k explain configmap
    holds 'explain a field' shows 'containers' k explain pod.spec
    holds 'explain in depth' \
        shows 'image' k explain deployment.spec.template.spec.containers

    holds 'create a namespace' make namespace shop
    holds 'use it' k config set-context --current --namespace=shop
    holds 'create a configmap' \
        make configmap settings --from-literal=color=blue
    holds 'create a secret' \
        make secret generic token --from-literal=token=secret
    holds 'create what exists fails' \
        sh -c '! "$1" create configmap settings 2>&1 | grep -q created' sh \
        "$kubectl"
    holds 'a secret is base64' is 'c2VjcmV0' \
        k get secret token -o 'jsonpath={.data.token}'

    holds 'apply a deployment' shows 'created' k apply -f "$scratch/web.yaml"
    holds 'apply it again' shows 'unchanged' k apply -f "$scratch/web.yaml"
    holds 'diff shows a change' \
        sh -c '"$1" diff -f "$2"; [ $? = 1 ]' sh "$kubectl" \
        "$scratch/web2.yaml"
    holds 'apply a change' shows 'configured' k apply -f "$scratch/web2.yaml"
    holds 'the change took' is 'nginx:1.26' k get deployment web \
        -o 'jsonpath={.spec.template.spec.containers[0].image}'
    holds 'diff shows nothing' k diff -f "$scratch/web2.yaml"
    holds 'dry run on the server' \
        shows 'dry run' k apply --dry-run=server -f "$scratch/web.yaml"

    holds 'get' shows 'web' k get deployments
    holds 'get wide' shows 'nginx:1.26' k get deployments -o wide
    holds 'get yaml' shows 'kind: Deployment' k get deployment web -o yaml
    holds 'get json' shows '"kind": "Deployment"' k get deployment web -o json
    holds 'get by label' shows 'web' k get deployments -l app=web
    holds 'get columns' shows 'nginx' k get deployments -o \
        'custom-columns=N:.metadata.name,I:.spec.template.spec.containers[*].name'
    holds 'get all' shows 'deployment.apps/web' k get all
    holds 'get everywhere' shows 'kube-system' k get namespaces
    holds 'describe' shows 'nginx:1.26' k describe deployment web
    holds 'describe a configmap' shows 'blue' k describe configmap settings

    holds 'label' k label deployment web tier=front
    holds 'label is there' is 'front' \
        k get deployment web -o 'jsonpath={.metadata.labels.tier}'
    holds 'annotate' k annotate deployment web note=hello
    holds 'strategic patch' k patch deployment web -p \
        '{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"busybox"}]}}}}'
    holds 'strategic patch merged' is 'side nginx' sh -c \
        '"$1" get deployment web -o \
         "jsonpath={.spec.template.spec.containers[*].name}" |
         tr " " "\n" | sort -r | tr "\n" " " | sed "s/ $//"' sh "$kubectl"
    holds 'merge patch' k patch configmap settings --type=merge -p \
        '{"data":{"size":"xl"}}'
    holds 'json patch' k patch configmap settings --type=json -p \
        '[{"op":"replace","path":"/data/color","value":"red"}]'
    holds 'patches took' is 'red xl' k get configmap settings -o \
        'jsonpath={.data.color} {.data.size}'
    holds 'edit' env KUBE_EDITOR="sed -i s/red/green/" "$kubectl" edit \
        configmap settings
    holds 'edit took' is 'green' \
        k get configmap settings -o 'jsonpath={.data.color}'
    holds 'replace' sh -c '"$1" get configmap settings -o yaml |
        sed s/green/black/ | "$1" replace -f -' sh "$kubectl"
    holds 'replace took' is 'black' \
        k get configmap settings -o 'jsonpath={.data.color}'
    holds 'scale' k scale deployment web --replicas=7
    holds 'scale took' is '7' \
        k get deployment web -o 'jsonpath={.spec.replicas}'
    holds 'set image' k set image deployment/web nginx=nginx:1.27

    holds 'a pod' k create -f "$scratch/pod.yaml"
    holds 'a pod is pending' shows 'Pending' k get pod one
    holds 'wait gives up' sh -c \
        '! "$1" wait --for=condition=Ready --timeout=1s pod/one' sh "$kubectl"
    holds 'a service' k apply -f "$scratch/service.yaml"
    holds 'a service has an address' shows '10.0.0.' k get service web

    for version in v1 v1beta1 v2alpha1; do
        holds "a cron job of $version" \
            k create -f "$scratch/cron-$version.yaml" --validate=false
        holds "$version reads as v1" is 'batch/v1' \
            k get cronjobs.v1.batch "cron-$version" \
            -o 'jsonpath={.apiVersion}'
        holds "v1 reads as $version" is "batch/$version" \
            k get "cronjobs.$version.batch" cron-v1 -o 'jsonpath={.apiVersion}'
    done

    holds 'watch' watch_case
    holds 'can-i' is 'yes' k auth can-i create pods
    holds 'can-i for nobody' sh -c \
        '"$1" auth can-i create pods --as=nobody | grep -qx no' sh "$kubectl"
    holds 'can-i lists' shows '*.*' k auth can-i --list

    holds 'delete by file' k delete -f "$scratch/web2.yaml"
    holds 'delete waits for a pod' k delete pod one --grace-period=0 --force
    holds 'delete all' k delete configmaps --all
    holds 'wait for a deletion' sh -c \
        '{ sleep 1; "$1" delete secret token >/dev/null; } &
         "$1" wait --for=delete secret/token --timeout=120s' sh "$kubectl"
    holds 'a namespace turns terminating' sh -c \
        '"$1" delete namespace shop --wait=false &&
         "$1" get namespace shop | grep -q Terminating' sh "$kubectl"
    holds 'and takes nothing more' sh -c \
        '! "$1" create configmap late -n shop' sh "$kubectl"
}

# A watch sees what is made while it runs.
watch_case() {
    "$kubectl" get configmaps --watch-only --request-timeout=120s \
        >"$scratch/watched" 2>&1 &
    watcher=$!
    for i in $(seq 400); do
        make configmap "seen-$i" >/dev/null 2>&1
        sleep 0.25
        grep -q seen "$scratch/watched" && break
    done
    kill "$watcher"
    grep seen "$scratch/watched"
}
