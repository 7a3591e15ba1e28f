/* See server_load_object.h. */

#include "server_load_object.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static size_t write_configmap(char *, size_t max, const char *prefix,
                              size_t i, uint64_t stamp, size_t size);
static size_t write_network(char *, size_t max, const char *prefix, size_t i,
                            uint64_t stamp, size_t size);

static size_t write_pod(char *, size_t max, const char *prefix, size_t i,
                        uint64_t stamp, size_t size);

static const struct load_kind kinds[] = {
    { "configmaps", "/api/v1/namespaces/load/configmaps", write_configmap },
    { "networks", "/apis/bench.example.com/v1/namespaces/load/networks",
      write_network },
    { "pods", "/api/v1/namespaces/load/pods", write_pod },
};

const struct load_kind *
load_kind_find(const char *name)
{
    size_t i;

    for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!strcmp(kinds[i].name, name)) {
            return &kinds[i];
        }
    }
    return NULL;
}

/* Adds text at '*n'. */
__attribute__((format(printf, 4, 5)))
static void
add(char *body, size_t max, size_t *n, const char *format, ...)
{
    va_list args;
    int size;

    va_start(args, format);
    size = vsnprintf(body + *n, max - *n, format, args);
    va_end(args);
    *n += (size_t) size;
}

/* Adds words until the body has 'size' bytes. */
static void
add_words(char *body, size_t max, size_t *n, size_t size)
{
    while (*n < size) {
        add(body, max, n, "key-%zu = some words of a configuration; ", *n);
    }
}

static size_t
write_configmap(char *body, size_t max, const char *prefix, size_t i,
                uint64_t stamp, size_t size)
{
    size_t n = 0;

    add(body, max, &n,
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{"
        "\"name\":\"%s-%07zu\",\"namespace\":\"load\",\"labels\":{"
        "\"app\":\"load\"}},\"data\":{\"stamp\":\"%020llu\",\"text\":\"",
        prefix, i, (unsigned long long) stamp);
    /* The metadata that the server adds takes 150 bytes; managedFields come
     * on top, so that older runs can be compared with. */
    add_words(body, max, &n, size > 150 ? size - 150 : 0);
    add(body, max, &n, "\"}}");
    return n;
}

static size_t
write_network(char *body, size_t max, const char *prefix, size_t i,
              uint64_t stamp, size_t size)
{
    unsigned a = (unsigned) (i >> 8) % 256, b = (unsigned) i % 256;
    size_t n = 0;

    add(body, max, &n,
        "{\"apiVersion\":\"bench.example.com/v1\",\"kind\":\"Network\","
        "\"metadata\":{\"name\":\"%s-%07zu\",\"namespace\":\"load\","
        "\"labels\":{\"app\":\"load\"}},\"spec\":{"
        "\"cidr\":\"10.%u.%u.0/24\",\"gateway\":\"10.%u.%u.1\","
        "\"mtu\":1450,\"stamp\":\"%020llu\",",
        prefix, i, a, b, a, b, (unsigned long long) stamp);
    add(body, max, &n,
        "\"dns\":{\"servers\":[\"10.%u.%u.2\",\"10.%u.%u.3\"],"
        "\"search\":[\"load.example.com\"]},", a, b, a, b);
    add(body, max, &n,
        "\"pools\":[{\"name\":\"fixed\",\"first\":\"10.%u.%u.16\","
        "\"last\":\"10.%u.%u.31\",\"reserved\":true},{\"name\":\"lent\","
        "\"first\":\"10.%u.%u.64\",\"last\":\"10.%u.%u.250\","
        "\"leaseSeconds\":3600}],", a, b, a, b, a, b, a, b);
    add(body, max, &n,
        "\"routes\":[{\"destination\":\"192.168.0.0/16\",\"nextHop\":"
        "\"10.%u.%u.1\",\"metric\":10}],\"description\":\"", a, b);
    /* The server adds 200 bytes, and 650 of managedFields. */
    add_words(body, max, &n, size > 850 ? size - 850 : 0);
    add(body, max, &n, "\"}}");
    return n;
}

static size_t
write_pod(char *body, size_t max, const char *prefix, size_t i,
          uint64_t stamp, size_t size)
{
    unsigned container, k = 0;
    size_t n = 0;

    add(body, max, &n,
        "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{"
        "\"name\":\"%s-%07zu\",\"namespace\":\"load\",\"labels\":{"
        "\"app\":\"load\",\"pod-template-hash\":\"7c5ddbdf54\",\"shard\":"
        "\"%zu\"},\"annotations\":{\"example.com/checksum\":\"%016llx\"}},"
        "\"spec\":{\"nodeName\":\"node-%zu\",\"containers\":[",
        prefix, i, i % 100, (unsigned long long) stamp * 0x9e3779b97f4a7c15u,
        i % 500);
    for (container = 0; container < 2; container++) {
        add(body, max, &n,
            "%s{\"name\":\"c%u\",\"image\":\"registry.example.com/team/web:"
            "1.%zu.0\",\"args\":[\"--listen=:8080\",\"--verbosity=2\"],"
            "\"resources\":{\"limits\":{\"cpu\":\"500m\",\"memory\":"
            "\"128Mi\"}},\"ports\":[{\"containerPort\":%u}],\"env\":[",
            container ? "," : "", container, i % 30, 8080 + container);
        /* A variable takes about 40 bytes, as many of defaults and
         * managedFields come on top. */
        for (k = 0; n < (container + 1) * size / 5; k++) {
            add(body, max, &n, "%s{\"name\":\"VARIABLE_%u\",\"value\":"
                "\"value-%u\"}", k ? "," : "", k,
                (unsigned) (i * 31 + k * 7) % 1000);
        }
        add(body, max, &n, "]}");
    }
    add(body, max, &n,
        "],\"tolerations\":[{\"key\":\"node.kubernetes.io/not-ready\","
        "\"operator\":\"Exists\",\"effect\":\"NoExecute\","
        "\"tolerationSeconds\":300}]}}");
    return n;
}
