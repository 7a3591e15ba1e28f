/* Field selectors.  See apiserver/fields.h for the contract. */

#include "apiserver/fields.h"

#include "apiserver/registry/registry.h"
#include "apiserver/strategy/strategy.h"
#include "base/quote.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/json.h"
#include "yuloh/object.h"

/* How the value of a field is found. */
enum how {
    AS_IS,                      /* The string, number or bool at 'path'. */
    OR_FALSE,                   /* "false" if it is absent. */
    OR_ZERO,                    /* "0" if it is absent. */
    EVENT_SOURCE,               /* source.component, else
                                 * reportingComponent. */
    POD_IP,                     /* status.podIP, else the first of podIPs. */
    NOTHING,                    /* Known, but always empty, as upstream. */
};

struct field {
    const char *name;           /* The name in selectors. */
    const char *path;           /* Place in the stored object; NULL: as
                                 * 'name'. */
    enum how how;
};

struct kind_fields {
    const char *group;          /* Of the version in the request. */
    const char *plural;
    const struct field *fields;
    size_t n_fields;
};

static const struct field pod[] = {
    { "spec.nodeName", NULL, AS_IS },
    { "spec.host", "spec.nodeName", AS_IS },
    { "spec.restartPolicy", NULL, AS_IS },
    { "spec.schedulerName", NULL, AS_IS },
    { "spec.serviceAccountName", NULL, AS_IS },
    { "spec.hostNetwork", NULL, OR_FALSE },
    { "status.phase", NULL, AS_IS },
    { "status.podIP", NULL, POD_IP },
    { "status.podIPs", NULL, NOTHING },
    { "status.nominatedNodeName", NULL, AS_IS },
};

static const struct field event[] = {
    { "involvedObject.kind", NULL, AS_IS },
    { "involvedObject.namespace", NULL, AS_IS },
    { "involvedObject.name", NULL, AS_IS },
    { "involvedObject.uid", NULL, AS_IS },
    { "involvedObject.apiVersion", NULL, AS_IS },
    { "involvedObject.resourceVersion", NULL, AS_IS },
    { "involvedObject.fieldPath", NULL, AS_IS },
    { "reason", NULL, AS_IS },
    { "reportingComponent", NULL, AS_IS },
    { "source", NULL, EVENT_SOURCE },
    { "type", NULL, AS_IS },
};

static const struct field new_event[] = {
    { "regarding.kind", "involvedObject.kind", AS_IS },
    { "regarding.namespace", "involvedObject.namespace", AS_IS },
    { "regarding.name", "involvedObject.name", AS_IS },
    { "regarding.uid", "involvedObject.uid", AS_IS },
    { "regarding.apiVersion", "involvedObject.apiVersion", AS_IS },
    { "regarding.resourceVersion", "involvedObject.resourceVersion", AS_IS },
    { "regarding.fieldPath", "involvedObject.fieldPath", AS_IS },
    { "reason", NULL, AS_IS },
    { "reportingController", "reportingComponent", AS_IS },
    { "type", NULL, AS_IS },
};

static const struct field node[] = {
    { "spec.unschedulable", NULL, OR_FALSE },
};
static const struct field namespace_[] = {
    { "status.phase", NULL, AS_IS },
};
static const struct field secret[] = {
    { "type", NULL, AS_IS },
};
static const struct field service[] = {
    { "spec.clusterIP", NULL, AS_IS },
    { "spec.type", NULL, AS_IS },
};
static const struct field replicas[] = {
    { "status.replicas", NULL, OR_ZERO },
};
static const struct field job[] = {
    { "status.successful", "status.succeeded", OR_ZERO },
};
static const struct field csr[] = {
    { "spec.signerName", NULL, AS_IS },
};
static const struct field resource_slice[] = {
    { "spec.nodeName", NULL, AS_IS },
    { "spec.driver", NULL, AS_IS },
};

#define KIND(GROUP, PLURAL, FIELDS) \
    { GROUP, PLURAL, FIELDS, YL_ARRAY_SIZE(FIELDS) }

/* Kinds that convert field labels in their own way upstream, and word their
 * errors accordingly. */
static const struct kind_fields kinds[] = {
    KIND("", "pods", pod),
    KIND("", "events", event),
    KIND("events.k8s.io", "events", new_event),
    KIND("", "nodes", node),
    KIND("", "namespaces", namespace_),
    KIND("", "secrets", secret),
    KIND("", "services", service),
    KIND("", "replicationcontrollers", replicas),
    KIND("batch", "jobs", job),
    KIND("certificates.k8s.io", "certificatesigningrequests", csr),
    KIND("resource.k8s.io", "resourceslices", resource_slice),
};

static const struct kind_fields *fields_of(struct yl_str group,
                                           struct yl_str plural);
static const struct field *find(const struct kind_fields *, struct yl_str);
static int refuse(const struct yl_api_resource *, const struct kind_fields *,
                  struct yl_str name, struct yl_error *err);
static struct yl_str value_of(void *match, struct yl_str field);

int
yl_fields_check(const struct yl_api_resource *resource,
                const struct yl_api_version *version,
                const struct yl_field_selector *selector, struct yl_error *err)
{
    const struct kind_fields *kind = fields_of(version->group,
                                               resource->plural);
    yl_select_fn *select = resource->strategy->select;
    const struct yl_field_requirement *all;
    struct yl_str value;
    size_t n, i;

    all = yl_field_selector_requirements(selector, &n);
    for (i = 0; i < n; i++) {
        struct yl_str name = all[i].field;

        if (yl_str_equal(name, YL_STR("metadata.name"))
            || (yl_str_equal(name, YL_STR("metadata.namespace"))
                && (resource->namespaced || (!kind && !select)))
            || find(kind, name)
            || (select && select(resource, version, NULL, name, NULL,
                                 &value))) {
            continue;
        }
        return refuse(resource, kind, name, err);
    }
    return 0;
}

struct match {
    const struct yl_api_resource *resource;
    const struct yl_api_version *version;
    const struct yl_object *object;
    struct yl_arena *scratch;
};

bool
yl_fields_match(const struct yl_api_resource *resource,
                const struct yl_api_version *version,
                const struct yl_field_selector *selector,
                const struct yl_object *object, struct yl_arena *scratch)
{
    struct match match = { resource, version, object, scratch };

    return yl_field_selector_matches(selector, value_of, &match);
}

/* Refuses a field in upstream's words, which differ from kind to kind. */
static int
refuse(const struct yl_api_resource *resource, const struct kind_fields *kind,
       struct yl_str name, struct yl_error *err)
{
    name = yl_excerpt(name, YL_EXCERPT_MAX);
    if (!kind && !resource->strategy->select) {
        return yl_error_set(err, YL_EBADREQUEST,
                            "\"%.*s\" is not a known field selector: only "
                            "\"metadata.name\", \"metadata.namespace\"",
                            YL_STR_ARG(name));
    }
    if (kind && kind->fields == job) {
        return yl_error_set(err, YL_EBADREQUEST,
                            "field label \"%.*s\" not supported for Job",
                            YL_STR_ARG(name));
    }
    if (kind && kind->fields == resource_slice) {
        return yl_error_set(err, YL_EBADREQUEST,
                            "field label not supported for %.*s/v1, Kind=%.*s:"
                            " %.*s", YL_STR_ARG(resource->group),
                            YL_STR_ARG(resource->kind), YL_STR_ARG(name));
    }
    return yl_error_set(err, YL_EBADREQUEST, "field label not supported: %.*s",
                        YL_STR_ARG(name));
}

static const struct kind_fields *
fields_of(struct yl_str group, struct yl_str plural)
{
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(kinds); i++) {
        if (yl_str_equal_c(plural, kinds[i].plural)
            && yl_str_equal_c(group, kinds[i].group)) {
            return &kinds[i];
        }
    }
    return NULL;
}

static const struct field *
find(const struct kind_fields *kind, struct yl_str name)
{
    size_t i;

    for (i = 0; kind && i < kind->n_fields; i++) {
        if (yl_str_equal_c(name, kind->fields[i].name)) {
            return &kind->fields[i];
        }
    }
    return NULL;
}

/* The scalar at a dotted path, as text; the null slice if there is none. */
static struct yl_str
text_at(const struct match *match, const char *path)
{
    struct yl_str rest = yl_str_c(path), part, text;
    struct yl_json value = yl_json_none();
    bool first = true, more = true;

    while (more) {
        more = yl_str_cut(rest, '.', &part, &rest);
        if (!more) {
            part = rest;
        }
        value = first ? yl_object_field(match->object, match->scratch,
                                        yl_arena_strdup(match->scratch, part))
                      : yl_json_get(value, part);
        first = false;
    }
    if (!yl_json_exists(value)) {
        return yl_str_null();
    }
    return yl_json_string(value, match->scratch, &text) == 0
               ? text
               : yl_json_raw(value);
}

static struct yl_str
pod_ip(const struct match *match)
{
    struct yl_str ip = text_at(match, "status.podIP");

    if (yl_str_is_empty(ip)) {
        struct yl_json first = yl_json_at(
            yl_json_get(yl_object_field(match->object, match->scratch,
                                        "status"), YL_STR("podIPs")), 0);

        if (yl_json_string(yl_json_get(first, YL_STR("ip")), match->scratch,
                           &ip) < 0) {
            ip = yl_str_null();
        }
    }
    return ip;
}

static struct yl_str
value_of(void *aux, struct yl_str name)
{
    const struct match *match = aux;
    yl_select_fn *select = match->resource->strategy->select;
    const struct field *field = NULL;
    struct yl_str text = yl_str_null();
    size_t i;

    if (yl_str_equal(name, YL_STR("metadata.name"))) {
        return yl_object_name(match->object);
    }
    if (yl_str_equal(name, YL_STR("metadata.namespace"))) {
        return yl_object_namespace(match->object);
    }
    if (select) {
        (void) select(match->resource, match->version, match->object, name,
                      match->scratch, &text);
        return text;
    }
    for (i = 0; i < YL_ARRAY_SIZE(kinds) && !field; i++) {
        if (yl_str_equal_c(match->resource->plural, kinds[i].plural)) {
            field = find(&kinds[i], name);
        }
    }
    if (!field || field->how == NOTHING) {
        return yl_str_null();
    }
    if (field->how == POD_IP) {
        return pod_ip(match);
    }
    if (field->how == EVENT_SOURCE) {
        text = text_at(match, "source.component");
        return yl_str_is_empty(text) ? text_at(match, "reportingComponent")
                                     : text;
    }
    text = text_at(match, field->path ? field->path : field->name);
    if (yl_str_is_empty(text)) {
        return field->how == OR_FALSE  ? YL_STR("false")
               : field->how == OR_ZERO ? YL_STR("0")
                                       : text;
    }
    return text;
}
