/* Validation of probes and of lifecycle hooks. */

#include <inttypes.h>

#include "builtin/pods/pod_check.h"

static void check_probe(struct yl_pod_check *, const struct yl_at *probe);
static void check_handler(struct yl_pod_check *, const struct yl_at *handler);
static void check_one_handler(struct yl_pod_check *, const char *kind,
                              const struct yl_at *action);
static void check_http_get(struct yl_check *, const struct yl_at *);
static void check_sleep(struct yl_pod_check *, const struct yl_at *);
static void check_success_is_one(struct yl_check *, const struct yl_at *);

void
yl_check_probes(struct yl_pod_check *p, const struct yl_at *container)
{
    struct yl_check *c = p->c;
    struct yl_at lifecycle = yl_at(container, "lifecycle");
    struct yl_at start = yl_at(&lifecycle, "postStart");
    struct yl_at stop = yl_at(&lifecycle, "preStop");
    struct yl_at liveness = yl_at(container, "livenessProbe");
    struct yl_at readiness = yl_at(container, "readinessProbe");
    struct yl_at startup = yl_at(container, "startupProbe");
    struct yl_at grace = yl_at(&readiness, "terminationGracePeriodSeconds");

    if (yl_at_has(&start)) {
        check_handler(p, &start);
    }
    if (yl_at_has(&stop)) {
        check_handler(p, &stop);
    }
    if (yl_at_has(&liveness)) {
        check_probe(p, &liveness);
        check_success_is_one(c, &liveness);
    }
    if (yl_at_has(&readiness)) {
        check_probe(p, &readiness);
        if (yl_at_has(&grace)) {
            yl_field_invalid(c->err, yl_at_path(&grace),
                             yl_bad_int(yl_at_int(&grace)),
                             "must not be set for readinessProbes");
        }
    }
    if (yl_at_has(&startup)) {
        check_probe(p, &startup);
        check_success_is_one(c, &startup);
    }
}

static void
check_probe(struct yl_pod_check *p, const struct yl_at *probe)
{
    static const char *const numbers[] = {
        "initialDelaySeconds", "timeoutSeconds", "periodSeconds",
        "successThreshold", "failureThreshold"
    };
    struct yl_at grace = yl_at(probe, "terminationGracePeriodSeconds");
    size_t i;

    check_handler(p, probe);
    for (i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct yl_at number = yl_at(probe, numbers[i]);

        yl_check_not_negative(p->c, &number);
    }
    if (yl_at_has(&grace) && yl_at_int(&grace) <= 0) {
        yl_field_invalid(p->c->err, yl_at_path(&grace),
                         yl_bad_int(yl_at_int(&grace)), YL_POSITIVE);
    }
}

static void
check_handler(struct yl_pod_check *p, const struct yl_at *handler)
{
    static const char *const kinds[] = { "exec", "httpGet", "tcpSocket",
                                         "grpc", "sleep" };
    size_t i, n = 0;

    for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct yl_at action = yl_at(handler, kinds[i]);

        if (!yl_at_has(&action)) {
            continue;
        }
        if (n++) {
            yl_field_forbidden(p->c->err, yl_at_path(&action),
                               "may not specify more than 1 handler type");
        } else {
            check_one_handler(p, kinds[i], &action);
        }
    }
    if (!n) {
        yl_field_required(p->c->err, yl_at_path(handler),
                          "must specify a handler type");
    }
}

static void
check_one_handler(struct yl_pod_check *p, const char *kind,
                  const struct yl_at *action)
{
    if (!strcmp(kind, "exec")) {
        struct yl_at command = yl_at(action, "command");

        yl_check_required(p->c, &command);
    } else if (!strcmp(kind, "httpGet")) {
        check_http_get(p->c, action);
    } else if (!strcmp(kind, "sleep")) {
        check_sleep(p, action);
    } else {
        struct yl_at port = yl_at(action, "port");

        yl_check_port(p->c, &port);
    }
}

static void
check_http_get(struct yl_check *c, const struct yl_at *get)
{
    static const char *const schemes[] = { "HTTP", "HTTPS", NULL };
    struct yl_at path = yl_at(get, "path");
    struct yl_at port = yl_at(get, "port");
    struct yl_at scheme = yl_at(get, "scheme");
    struct yl_at headers = yl_at(get, "httpHeaders");

    yl_check_required(c, &path);
    yl_check_port(c, &port);
    yl_check_one_of(c, &scheme, schemes);
    YL_CHECK_FOR_EACH (c, header, &headers) {
        struct yl_str name = yl_at_get_str(c, &header, "name");
        bool good = name.size != 0;
        size_t i;

        for (i = 0; i < name.size; i++) {
            char ch = name.data[i];

            good &= (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z')
                    || (ch >= '0' && ch <= '9') || ch == '-';
        }
        if (!good) {
            yl_field_invalid(c->err, yl_at_path(&headers),
                             yl_bad_string(name),
                             "a valid HTTP header must consist of "
                             "alphanumeric characters or '-' (e.g. "
                             "'X-Header-Name', regex used for validation is "
                             "'[-A-Za-z0-9]+')");
        }
    }
}

static void
check_sleep(struct yl_pod_check *p, const struct yl_at *sleep)
{
    int64_t seconds = yl_at_get_int(sleep, "seconds");
    int64_t grace = yl_at_get_int(p->spec, "terminationGracePeriodSeconds");

    if (seconds < 0 || seconds > grace) {
        yl_field_invalid(p->c->err, yl_at_path(sleep), yl_bad_int(seconds),
                         "must be non-negative and less than "
                         "terminationGracePeriodSeconds (%" PRId64 ")",
                         grace);
    }
}

static void
check_success_is_one(struct yl_check *c, const struct yl_at *probe)
{
    struct yl_at threshold = yl_at(probe, "successThreshold");

    if (yl_at_int(&threshold) != 1) {
        yl_field_invalid(c->err, yl_at_path(&threshold),
                         yl_bad_int(yl_at_int(&threshold)), "must be 1");
    }
}
