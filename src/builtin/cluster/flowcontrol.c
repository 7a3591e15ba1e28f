/* FlowSchema and PriorityLevelConfiguration: defaults, validation, updates. */

#include <math.h>
#include <string.h>

#include "builtin/cluster/flowcontrol_fixed.h"
#include "builtin/common/meta.h"
#include "builtin/go/go_value.h"
#include "builtin/rows.h"
#include "gen/flowcontrol_v1_go.h"

#define MAX_PRECEDENCE 10000
#define MAX_QUEUES 10000000
#define MAX_HASH_BITS 60
#define NOT_NEGATIVE "must be a non-negative integer"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, false, false };

static void check_schema_spec(struct yl_check *, const struct yl_at *root);
static void check_rule(struct yl_check *, const struct yl_at *rule);
static void check_subject(struct yl_check *, const struct yl_at *subject);
static void check_account(struct yl_check *, const struct yl_at *account);
static void check_verbs(struct yl_check *, const struct yl_at *rule);
static void check_resource_rule(struct yl_check *, const struct yl_at *rule);
static void check_url_rule(struct yl_check *, const struct yl_at *rule);
static void check_url(struct yl_check *, const struct yl_at *url);
static bool check_wildcard(struct yl_check *, const struct yl_at *list,
                           const char *others);
static void check_level_spec(struct yl_check *, const struct yl_at *root);
static void check_limited(struct yl_check *, const struct yl_at *limited);
static void check_response(struct yl_check *, const struct yl_at *response);
static void check_queuing(struct yl_check *, const struct yl_at *queuing);
static void check_percent(struct yl_check *, const struct yl_at *percent);
static void check_conditions(struct yl_check *,
                             const struct yl_node *object);

void
yl_flow_schema_default(struct yl_arena *arena, struct yl_node *object)
{
    yl_member_default_int(arena, yl_member_make(arena, object, "spec"),
                          "matchingPrecedence", 1000);
}

void
yl_flow_schema_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);

    yl_check_object_meta(c, object, &rule);
    check_schema_spec(c, &root);
    yl_check_fixed_schema(c, &root);
    check_conditions(c, object);
}

void
yl_flow_schema_validate_update(struct yl_check *c,
                               const struct yl_node *object,
                               const struct yl_node *old YL_UNUSED)
{
    yl_flow_schema_validate(c, object);
}

void
yl_flow_schema_validate_status(struct yl_check *c,
                               const struct yl_node *object,
                               const struct yl_node *old YL_UNUSED)
{
    check_conditions(c, object);
}

void
yl_priority_level_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *spec = yl_member_make(arena, object, "spec");
    struct yl_node *exempt = yl_member_object(spec, "exempt");
    struct yl_node *limited = yl_member_object(spec, "limited");
    struct yl_node *queuing = yl_member_object(
        yl_member_object(limited, "limitResponse"), "queuing");

    if (exempt) {
        yl_member_default_int_ptr(arena, exempt, "nominalConcurrencyShares",
                                  0);
        yl_member_default_int_ptr(arena, exempt, "lendablePercent", 0);
    }
    if (limited) {
        yl_member_default_int_ptr(arena, limited, "nominalConcurrencyShares",
                                  30);
        yl_member_default_int_ptr(arena, limited, "lendablePercent", 0);
    }
    if (queuing) {
        yl_member_default_int(arena, queuing, "handSize", 8);
        yl_member_default_int(arena, queuing, "queues", 64);
        yl_member_default_int(arena, queuing, "queueLengthLimit", 50);
    }
}

void
yl_priority_level_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);

    yl_check_object_meta(c, object, &rule);
    check_level_spec(c, &root);
    yl_check_fixed_level(c, &root);
    check_conditions(c, object);
}

void
yl_priority_level_validate_update(struct yl_check *c,
                                  const struct yl_node *object,
                                  const struct yl_node *old YL_UNUSED)
{
    yl_priority_level_validate(c, object);
}

void
yl_priority_level_validate_status(struct yl_check *c,
                                  const struct yl_node *object,
                                  const struct yl_node *old YL_UNUSED)
{
    check_conditions(c, object);
}

static void
check_schema_spec(struct yl_check *c, const struct yl_at *root)
{
    static const char *const methods[] = { "ByNamespace", "ByUser", NULL };
    struct yl_at metadata = yl_at(root, "metadata");
    struct yl_at spec = yl_at(root, "spec");
    struct yl_at precedence = yl_at(&spec, "matchingPrecedence");
    struct yl_at method = yl_at(&spec, "distinguisherMethod");
    struct yl_at type = yl_at(&method, "type");
    struct yl_at level = yl_at(&spec, "priorityLevelConfiguration");
    struct yl_at name = yl_at(&level, "name");
    struct yl_at rules = yl_at(&spec, "rules");
    int64_t n = yl_at_int(&precedence);
    const char *why = n <= 0               ? "must be a positive value"
                      : n > MAX_PRECEDENCE ? "must not be greater than 10000"
                      : n == 1 && !yl_at_get_is(&metadata, "name", "exempt")
                          ? "only the schema named 'exempt' may have "
                            "matchingPrecedence 1"
                          : NULL;

    if (why) {
        yl_field_invalid(c->err, yl_at_path(&precedence), yl_bad_int(n),
                         "%s", why);
    }
    if (yl_at_has(&method) && !yl_at_is(&type, methods[0])
        && !yl_at_is(&type, methods[1])) {
        yl_field_not_supported(
            c->err, yl_at_path(&type),
            yl_bad_struct(c, method.node,
                          YL_GO(flowcontrol_v1, flow_distinguisher_method)),
            methods);
    }
    if (yl_at_is(&name, "")) {
        yl_field_required(c->err, yl_at_path(&name),
                          "must reference a priority level");
    } else {
        yl_check_name(c, &name, YL_NAME_DNS1123_SUBDOMAIN);
    }
    YL_CHECK_FOR_EACH (c, one, &rules) {
        check_rule(c, &one);
    }
}

static void
check_rule(struct yl_check *c, const struct yl_at *at)
{
    struct yl_at subjects = yl_at(at, "subjects");
    struct yl_at resources = yl_at(at, "resourceRules");
    struct yl_at urls = yl_at(at, "nonResourceRules");

    if (!yl_at_count(&subjects)) {
        yl_field_required(c->err, yl_at_path(&subjects),
                          "subjects must contain at least one value");
    }
    YL_CHECK_FOR_EACH (c, subject, &subjects) {
        check_subject(c, &subject);
    }
    if (!yl_at_count(&resources) && !yl_at_count(&urls)) {
        yl_field_required(c->err, yl_at_path(at),
                          "at least one of resourceRules and "
                          "nonResourceRules has to be non-empty");
    }
    YL_CHECK_FOR_EACH (c, one, &resources) {
        check_resource_rule(c, &one);
    }
    YL_CHECK_FOR_EACH (c, one, &urls) {
        check_url_rule(c, &one);
    }
}

/* Checks the field that belongs to the subject's kind. */
static void
check_subject(struct yl_check *c, const struct yl_at *subject)
{
    static const char *const kinds[] = { "Group", "ServiceAccount", "User",
                                         NULL };
    static const char *const fields[][2] = {
        { "ServiceAccount", "serviceAccount" }, { "User", "user" },
        { "Group", "group" },
    };
    struct yl_at kind = yl_at(subject, "kind");
    size_t i;

    if (!yl_check_one_of(c, &kind, kinds)) {
        return;
    }
    for (i = 0; i < YL_ARRAY_SIZE(fields); i++) {
        struct yl_at field = yl_at(subject, fields[i][1]);
        struct yl_at name = yl_at(&field, "name");

        if (!yl_at_is(&kind, fields[i][0])) {
            continue;
        }
        if (!yl_at_has(&field)) {
            yl_field_required(c->err, yl_at_path(&field),
                              "%s is required when subject kind is '%s'",
                              fields[i][1], fields[i][0]);
        } else if (i == 0) {
            check_account(c, &field);
        } else {
            yl_check_required(c, &name);
        }
    }
    for (i = 0; i < YL_ARRAY_SIZE(fields); i++) {
        struct yl_at field = yl_at(subject, fields[i][1]);

        if (yl_at_has(&field) && !yl_at_is(&kind, fields[i][0])) {
            yl_field_forbidden(c->err, yl_at_path(&field),
                               "%s is forbidden when subject kind is not "
                               "'%s'", fields[i][1], fields[i][0]);
        }
    }
}

static void
check_account(struct yl_check *c, const struct yl_at *account)
{
    struct yl_at name = yl_at(account, "name");
    struct yl_at namespace = yl_at(account, "namespace");

    if (yl_check_required(c, &name) && !yl_at_is(&name, "*")) {
        yl_check_name(c, &name, YL_NAME_DNS1123_SUBDOMAIN);
    }
    if (yl_at_is(&namespace, "")) {
        yl_field_required(c->err, yl_at_path(&namespace),
                          "must specify namespace for service account");
    } else {
        yl_check_name(c, &namespace, YL_NAME_DNS1123_LABEL);
    }
}

static void
check_verbs(struct yl_check *c, const struct yl_at *at)
{
    static const char *const supported[] = {
        "create", "delete", "deletecollection", "get", "list", "patch",
        "proxy", "update", "watch", NULL
    };
    struct yl_at verbs = yl_at(at, "verbs");

    if (!yl_at_count(&verbs)) {
        yl_field_required(c->err, yl_at_path(&verbs),
                          "verbs must contain at least one value");
        return;
    }
    if (check_wildcard(c, &verbs, "verbs")) {
        return;
    }
    YL_CHECK_FOR_EACH (c, verb, &verbs) {
        size_t i;

        for (i = 0; supported[i] && !yl_at_is(&verb, supported[i]); i++) {
            continue;
        }
        if (!supported[i]) {
            yl_field_not_supported(c->err, yl_at_path(&verbs),
                                   yl_bad_at(&verbs), supported);
            return;
        }
    }
}

static void
check_resource_rule(struct yl_check *c, const struct yl_at *at)
{
    struct yl_at groups = yl_at(at, "apiGroups");
    struct yl_at resources = yl_at(at, "resources");
    struct yl_at namespaces = yl_at(at, "namespaces");

    check_verbs(c, at);
    if (!yl_at_count(&groups)) {
        yl_field_required(c->err, yl_at_path(&groups),
                          "resource rules must supply at least one api "
                          "group");
    } else {
        check_wildcard(c, &groups, "api groups");
    }
    if (!yl_at_count(&resources)) {
        yl_field_required(c->err, yl_at_path(&resources),
                          "resource rules must supply at least one resource");
    } else {
        check_wildcard(c, &resources, "resources");
    }
    if (!yl_at_count(&namespaces) && !yl_at_get_bool(at, "clusterScope")) {
        yl_field_required(c->err, yl_at_path(&namespaces),
                          "resource rules that are not cluster scoped must "
                          "supply at least one namespace");
    } else if (!check_wildcard(c, &namespaces, "namespaces")) {
        YL_CHECK_FOR_EACH (c, namespace, &namespaces) {
            struct yl_name_faults faults;
            size_t i;

            if (yl_name_check(YL_NAME_DNS1123_LABEL,
                              yl_at_str(c, &namespace), &faults) < 0) {
                for (i = 0; i < faults.n_faults; i++) {
                    yl_field_invalid(c->err, yl_at_path(&namespace),
                                     yl_bad_str(c, &namespace),
                                     "each member of this list must be '*' "
                                     "or a DNS-1123 label; %s",
                                     faults.faults[i]);
                }
            }
        }
    }
}

static void
check_url_rule(struct yl_check *c, const struct yl_at *at)
{
    struct yl_at urls = yl_at(at, "nonResourceURLs");

    check_verbs(c, at);
    if (!yl_at_count(&urls)) {
        yl_field_required(c->err, yl_at_path(&urls),
                          "nonResourceURLs must contain at least one value");
    } else if (!check_wildcard(c, &urls, "non-resource URLs")) {
        YL_CHECK_FOR_EACH (c, url, &urls) {
            check_url(c, &url);
        }
    }
}

static void
check_url(struct yl_check *c, const struct yl_at *url)
{
    struct yl_str s = yl_at_str(c, url);
    const char *star = s.size ? memchr(s.data, '*', s.size) : NULL;
    const char *why = NULL;

    if (!s.size) {
        why = "must not be empty";
    } else if (s.data[0] != '/') {
        why = "must start with slash";
    } else if (memchr(s.data, ' ', s.size)) {
        why = "must not contain white-space";
    } else if (memmem(s.data, s.size, "//", 2)) {
        why = "must not contain double slash";
    } else if (star && (star + 1 != s.data + s.size || star[-1] != '/')) {
        why = "wildcard can only do suffix matching";
    }
    if (why) {
        yl_field_invalid(c->err, yl_at_path(url), yl_bad_string(s), "%s",
                         why);
    }
}

/* Whether the list has a "*", which must be its only element. */
static bool
check_wildcard(struct yl_check *c, const struct yl_at *list,
               const char *others)
{
    bool found = false;

    YL_CHECK_FOR_EACH (c, item, list) {
        found |= yl_at_is(&item, "*");
    }
    if (found && yl_at_count(list) > 1) {
        yl_field_invalid(c->err, yl_at_path(list), yl_bad_at(list),
                         "if '*' is present, must not specify other %s",
                         others);
    }
    return found;
}

static void
check_level_spec(struct yl_check *c, const struct yl_at *root)
{
    static const char *const types[] = { "Exempt", "Limited", NULL };
    struct yl_at metadata = yl_at(root, "metadata");
    struct yl_at spec = yl_at(root, "spec");
    struct yl_at type = yl_at(&spec, "type");
    struct yl_at exempt = yl_at(&spec, "exempt");
    struct yl_at limited = yl_at(&spec, "limited");
    struct yl_at shares = yl_at(&exempt, "nominalConcurrencyShares");
    struct yl_at lendable = yl_at(&exempt, "lendablePercent");
    bool is_exempt = yl_at_is(&type, "Exempt");

    if (is_exempt != yl_at_get_is(&metadata, "name", "exempt")) {
        yl_field_invalid(c->err, yl_at_path(&type), yl_bad_str(c, &type),
                         "must be 'Exempt' if and only if `name` is "
                         "'exempt'");
    }
    if (is_exempt) {
        if (yl_at_has(&limited)) {
            yl_field_forbidden(c->err, yl_at_path(&limited),
                               "must be nil if the type is not Limited");
        }
        if (yl_at_int(&shares) < 0) {
            yl_field_invalid(c->err, yl_at_path(&shares),
                             yl_bad_int(yl_at_int(&shares)), NOT_NEGATIVE);
        }
        check_percent(c, &lendable);
    } else if (yl_at_is(&type, "Limited")) {
        if (yl_at_has(&exempt)) {
            yl_field_forbidden(c->err, yl_at_path(&exempt),
                               "must be nil if the type is Limited");
        }
        if (!yl_at_has(&limited)) {
            yl_field_required(c->err, yl_at_path(&limited),
                              "must not be empty when type is Limited");
        } else {
            check_limited(c, &limited);
        }
    } else if (yl_check_required(c, &type)) {
        yl_check_one_of(c, &type, types);
    }
}

static void
check_limited(struct yl_check *c, const struct yl_at *limited)
{
    struct yl_at shares = yl_at(limited, "nominalConcurrencyShares");
    struct yl_at response = yl_at(limited, "limitResponse");
    struct yl_at lendable = yl_at(limited, "lendablePercent");
    struct yl_at borrowing = yl_at(limited, "borrowingLimitPercent");

    if (yl_at_int(&shares) < 0) {
        yl_field_invalid(c->err, yl_at_path(&shares),
                         yl_bad_int(yl_at_int(&shares)), NOT_NEGATIVE);
    }
    check_response(c, &response);
    check_percent(c, &lendable);
    if (yl_at_int(&borrowing) < 0) {
        yl_field_invalid(c->err, yl_at_path(&borrowing),
                         yl_bad_int(yl_at_int(&borrowing)),
                         "if specified, " NOT_NEGATIVE);
    }
}

static void
check_response(struct yl_check *c, const struct yl_at *response)
{
    static const char *const types[] = { "Queue", "Reject", NULL };
    struct yl_at type = yl_at(response, "type");
    struct yl_at queuing = yl_at(response, "queuing");

    if (yl_at_is(&type, "Reject")) {
        if (yl_at_has(&queuing)) {
            yl_field_forbidden(c->err, yl_at_path(&queuing),
                               "must be nil if limited.limitResponse.type is "
                               "not Limited");
        }
    } else if (yl_at_is(&type, "Queue")) {
        if (!yl_at_has(&queuing)) {
            yl_field_required(c->err, yl_at_path(&queuing),
                              "must not be empty if "
                              "limited.limitResponse.type is Limited");
        } else {
            check_queuing(c, &queuing);
        }
    } else if (yl_check_required(c, &type)) {
        yl_check_one_of(c, &type, types);
    }
}

/* Shuffle sharding picks a hand of queues with a hash of 64 bits, so queues
 * and handSize must not need more bits than that. */
static void
check_queuing(struct yl_check *c, const struct yl_at *queuing)
{
    struct yl_at limit = yl_at(queuing, "queueLengthLimit");
    struct yl_at queues = yl_at(queuing, "queues");
    struct yl_at hand = yl_at(queuing, "handSize");
    int64_t n = yl_at_int(&queues), size = yl_at_int(&hand);

    if (yl_at_int(&limit) <= 0) {
        yl_field_invalid(c->err, yl_at_path(&limit),
                         yl_bad_int(yl_at_int(&limit)), "must be positive");
    }
    if (n <= 0) {
        yl_field_invalid(c->err, yl_at_path(&queues), yl_bad_int(n),
                         "must be positive");
    } else if (n > MAX_QUEUES) {
        yl_field_invalid(c->err, yl_at_path(&queues), yl_bad_int(n),
                         "must not be greater than %d", MAX_QUEUES);
    }
    if (size <= 0) {
        yl_field_invalid(c->err, yl_at_path(&hand), yl_bad_int(size),
                         "must be positive");
    } else if (size > n) {
        yl_field_invalid(c->err, yl_at_path(&hand), yl_bad_int(size),
                         "should not be greater than queues (%lld)",
                         (long long) n);
    } else if (ceil(log2((double) n) * (double) size) > MAX_HASH_BITS) {
        yl_field_invalid(c->err, yl_at_path(&hand), yl_bad_int(size),
                         "required entropy bits of deckSize %lld and handSize "
                         "%lld should not be greater than %d", (long long) n,
                         (long long) size, MAX_HASH_BITS);
    }
}

static void
check_percent(struct yl_check *c, const struct yl_at *percent)
{
    if (yl_at_int(percent) < 0 || yl_at_int(percent) > 100) {
        yl_field_invalid(c->err, yl_at_path(percent),
                         yl_bad_int(yl_at_int(percent)),
                         "must be between 0 and 100, inclusive");
    }
}

static void
check_conditions(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at status = yl_at(&root, "status");
    struct yl_at conditions = yl_at(&status, "conditions");
    struct yl_node *types = yl_node_new_object(c->arena);

    YL_CHECK_FOR_EACH (c, condition, &conditions) {
        struct yl_at type = yl_at(&condition, "type");

        if (!yl_set_add(c->arena, types, yl_at_str(c, &type))) {
            yl_field_duplicate(c->err, yl_at_path(&type),
                               yl_bad_str(c, &type));
        }
        yl_check_required(c, &type);
    }
}
