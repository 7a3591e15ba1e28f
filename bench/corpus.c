/* Generated Lists.  See bench/corpus.h. */

#include "corpus.h"

#include <inttypes.h>
#include <stdint.h>

struct corpus {
    struct yl_buf *out;
    uint64_t random;            /* State of the generator. */
    enum corpus_kind kind;
    bool irregular;
};

static void pod(struct corpus *, unsigned i);
static void network(struct corpus *, unsigned i);
static void metadata(struct corpus *, const char *prefix, unsigned i,
                     const char *owner_kind);
static void managed_fields(struct corpus *, const char *manager,
                           const char *const *fields, unsigned n);
static void container(struct corpus *, unsigned i);
static void conditions(struct corpus *, unsigned n);
static void text(struct corpus *, unsigned length);
static unsigned pick(struct corpus *, unsigned n);

#define PUT(...) yl_buf_printf(c->out, __VA_ARGS__)

/* True in one of 'N' cases, and only for irregular objects. */
#define SOMETIMES(N) (c->irregular && pick(c, (N)) == 0)

size_t
corpus_list(struct yl_buf *out, enum corpus_kind kind, bool irregular,
            size_t size)
{
    struct corpus corpus = { out, 42, kind, irregular };
    struct corpus *c = &corpus;
    bool pods = kind != CORPUS_NETWORKS;
    unsigned i;

    PUT("{\"kind\":\"%sList\",\"apiVersion\":\"%s\",\"metadata\":"
        "{\"resourceVersion\":\"5210033\"},\"items\":[",
        pods ? "Pod" : "Network", pods ? "v1" : "cloudteam.ztgame.com/v1");
    for (i = 0; i == 0 || out->size < size; i++) {
        if (i) {
            PUT(",");
        }
        if (pods) {
            pod(c, i);
        } else {
            network(c, i);
        }
    }
    PUT("]}");
    return i;
}

void
corpus_object(struct yl_buf *out, size_t size, unsigned i)
{
    struct corpus corpus = { out, i, CORPUS_NETWORKS, false };
    struct corpus *c = &corpus;
    size_t start = out->size;

    PUT("{\"apiVersion\":\"cloudteam.ztgame.com/v1\",\"kind\":\"Network\","
        "\"metadata\":{\"name\":\"net-%u\",\"namespace\":\"default\","
        "\"uid\":\"7f9e5e4c-54b7-4c1b-8d8b-%012u\",\"resourceVersion\":\"%u\","
        "\"generation\":1},\"spec\":{\"cidr\":\"192.168.0.0/16\"", i, i,
        1000 + i);
    PUT(",\"gateway\":\"");
    while (out->size - start < size - 3) {
        PUT("x");
    }
    PUT("\"}}");
}

static void
pod(struct corpus *c, unsigned i)
{
    static const char *const spec_fields[] = {
        "metadata", "generateName", "labels", "ownerReferences", "spec",
        "containers", "env", "image", "imagePullPolicy", "name", "ports",
        "containerPort", "protocol", "resources", "limits", "requests",
        "terminationMessagePath", "terminationMessagePolicy", "volumeMounts",
        "mountPath", "dnsPolicy", "enableServiceLinks", "restartPolicy",
        "schedulerName", "securityContext", "terminationGracePeriodSeconds",
    };
    static const char *const status_fields[] = {
        "status", "conditions", "type", "lastProbeTime", "lastTransitionTime",
        "status", "containerStatuses", "hostIP", "hostIPs", "phase", "podIP",
        "podIPs", "ip", "startTime",
    };
    unsigned n_containers = c->kind == CORPUS_PLAIN_PODS ? 1
                            : c->irregular ? 1 + pick(c, 4) : 2;
    unsigned k;

    PUT("{");
    metadata(c, "web-7c5ddbdf54", i, "ReplicaSet");
    if (c->kind == CORPUS_PODS) {
        PUT(",\"managedFields\":[");
        managed_fields(c, "kube-controller-manager", spec_fields,
                       (unsigned) (sizeof spec_fields / sizeof *spec_fields));
        PUT(",");
        managed_fields(c, "kubelet", status_fields,
                       (unsigned) (sizeof status_fields
                                   / sizeof *status_fields));
        PUT("]");
    }
    PUT("},\"spec\":{\"volumes\":[{\"name\":\"kube-api-access-%05u\","
        "\"projected\":{\"sources\":[{\"serviceAccountToken\":"
        "{\"expirationSeconds\":3607,\"path\":\"token\"}},{\"configMap\":"
        "{\"name\":\"kube-root-ca.crt\",\"items\":[{\"key\":\"ca.crt\","
        "\"path\":\"ca.crt\"}]}}],\"defaultMode\":420}}],\"containers\":[",
        i % 99999);
    for (k = 0; k < n_containers; k++) {
        PUT("%s", k ? "," : "");
        container(c, k);
    }
    PUT("],\"restartPolicy\":\"Always\",\"terminationGracePeriodSeconds\":30,"
        "\"dnsPolicy\":\"ClusterFirst\",\"serviceAccountName\":\"default\","
        "\"nodeName\":\"node-%u\",\"securityContext\":{},"
        "\"schedulerName\":\"default-scheduler\",\"tolerations\":[{\"key\":"
        "\"node.kubernetes.io/not-ready\",\"operator\":\"Exists\",\"effect\":"
        "\"NoExecute\",\"tolerationSeconds\":300},{\"key\":"
        "\"node.kubernetes.io/unreachable\",\"operator\":\"Exists\","
        "\"effect\":\"NoExecute\",\"tolerationSeconds\":300}],"
        "\"priority\":0,\"enableServiceLinks\":true,\"preemptionPolicy\":"
        "\"PreemptLowerPriority\"},\"status\":{\"phase\":\"Running\",",
        i % 100);
    conditions(c, c->irregular ? 1 + pick(c, 5) : 4);
    PUT(",\"hostIP\":\"10.0.%u.%u\",\"podIP\":\"10.244.%u.%u\",\"podIPs\":"
        "[{\"ip\":\"10.244.%u.%u\"}],\"startTime\":\"2026-11-15T10:41:%02uZ\","
        "\"containerStatuses\":[", i % 7, i % 250, i % 200, i % 250, i % 200,
        i % 250, i % 60);
    for (k = 0; k < n_containers; k++) {
        PUT("%s{\"name\":\"c%u\",\"state\":{\"running\":{\"startedAt\":"
            "\"2026-11-15T10:42:%02uZ\"}},\"lastState\":{},\"ready\":%s,"
            "\"restartCount\":%u,\"image\":\"registry.example.com/team/web:"
            "1.%u.0\",\"imageID\":\"registry.example.com/team/web@sha256:"
            "%016" PRIx64 "%016" PRIx64 "\",\"containerID\":\"containerd://"
            "%016" PRIx64 "\",\"started\":true}", k ? "," : "", k, k % 60,
            pick(c, 9) ? "true" : "false", pick(c, 3), pick(c, 30),
            c->random, c->random * 3, c->random * 7);
    }
    PUT("],\"qosClass\":\"Burstable\"}}");
}

static void
network(struct corpus *c, unsigned i)
{
    static const char *const fields[] = {
        "metadata", "annotations", "labels", "spec", "cidr", "gateway",
        "dnsServers", "mtu", "routes",
    };
    unsigned k, n_routes = c->irregular ? pick(c, 8) : 3;

    PUT("{\"apiVersion\":\"cloudteam.ztgame.com/v1\",\"kind\":\"Network\",");
    metadata(c, "net", i, NULL);
    PUT(",\"managedFields\":[");
    managed_fields(c, "kubectl-client-side-apply", fields,
                   (unsigned) (sizeof fields / sizeof *fields));
    PUT("]},\"spec\":{\"cidr\":\"192.168.%u.0/24\",\"gateway\":"
        "\"192.168.%u.1\",\"mtu\":%u,\"dnsServers\":[\"10.0.0.2\","
        "\"10.0.0.3\"],\"routes\":[", i % 256, i % 256,
        c->irregular ? 1280 + pick(c, 300) : 1450);
    for (k = 0; k < n_routes; k++) {
        PUT("%s{\"destination\":\"172.16.%u.0/24\",\"nexthop\":"
            "\"192.168.%u.%u\"}", k ? "," : "", k, i % 256, 2 + k);
    }
    PUT("]},\"status\":{");
    conditions(c, c->irregular ? pick(c, 4) : 2);
    PUT(",\"observedGeneration\":%u}}", 1 + i % 3);
}

/* Writes the member "metadata" without managedFields and the closing
 * bracket. */
static void
metadata(struct corpus *c, const char *prefix, unsigned i,
         const char *owner_kind)
{
    unsigned k, n_labels = c->irregular ? 1 + pick(c, 8) : 4;

    PUT("\"metadata\":{\"name\":\"%s-%05u\"", prefix, i);
    if (owner_kind) {
        PUT(",\"generateName\":\"%s-\"", prefix);
    }
    PUT(",\"namespace\":\"team-%u\",\"uid\":\"7f9e5e4c-54b7-4c1b-8d8b-"
        "%012u\",\"resourceVersion\":\"%u\"", i % 20, i, 1000000 + i);
    if (!c->irregular || pick(c, 2)) {
        PUT(",\"generation\":%u", 1 + i % 5);
    }
    PUT(",\"creationTimestamp\":\"2026-11-15T10:41:%02uZ\"", i % 60);
    if (SOMETIMES(10)) {
        PUT(",\"deletionTimestamp\":\"2026-11-15T11:41:%02uZ\","
            "\"deletionGracePeriodSeconds\":30", i % 60);
    }
    PUT(",\"labels\":{\"app\":\"web\"");
    for (k = 1; k < n_labels; k++) {
        PUT(",\"example.com/label-%u\":\"value-%u\"", k,
            c->irregular ? pick(c, 1000) : k);
    }
    PUT("}");
    if (!c->irregular || pick(c, 3)) {
        PUT(",\"annotations\":{\"example.com/checksum\":\"%016" PRIx64 "\"",
            c->random);
        if (SOMETIMES(2)) {
            PUT(",\"kubectl.kubernetes.io/last-applied-configuration\":"
                "\"{\\\"apiVersion\\\":\\\"v1\\\",\\\"metadata\\\":{"
                "\\\"name\\\":\\\"x\\\"},\\\"spec\\\":\\\"");
            text(c, pick(c, 300));
            PUT("\\\"}\\n\"");
        }
        if (SOMETIMES(4)) {
            PUT(",\"example.com/note\":\"\xe7\xbd\x91\xe7\xbb\x9c\xe6\x8e"
                "\xa7\xe5\x88\xb6\xe5\x99\xa8\"");
        }
        PUT("}");
    }
    if (owner_kind && (!c->irregular || pick(c, 4))) {
        PUT(",\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":"
            "\"%s\",\"name\":\"%s\",\"uid\":\"0c7b1ae9-7a3e-4b0a-9c55-"
            "%012u\",\"controller\":true,\"blockOwnerDeletion\":true}]",
            owner_kind, prefix, i / 10);
    }
    if (SOMETIMES(6)) {
        PUT(",\"finalizers\":[\"example.com/protect\"]");
    }
}

static void
managed_fields(struct corpus *c, const char *manager,
               const char *const *fields, unsigned n)
{
    unsigned i, k;

    PUT("{\"manager\":\"%s\",\"operation\":\"Update\",\"apiVersion\":\"v1\","
        "\"time\":\"2026-11-15T10:41:00Z\",\"fieldsType\":\"FieldsV1\","
        "\"fieldsV1\":{", manager);
    for (i = 0; i < n; i += 4) {
        PUT("%s\"f:%s\":{\".\":{}", i ? "," : "", fields[i]);
        for (k = i + 1; k < n && k < i + 4; k++) {
            if (!SOMETIMES(5)) {
                PUT(",\"f:%s\":{\"k:{\\\"name\\\":\\\"%s\\\"}\":{\".\":{},"
                    "\"f:%s\":{}}}", fields[k], fields[n - 1 - k], fields[k]);
            }
        }
        PUT("}");
    }
    PUT("}}");
}

static void
container(struct corpus *c, unsigned i)
{
    unsigned k, n_env = c->irregular ? pick(c, 12) : 5;

    PUT("{\"name\":\"c%u\",\"image\":\"registry.example.com/team/web:1.%u.0\","
        "\"args\":[\"--listen=:8080\",\"--verbosity=2\"],\"ports\":[{"
        "\"containerPort\":8080,\"protocol\":\"TCP\"}],\"env\":[", i,
        pick(c, 30));
    for (k = 0; k < n_env; k++) {
        PUT("%s{\"name\":\"VARIABLE_%u\",\"value\":\"", k ? "," : "", k);
        text(c, c->irregular ? pick(c, 120) : 24);
        PUT("\"}");
    }
    PUT("],\"resources\":{\"limits\":{\"cpu\":\"500m\",\"memory\":\"512Mi\"},"
        "\"requests\":{\"cpu\":\"100m\",\"memory\":\"128Mi\"}},"
        "\"volumeMounts\":[{\"name\":\"kube-api-access\",\"readOnly\":true,"
        "\"mountPath\":\"/var/run/secrets/kubernetes.io/serviceaccount\"}],"
        "\"terminationMessagePath\":\"/dev/termination-log\","
        "\"terminationMessagePolicy\":\"File\",\"imagePullPolicy\":"
        "\"IfNotPresent\"}");
}

static void
conditions(struct corpus *c, unsigned n)
{
    static const char *const types[] = {
        "Initialized", "Ready", "ContainersReady", "PodScheduled", "Synced",
    };
    unsigned i;

    PUT("\"conditions\":[");
    for (i = 0; i < n; i++) {
        PUT("%s{\"type\":\"%s\",\"status\":\"%s\",\"lastProbeTime\":null,"
            "\"lastTransitionTime\":\"2026-11-15T10:42:%02uZ\"}",
            i ? "," : "", types[i % 5], pick(c, 5) ? "True" : "False", i);
    }
    PUT("]");
}

static void
text(struct corpus *c, unsigned length)
{
    static const char words[] = "the quick brown fox jumps over the lazy dog ";
    unsigned i, from = pick(c, sizeof words - 1);

    for (i = 0; i < length; i++) {
        yl_buf_append_char(c->out, words[(from + i) % (sizeof words - 1)]);
    }
}

/* A number below 'n'. */
static unsigned
pick(struct corpus *c, unsigned n)
{
    c->random = c->random * UINT64_C(6364136223846793005)
                + UINT64_C(1442695040888963407);
    return (unsigned) (c->random >> 33) % n;
}
