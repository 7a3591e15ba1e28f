/* ResourceClaim, ResourceClaimTemplate and DeviceClass: defaults, validation,
 * updates. */

#include "builtin/devices/devices_checks.h"
#include "builtin/pods/pod_check.h"
#include "builtin/rows.h"

#define MAX_REQUESTS 32
#define MAX_ALTERNATIVES 8
#define MAX_CONSTRAINTS 32
#define MAX_CONFIGS 32

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, true, true };
static const struct yl_meta_rule cluster_rule =
    { YL_NAME_DNS1123_SUBDOMAIN, false, true };

static void default_claim_spec(struct yl_arena *, struct yl_node *spec);
static void default_request(struct yl_arena *, struct yl_node *request);
static void check_claim_spec(struct yl_check *, const struct yl_at *spec);
static void check_class_spec(struct yl_check *, const struct yl_at *spec,
                             const struct yl_at *before);
static void check_request(struct yl_check *, const struct yl_at *,
                          const void *aux);
static void check_alternative(struct yl_check *, const struct yl_at *,
                              const void *aux);
static void check_exactly(struct yl_check *, const struct yl_at *);
static void check_constraint(struct yl_check *, const struct yl_at *,
                             const void *names);
static void check_attribute(struct yl_check *, const struct yl_at *);
static void check_claim_config(struct yl_check *, const struct yl_at *,
                               const void *names);
static void check_class_config(struct yl_check *, const struct yl_at *,
                               const void *stored);

void
yl_resource_claim_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *status = yl_member_object(object, "status");
    struct yl_node *allocation = yl_member_object(status, "allocation");
    struct yl_node *result;

    default_claim_spec(arena, yl_member_object(object, "spec"));
    YL_MEMBER_EACH (result, yl_member_object(allocation, "devices"),
                    "results") {
        yl_device_tolerations_default(arena, result);
    }
}

void
yl_resource_claim_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");

    yl_check_object_meta(c, object, &rule);
    check_claim_spec(c, &spec);
}

/* The spec cannot change. */
void
yl_resource_claim_validate_update(struct yl_check *c,
                                  const struct yl_node *object,
                                  const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec"), then = yl_at(&before, "spec");

    yl_check_object_meta(c, object, &rule);
    yl_check_object_meta_update(c, object, old, &rule);
    if (!yl_node_same(spec.node, then.node)) {
        yl_field_invalid(c->err, yl_at_path(&spec),
                         yl_bad_device_claim(c, &spec), YL_IMMUTABLE);
    }
}

void
yl_resource_claim_template_default(struct yl_arena *arena,
                                   struct yl_node *object)
{
    default_claim_spec(
        arena, yl_member_object(yl_member_object(object, "spec"), "spec"));
}

void
yl_resource_claim_template_validate(struct yl_check *c,
                                    const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at template = yl_at(&root, "spec");
    struct yl_at metadata = yl_at(&template, "metadata");
    struct yl_at annotations = yl_at(&metadata, "annotations");
    struct yl_at labels = yl_at(&metadata, "labels");
    struct yl_at spec = yl_at(&template, "spec");

    yl_check_object_meta(c, object, &rule);
    yl_check_annotations(c, &annotations);
    yl_check_labels(c, &labels);
    check_claim_spec(c, &spec);
}

void
yl_resource_claim_template_validate_update(struct yl_check *c,
                                           const struct yl_node *object,
                                           const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec"), then = yl_at(&before, "spec");

    yl_resource_claim_template_validate(c, object);
    yl_check_object_meta_update(c, object, old, &rule);
    if (!yl_node_same(spec.node, then.node)) {
        yl_field_invalid(c->err, yl_at_path(&spec),
                         yl_bad_claim_template(c, &spec), YL_IMMUTABLE);
    }
}

void
yl_device_class_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object), none = yl_at_root(NULL);
    struct yl_at spec = yl_at(&root, "spec");

    yl_check_object_meta(c, object, &cluster_rule);
    check_class_spec(c, &spec, &none);
}

void
yl_device_class_validate_update(struct yl_check *c,
                                const struct yl_node *object,
                                const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at then = yl_at(&before, "spec");

    yl_check_object_meta(c, object, &cluster_rule);
    yl_check_object_meta_update(c, object, old, &cluster_rule);
    check_class_spec(c, &spec, &then);
}

static void
default_claim_spec(struct yl_arena *arena, struct yl_node *spec)
{
    struct yl_node *devices = yl_member_object(spec, "devices");
    struct yl_node *request, *sub;

    YL_MEMBER_EACH (request, devices, "requests") {
        default_request(arena, yl_member_object(request, "exactly"));
        YL_MEMBER_EACH (sub, request, "firstAvailable") {
            default_request(arena, sub);
        }
    }
}

/* By default a request is for one device. */
static void
default_request(struct yl_arena *arena, struct yl_node *request)
{
    struct yl_at at = yl_at_root(request);

    yl_member_default_str(arena, request, "allocationMode", "ExactCount");
    if (yl_at_get_is(&at, "allocationMode", "ExactCount")) {
        yl_member_default_int(arena, request, "count", 1);
    }
    yl_device_tolerations_default(arena, request);
}

static void
check_claim_spec(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at devices = yl_at(spec, "devices");
    struct yl_at requests = yl_at(&devices, "requests");
    struct yl_at constraints = yl_at(&devices, "constraints");
    struct yl_at config = yl_at(&devices, "config");
    struct yl_node *names = yl_device_request_names(c, &devices);

    yl_check_device_set(c, &requests, MAX_REQUESTS, check_request, NULL,
                        "name");
    yl_check_device_list(c, &constraints, MAX_CONSTRAINTS, check_constraint,
                         names);
    yl_check_device_list(c, &config, MAX_CONFIGS, check_claim_config, names);
}

/* A configuration that is stored already and has not changed is checked less
 * strictly. */
static void
check_class_spec(struct yl_check *c, const struct yl_at *spec,
                 const struct yl_at *before)
{
    struct yl_at selectors = yl_at(spec, "selectors");
    struct yl_at config = yl_at(spec, "config");
    struct yl_at extended = yl_at(spec, "extendedResourceName");
    struct yl_at then = yl_at(before, "config");
    bool stored = before->node && yl_node_same(config.node, then.node);

    yl_check_device_selectors(c, &selectors);
    yl_check_device_list(c, &config, MAX_CONFIGS, check_class_config,
                         &stored);
    if (yl_at_has(&extended)
        && !yl_resource_is_extended(c->arena, yl_at_str(c, &extended))) {
        yl_field_invalid(c->err, yl_at_path(&extended),
                         yl_bad_str(c, &extended),
                         "must be a valid extended resource name");
    }
}

static void
check_request(struct yl_check *c, const struct yl_at *request,
              const void *aux YL_UNUSED)
{
    static const char one[] =
        "exactly one of `exactly` or `firstAvailable` is required";
    struct yl_at name = yl_at(request, "name");
    struct yl_at exactly = yl_at(request, "exactly");
    struct yl_at list = yl_at(request, "firstAvailable");

    yl_check_name(c, &name, YL_NAME_DNS1123_LABEL);
    if (yl_at_has(&exactly) && yl_at_count(&list)) {
        yl_field_invalid(c->err, yl_at_path(request), yl_bad_node(NULL),
                         "%s, but multiple fields are set", one);
    } else if (yl_at_count(&list)) {
        yl_check_device_set(c, &list, MAX_ALTERNATIVES, check_alternative,
                            NULL, "name");
    } else if (yl_at_has(&exactly)) {
        check_exactly(c, &exactly);
    } else {
        yl_field_required(c->err, yl_at_path(request), one);
    }
}

static void
check_alternative(struct yl_check *c, const struct yl_at *request,
                  const void *aux YL_UNUSED)
{
    struct yl_at name = yl_at(request, "name");

    yl_check_name(c, &name, YL_NAME_DNS1123_LABEL);
    check_exactly(c, request);
}

static void
check_exactly(struct yl_check *c, const struct yl_at *request)
{
    static const char *const modes[] = { "All", "ExactCount", NULL };
    struct yl_at class = yl_at(request, "deviceClassName");
    struct yl_at selectors = yl_at(request, "selectors");
    struct yl_at mode = yl_at(request, "allocationMode");
    struct yl_at count = yl_at(request, "count");
    struct yl_at tolerations = yl_at(request, "tolerations");
    int64_t n = yl_at_int(&count);

    if (yl_check_required(c, &class)) {
        yl_check_name(c, &class, YL_NAME_DNS1123_SUBDOMAIN);
    }
    yl_check_device_selectors(c, &selectors);
    if (yl_check_one_of(c, &mode, modes)) {
        if (yl_at_is(&mode, "All") && n) {
            yl_field_invalid(c->err, yl_at_path(&count), yl_bad_int(n),
                             "must not be specified when allocationMode is "
                             "'All'");
        } else if (!yl_at_is(&mode, "All") && n <= 0) {
            yl_field_invalid(c->err, yl_at_path(&count), yl_bad_int(n),
                             "must be greater than zero");
        }
    }
    YL_CHECK_FOR_EACH (c, toleration, &tolerations) {
        yl_check_device_toleration(c, &toleration);
    }
}

static void
check_constraint(struct yl_check *c, const struct yl_at *constraint,
                 const void *names)
{
    struct yl_at requests = yl_at(constraint, "requests");
    struct yl_at match = yl_at(constraint, "matchAttribute");
    struct yl_at distinct = yl_at(constraint, "distinctAttribute");

    yl_check_device_set(c, &requests, MAX_REQUESTS, yl_check_request_ref,
                        names, NULL);
    if (yl_at_has(&match)) {
        check_attribute(c, &match);
    } else if (yl_at_has(&distinct)) {
        check_attribute(c, &distinct);
    } else {
        yl_field_required(c->err, yl_at_path(constraint),
                          "exactly one of \"matchAttribute\" or "
                          "\"distinctAttribute\" is required, but multiple "
                          "fields are set");
    }
}

/* "domain/name" */
static void
check_attribute(struct yl_check *c, const struct yl_at *at)
{
    struct yl_str name = yl_at_str(c, at);

    yl_check_device_qualified(c, at, name);
    if (!yl_str_find_char(name, '/')) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(name),
                         "a fully qualified name must be a domain and a name "
                         "separated by a slash");
    }
}

static void
check_claim_config(struct yl_check *c, const struct yl_at *config,
                   const void *names)
{
    struct yl_at requests = yl_at(config, "requests");

    yl_check_device_set(c, &requests, MAX_REQUESTS, yl_check_request_ref,
                        names, NULL);
    yl_check_device_config(c, config, false);
}

static void
check_class_config(struct yl_check *c, const struct yl_at *config,
                   const void *stored)
{
    yl_check_device_config(c, config, *(const bool *) stored);
}
