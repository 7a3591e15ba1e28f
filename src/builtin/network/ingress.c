/* Ingress and IngressClass: defaults, validation, updates. */

#include <string.h>

#include "builtin/common/meta.h"
#include "builtin/network/ip.h"
#include "builtin/rows.h"

#define MAX_CONTROLLER 250
#define CLASS_ANNOTATION "kubernetes.io/ingress.class"
#define NOT_AN_IP "must be a DNS name, not an IP address"

static const struct yl_meta_rule namespaced =
    { YL_NAME_DNS1123_SUBDOMAIN, true, false };
static const struct yl_meta_rule cluster =
    { YL_NAME_DNS1123_SUBDOMAIN, false, false };

static void check_ingress(struct yl_check *, const struct yl_node *object);
static void check_rule(struct yl_check *, const struct yl_at *rule);
static void check_path(struct yl_check *, const struct yl_at *path);
static void check_path_text(struct yl_check *, const struct yl_at *path);
static void check_backend(struct yl_check *, const struct yl_at *backend);
static void check_service(struct yl_check *, const struct yl_at *backend,
                          const struct yl_at *service);
static void check_tls(struct yl_check *, const struct yl_at *tls);
static void check_host(struct yl_check *, const struct yl_at *host);
static void check_reference(struct yl_check *, const struct yl_at *);
static void check_class_parameters(struct yl_check *, const struct yl_at *);
static void check_domain_path(struct yl_check *, const struct yl_at *);

void
yl_ingress_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at annotations = yl_at(&metadata, "annotations");
    struct yl_at own = yl_at(&annotations, CLASS_ANNOTATION);
    struct yl_at class = yl_at(&spec, "ingressClassName");

    check_ingress(c, object);
    if (yl_at_has(&own) && yl_at_has(&class)
        && !yl_str_equal(yl_at_str(c, &own), yl_at_str(c, &class))) {
        struct yl_at shown = yl_at_node(&root, "annotations", NULL);
        struct yl_at path = yl_at_node(&shown, CLASS_ANNOTATION, NULL);

        yl_field_invalid(c->err, yl_at_path(&path), yl_bad_str(c, &own),
                         "must match `ingressClassName` when both are "
                         "specified");
    }
}

void
yl_ingress_validate_update(struct yl_check *c, const struct yl_node *object,
                           const struct yl_node *old)
{
    yl_check_object_meta_update(c, object, old, &namespaced);
    check_ingress(c, object);
}

void
yl_ingress_validate_status(struct yl_check *c, const struct yl_node *object,
                           const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at status = yl_at(&root, "status");
    struct yl_at balancer = yl_at(&status, "loadBalancer");
    struct yl_at ingresses = yl_at(&balancer, "ingress");
    struct yl_ip address;

    yl_check_object_meta_update(c, object, old, &namespaced);
    YL_CHECK_FOR_EACH (c, ingress, &ingresses) {
        struct yl_at ip = yl_at(&ingress, "ip");
        struct yl_at host = yl_at(&ingress, "hostname");

        if (!yl_at_is(&ip, "")) {
            yl_check_ip(c, &ip);
        }
        if (!yl_at_is(&host, "")) {
            yl_check_name(c, &host, YL_NAME_DNS1123_SUBDOMAIN);
            if (yl_ip_parse(yl_at_str(c, &host), &address)) {
                yl_field_invalid(c->err, yl_at_path(&host),
                                 yl_bad_str(c, &host), NOT_AN_IP);
            }
        }
    }
}

void
yl_ingress_class_default(struct yl_arena *arena, struct yl_node *object)
{
    yl_member_default_str_ptr(
        arena,
        yl_member_object(yl_member_object(object, "spec"), "parameters"),
        "scope", "Cluster");
}

void
yl_ingress_class_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at controller = yl_at(&spec, "controller");
    struct yl_at parameters = yl_at(&spec, "parameters");

    yl_check_object_meta(c, object, &cluster);
    if (yl_at_str(c, &controller).size > MAX_CONTROLLER) {
        yl_field_too_long(c->err, yl_at_path(&controller), MAX_CONTROLLER);
    }
    check_domain_path(c, &controller);
    if (yl_at_has(&parameters)) {
        check_class_parameters(c, &parameters);
    }
}

void
yl_ingress_class_validate_update(struct yl_check *c,
                                 const struct yl_node *object,
                                 const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec"), then = yl_at(&before, "spec");
    struct yl_at controller = yl_at(&spec, "controller");
    struct yl_at was = yl_at(&then, "controller");

    yl_check_object_meta_update(c, object, old, &cluster);
    if (!yl_str_equal(yl_at_str(c, &controller), yl_at_str(c, &was))) {
        yl_field_invalid(c->err, yl_at_path(&controller),
                         yl_bad_str(c, &controller), YL_IMMUTABLE);
    }
    yl_ingress_class_validate(c, object);
}

static void
check_ingress(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at rules = yl_at(&spec, "rules");
    struct yl_at backend = yl_at(&spec, "defaultBackend");
    struct yl_at all_tls = yl_at(&spec, "tls");
    struct yl_at class = yl_at(&spec, "ingressClassName");

    yl_check_object_meta(c, object, &namespaced);
    if (!yl_at_count(&rules) && !yl_at_has(&backend)) {
        yl_field_invalid(c->err, yl_at_path(&spec), yl_bad_at(&rules),
                         "either `defaultBackend` or `rules` must be "
                         "specified");
    }
    if (yl_at_has(&backend)) {
        check_backend(c, &backend);
    }
    YL_CHECK_FOR_EACH (c, rule, &rules) {
        check_rule(c, &rule);
    }
    YL_CHECK_FOR_EACH (c, tls, &all_tls) {
        check_tls(c, &tls);
    }
    if (yl_at_has(&class)) {
        yl_check_name(c, &class, YL_NAME_DNS1123_SUBDOMAIN);
    }
}

static void
check_rule(struct yl_check *c, const struct yl_at *rule)
{
    struct yl_at host = yl_at(rule, "host");
    struct yl_at http = yl_at(rule, "http");
    struct yl_at paths = yl_at(&http, "paths");
    struct yl_ip ip;

    if (!yl_at_is(&host, "")) {
        if (yl_ip_parse(yl_at_str(c, &host), &ip)) {
            yl_field_invalid(c->err, yl_at_path(&host), yl_bad_str(c, &host),
                             NOT_AN_IP);
        }
        check_host(c, &host);
    }
    if (!yl_at_has(&http)) {
        return;
    }
    yl_check_required(c, &paths);
    YL_CHECK_FOR_EACH (c, path, &paths) {
        check_path(c, &path);
    }
}

static void
check_path(struct yl_check *c, const struct yl_at *path)
{
    static const char *const types[] = { "Exact", "ImplementationSpecific",
                                         "Prefix", NULL };
    struct yl_at type = yl_at(path, "pathType");
    struct yl_at text = yl_at(path, "path");
    struct yl_at backend = yl_at(path, "backend");

    if (!yl_at_has(&type)) {
        yl_field_required(c->err, yl_at_path(&type),
                          "pathType must be specified");
        return;
    }
    if (yl_at_is(&type, "Exact") || yl_at_is(&type, "Prefix")) {
        check_path_text(c, &text);
    } else if (yl_check_one_of(c, &type, types) && !yl_at_is(&text, "")
               && yl_at_str(c, &text).data[0] != '/') {
        yl_field_invalid(c->err, yl_at_path(&text), yl_bad_str(c, &text),
                         "must be an absolute path");
    }
    check_backend(c, &backend);
}

static void
check_path_text(struct yl_check *c, const struct yl_at *path)
{
    static const char *const parts[] = { "//", "/./", "/../", "%2f", "%2F" };
    static const char *const ends[] = { "/..", "/." };
    struct yl_str s = yl_at_str(c, path);
    size_t i;

    if (!yl_str_starts_with(s, YL_STR("/"))) {
        yl_field_invalid(c->err, yl_at_path(path), yl_bad_string(s),
                         "must be an absolute path");
    }
    for (i = 0; s.size && i < YL_ARRAY_SIZE(parts); i++) {
        if (memmem(s.data, s.size, parts[i], strlen(parts[i]))) {
            yl_field_invalid(c->err, yl_at_path(path), yl_bad_string(s),
                             "must not contain '%s'", parts[i]);
        }
    }
    for (i = 0; s.size && i < YL_ARRAY_SIZE(ends); i++) {
        if (yl_str_ends_with(s, yl_str_c(ends[i]))) {
            yl_field_invalid(c->err, yl_at_path(path), yl_bad_string(s),
                             "cannot end with '%s'", ends[i]);
        }
    }
}

static void
check_backend(struct yl_check *c, const struct yl_at *backend)
{
    struct yl_at resource = yl_at(backend, "resource");
    struct yl_at service = yl_at(backend, "service");
    const char *why = NULL;

    if (yl_at_has(&resource) && yl_at_has(&service)) {
        why = "cannot set both resource and service backends";
    } else if (yl_at_has(&resource)) {
        check_reference(c, &resource);
    } else if (yl_at_has(&service)) {
        check_service(c, backend, &service);
    } else {
        why = "resource or service backend is required";
    }
    if (why) {
        yl_field_invalid(c->err, yl_at_path(backend),
                         yl_bad_string(YL_STR("")), "%s", why);
    }
}

static void
check_service(struct yl_check *c, const struct yl_at *backend,
              const struct yl_at *service)
{
    struct yl_at name = yl_at(service, "name");
    struct yl_at port = yl_at(service, "port");
    struct yl_at port_name = yl_at(&port, "name");
    struct yl_at number = yl_at(&port, "number");

    if (yl_check_required(c, &name)) {
        yl_check_name(c, &name, YL_NAME_DNS1123_LABEL);
    }
    if (!yl_at_is(&port_name, "") && yl_at_int(&number)) {
        yl_field_invalid(c->err, yl_at_path(backend),
                         yl_bad_string(YL_STR("")),
                         "cannot set both port name & port number");
    } else if (!yl_at_is(&port_name, "")) {
        yl_check_name(c, &port_name, YL_NAME_PORT);
    } else if (yl_at_int(&number)) {
        yl_check_range(c, &number, 1, 65535);
    } else {
        yl_field_required(c->err, yl_at_path(backend),
                          "port name or number is required");
    }
}

static void
check_tls(struct yl_check *c, const struct yl_at *tls)
{
    struct yl_at hosts = yl_at(tls, "hosts");
    struct yl_at secret = yl_at(tls, "secretName");

    YL_CHECK_FOR_EACH (c, host, &hosts) {
        check_host(c, &host);
    }
    if (!yl_at_is(&secret, "")) {
        yl_check_name(c, &secret, YL_NAME_DNS1123_SUBDOMAIN);
    }
}

static void
check_host(struct yl_check *c, const struct yl_at *host)
{
    if (yl_str_find_char(yl_at_str(c, host), '*')) {
        yl_check_wildcard_domain(c, host);
    } else {
        yl_check_name(c, host, YL_NAME_DNS1123_SUBDOMAIN);
    }
}

static void
check_reference(struct yl_check *c, const struct yl_at *reference)
{
    static const char *const names[] = { "kind", "name" };
    struct yl_at group = yl_at(reference, "apiGroup");
    size_t i;

    if (yl_at_has(&group)) {
        yl_check_name(c, &group, YL_NAME_DNS1123_SUBDOMAIN);
    }
    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        struct yl_at name = yl_at(reference, names[i]);

        if (yl_check_required(c, &name)) {
            yl_check_name(c, &name, YL_NAME_PATH_SEGMENT);
        }
    }
}

static void
check_class_parameters(struct yl_check *c, const struct yl_at *parameters)
{
    static const char *const scopes[] = { "Cluster", "Namespace", NULL };
    struct yl_at scope = yl_at(parameters, "scope");
    struct yl_at namespace = yl_at(parameters, "namespace");

    check_reference(c, parameters);
    if (!yl_at_has(&scope)) {
        yl_field_required(c->err, yl_at_path(&scope), NULL);
    } else if (!yl_check_one_of(c, &scope, scopes)) {
        return;
    } else if (yl_at_is(&scope, "Cluster")) {
        if (yl_at_has(&namespace)) {
            yl_field_forbidden(c->err, yl_at_path(&namespace),
                               "`parameters.scope` is set to 'Cluster'");
        }
    } else if (!yl_at_has(&namespace)) {
        yl_field_required(c->err, yl_at_path(&namespace),
                          "`parameters.scope` is set to 'Namespace'");
    } else {
        yl_check_name(c, &namespace, YL_NAME_DNS1123_LABEL);
    }
}

/* "example.com/path" */
static void
check_domain_path(struct yl_check *c, const struct yl_at *at)
{
    static const char good[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        "/-._~%!$&'()*+,;=:";
    struct yl_str s = yl_at_str(c, at), host, path;
    size_t i;

    if (!yl_check_required(c, at)) {
        return;
    }
    if (!yl_str_cut(s, '/', &host, &path) || !host.size || !path.size) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "must be a domain-prefixed path (such as "
                         "\"acme.io/foo\")");
        return;
    }
    yl_check_name_of(c, yl_at_path(at), YL_NAME_DNS1123_SUBDOMAIN, host);
    for (i = 0; i < path.size; i++) {
        if (!path.data[i] || !strchr(good, path.data[i])) {
            yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(path),
                             "Invalid path (regex used for validation is "
                             "'[A-Za-z0-9/\\-._~%%!$&'()*+,;=:]+')");
            return;
        }
    }
}
