/* Audit policy.  See apiserver/auth/audit_policy.h. */

#include "apiserver/auth/audit_policy.h"

#include <stdio.h>
#include <stdlib.h>

#include "apiserver/auth/authorize.h"
#include "apiserver/auth/policy.h"
#include "apiserver/auth/user.h"
#include "base/alloc.h"
#include "base/file.h"
#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/log.h"
#include "yuloh/names.h"
#include "yuloh/yaml.h"

#define MAX_FILE ((size_t) 1 << 20)

struct resources {
    struct yl_str group;
    struct yl_strs resources;
    struct yl_strs names;
};

struct rule {
    struct yl_audit_decision decision;
    struct yl_strs users;
    struct yl_strs groups;
    struct yl_strs verbs;
    struct yl_strs namespaces;
    struct yl_strs urls;
    const struct resources *resources;
    size_t n_resources;
};

struct yl_audit_policy {
    struct yl_arena *arena;     /* Everything else. */
    struct yl_audit_decision otherwise;
    struct rule *rules;
    size_t n_rules;
};

/* State while a policy is read; the place in the file is for messages. */
struct reader {
    struct yl_arena *arena;
    struct yl_error *err;
};

static const char *const level_names[] = {
    [YL_AUDIT_NONE] = "None",
    [YL_AUDIT_METADATA] = "Metadata",
    [YL_AUDIT_REQUEST] = "Request",
    [YL_AUDIT_RESPONSE] = "RequestResponse",
};

/* The members that a policy, a rule and so on may have. */
static const char *const of_policy[] = {
    "apiVersion", "kind", "metadata", "omitManagedFields", "omitStages",
    "rules",
};
static const char *const of_rule[] = {
    "level", "namespaces", "nonResourceURLs", "omitManagedFields",
    "omitStages", "resources", "userGroups", "users", "verbs",
};
static const char *const of_resources[] = {
    "group", "resourceNames", "resources",
};

static const char *const stage_names[YL_N_AUDIT_STAGES] = {
    [YL_AUDIT_REQUEST_RECEIVED] = "RequestReceived",
    [YL_AUDIT_RESPONSE_STARTED] = "ResponseStarted",
    [YL_AUDIT_RESPONSE_COMPLETE] = "ResponseComplete",
    [YL_AUDIT_PANIC] = "Panic",
};

static int read_policy(struct reader *, const struct yl_node *,
                       struct yl_audit_policy *);
static void warn_of_unknown(const struct yl_node *, const char *where,
                            const char *const *known, size_t n);
static int read_rule(struct reader *, const struct yl_node *, size_t i,
                     const struct yl_audit_decision *otherwise,
                     struct rule *);
static int read_level(struct reader *, const struct yl_node *, size_t i,
                      enum yl_audit_level *);
static int read_stages(struct reader *, const struct yl_node *owner,
                       const char *where, uint32_t *omitted);
static int read_resources(struct reader *, const struct yl_node *, size_t i,
                          struct rule *);
static int check_rule(struct reader *, const struct rule *, size_t i);
static int read_strings(struct reader *, const struct yl_node *owner,
                        const char *name, struct yl_strs *);
static int read_bool(struct reader *, const struct yl_node *owner,
                     const char *name, bool *value);
static bool matches(const struct rule *, const struct yl_attributes *);
static bool matches_resource(const struct rule *,
                             const struct yl_attributes *);
static bool is_resource(struct yl_str pattern, const struct yl_attributes *);

const char *
yl_audit_level_name(enum yl_audit_level level)
{
    return level_names[level];
}

const char *
yl_audit_stage_name(enum yl_audit_stage stage)
{
    return stage_names[stage];
}

int
yl_audit_policy_read(const char *path, struct yl_audit_policy **ret_policy,
                     struct yl_error *err)
{
    struct yl_buf text;
    int r;

    yl_buf_init(&text, MAX_FILE);
    r = yl_file_read(path, &text, err);
    if (r == 0) {
        r = yl_audit_policy_parse(yl_buf_str(&text), ret_policy, err);
        if (r < 0) {
            yl_error_prefix(err, "%s", path);
        }
    }
    yl_buf_release(&text);
    return r;
}

int
yl_audit_policy_parse(struct yl_str text, struct yl_audit_policy **ret_policy,
                      struct yl_error *err)
{
    struct yl_audit_policy *policy = yl_zalloc(sizeof *policy);
    struct reader reader = { yl_arena_new(), err };
    struct yl_node *root;
    struct yl_str json;
    int r;

    policy->arena = reader.arena;
    r = yl_yaml_to_json(reader.arena, text, NULL, &json, err);
    if (r == 0) {
        r = yl_tree_parse(reader.arena, json, NULL, &root, err);
    }
    if (r == 0) {
        r = read_policy(&reader, root, policy);
    }
    if (r < 0) {
        yl_audit_policy_free(policy);
        return r;
    }
    *ret_policy = policy;
    return 0;
}

void
yl_audit_policy_free(struct yl_audit_policy *policy)
{
    if (policy) {
        yl_arena_free(policy->arena);
        free(policy);
    }
}

struct yl_audit_decision
yl_audit_policy_decide(const struct yl_audit_policy *policy,
                       const struct yl_attributes *attributes)
{
    size_t i;

    for (i = 0; i < policy->n_rules; i++) {
        if (matches(&policy->rules[i], attributes)) {
            return policy->rules[i].decision;
        }
    }
    return policy->otherwise;
}

static int
read_policy(struct reader *reader, const struct yl_node *root,
            struct yl_audit_policy *policy)
{
    const struct yl_node *rules = yl_node_get(root, YL_STR("rules")), *rule;
    int r;

    if (!yl_node_string_is(yl_node_get(root, YL_STR("apiVersion")),
                           YL_STR("audit.k8s.io/v1"))
        || !yl_node_string_is(yl_node_get(root, YL_STR("kind")),
                              YL_STR("Policy"))) {
        return yl_error_set(reader->err, YL_EINVALID, "an audit policy must "
                            "have apiVersion audit.k8s.io/v1 and kind "
                            "Policy");
    }
    warn_of_unknown(root, "", of_policy, YL_ARRAY_SIZE(of_policy));
    r = read_stages(reader, root, "", &policy->otherwise.omitted);
    if (r == 0) {
        r = read_bool(reader, root, "omitManagedFields",
                      &policy->otherwise.omit_managed_fields);
    }
    if (r < 0) {
        return r;
    }
    if (yl_node_type(rules) != YL_JSON_ARRAY || rules->n == 0) {
        return yl_error_set(reader->err, YL_EINVALID, "loaded illegal policy "
                            "with 0 rules");
    }
    policy->rules = yl_arena_array(reader->arena, rules->n,
                                   sizeof *policy->rules);
    YL_NODE_FOR_EACH (rule, rules) {
        r = read_rule(reader, rule, policy->n_rules, &policy->otherwise,
                      &policy->rules[policy->n_rules]);
        if (r < 0) {
            return r;
        }
        policy->n_rules++;
    }
    return 0;
}

static int
read_rule(struct reader *reader, const struct yl_node *node, size_t i,
          const struct yl_audit_decision *otherwise, struct rule *rule)
{
    char where[40];
    int r;

    snprintf(where, sizeof where, "rules[%zu].", i);
    warn_of_unknown(node, where, of_rule, YL_ARRAY_SIZE(of_rule));
    rule->decision = *otherwise;
    if ((r = read_level(reader, node, i, &rule->decision.level)) < 0
        || (r = read_stages(reader, node, where, &rule->decision.omitted)) < 0
        || (r = read_bool(reader, node, "omitManagedFields",
                          &rule->decision.omit_managed_fields)) < 0
        || (r = read_strings(reader, node, "users", &rule->users)) < 0
        || (r = read_strings(reader, node, "userGroups", &rule->groups)) < 0
        || (r = read_strings(reader, node, "verbs", &rule->verbs)) < 0
        || (r = read_strings(reader, node, "namespaces",
                             &rule->namespaces)) < 0
        || (r = read_strings(reader, node, "nonResourceURLs",
                             &rule->urls)) < 0
        || (r = read_resources(reader, node, i, rule)) < 0) {
        return r;
    }
    return check_rule(reader, rule, i);
}

/* Logs a warning about unknown members.  Upstream accepts them and warns too:
 * a rule with a misspelled member matches more than it should. */
static void
warn_of_unknown(const struct yl_node *object, const char *where,
                const char *const *known, size_t n)
{
    const struct yl_node *member;
    size_t i;

    if (yl_node_type(object) != YL_JSON_OBJECT) {
        return;
    }
    YL_NODE_FOR_EACH (member, object) {
        for (i = 0; i < n && !yl_str_equal_c(yl_node_key(member), known[i]);
             i++) {
            continue;
        }
        if (i == n) {
            yl_log_warning("The audit policy has a field that does not exist",
                           YL_LOG_C("at", where),
                           YL_LOG_STR("field", yl_node_key(member)));
        }
    }
}

static int
read_level(struct reader *reader, const struct yl_node *node, size_t i,
           enum yl_audit_level *level)
{
    const struct yl_node *value = yl_node_get(node, YL_STR("level"));
    struct yl_str text = YL_STR("");
    size_t k;

    yl_node_string(value, reader->arena, &text);
    for (k = 0; k < YL_ARRAY_SIZE(level_names); k++) {
        if (yl_str_equal_c(text, level_names[k])) {
            *level = (enum yl_audit_level) k;
            return 0;
        }
    }
    if (yl_str_is_empty(text)) {
        return yl_error_set(reader->err, YL_EINVALID,
                            "rules[%zu].level: Required value", i);
    }
    return yl_error_set(reader->err, YL_EINVALID, "rules[%zu].level: "
                        "Unsupported value: \"%.*s\": supported values: "
                        "\"Metadata\", \"None\", \"Request\", "
                        "\"RequestResponse\"", i, YL_STR_ARG(text));
}

/* Adds the stages that 'owner' omits. */
static int
read_stages(struct reader *reader, const struct yl_node *owner,
            const char *where, uint32_t *omitted)
{
    struct yl_strs stages;
    size_t i, k;
    int r = read_strings(reader, owner, "omitStages", &stages);

    for (i = 0; r == 0 && i < stages.n; i++) {
        for (k = 0; k < YL_N_AUDIT_STAGES; k++) {
            if (yl_str_equal_c(stages.all[i], stage_names[k])) {
                *omitted |= UINT32_C(1) << k;
                break;
            }
        }
        if (k == YL_N_AUDIT_STAGES) {
            r = yl_error_set(reader->err, YL_EINVALID, "%somitStages[%zu]: "
                             "Invalid value: \"%.*s\": allowed stages are "
                             "RequestReceived,ResponseStarted,"
                             "ResponseComplete,Panic", where, i,
                             YL_STR_ARG(stages.all[i]));
        }
    }
    return r;
}

static int
read_resources(struct reader *reader, const struct yl_node *node, size_t i,
               struct rule *rule)
{
    const struct yl_node *list = yl_node_get(node, YL_STR("resources"));
    const struct yl_node *child;
    struct resources *all;
    int r;

    if (yl_node_type(list) != YL_JSON_ARRAY) {
        return list ? yl_error_set(reader->err, YL_EINVALID,
                                   "rules[%zu].resources must be a list", i)
                    : 0;
    }
    rule->resources = all = yl_arena_array(reader->arena, list->n,
                                           sizeof *all);
    YL_NODE_FOR_EACH (child, list) {
        struct resources *one = &all[rule->n_resources++];

        const struct yl_node *group = yl_node_get(child, YL_STR("group"));

        /* An element that is no object would otherwise mean every resource of
         * the core group. */
        if (child->type != YL_JSON_OBJECT) {
            return yl_error_set(reader->err, YL_EINVALID,
                                "rules[%zu].resources must be a list of "
                                "objects, such as {group: \"\", resources: "
                                "[\"pods\"]}", i);
        }
        warn_of_unknown(child, "rules.resources.", of_resources,
                        YL_ARRAY_SIZE(of_resources));
        one->group = YL_STR("");
        if (yl_node_type(group) > YL_JSON_NULL
            && yl_node_string(group, reader->arena, &one->group) < 0) {
            return yl_error_set(reader->err, YL_EINVALID,
                                "rules[%zu].resources.group must be a string",
                                i);
        }
        if ((r = read_strings(reader, child, "resources",
                              &one->resources)) < 0
            || (r = read_strings(reader, child, "resourceNames",
                                 &one->names)) < 0) {
            return r;
        }
        if (one->group.size && !yl_str_equal(one->group, YL_STR("*"))
            && yl_name_check(YL_NAME_DNS1123_SUBDOMAIN, one->group, NULL)
               < 0) {
            return yl_error_set(reader->err, YL_EINVALID,
                                "rules[%zu].resources.group: Invalid value: "
                                "\"%.*s\": a group has no version", i,
                                YL_STR_ARG(one->group));
        }
        if (one->names.n && !one->resources.n) {
            return yl_error_set(reader->err, YL_EINVALID,
                                "rules[%zu].resources.resourceNames: using "
                                "resourceNames requires at least one "
                                "resource", i);
        }
    }
    return 0;
}

static int
check_rule(struct reader *reader, const struct rule *rule, size_t i)
{
    size_t k;

    for (k = 0; k < rule->urls.n; k++) {
        struct yl_str url = rule->urls.all[k];
        const char *star = yl_str_find_char(url, '*');

        if (yl_str_equal(url, YL_STR("*"))) {
            continue;
        }
        if (!yl_str_starts_with(url, YL_STR("/"))) {
            return yl_error_set(reader->err, YL_EINVALID,
                                "rules[%zu].nonResourceURLs[%zu]: Invalid "
                                "value: \"%.*s\": non-resource URL rules "
                                "must begin with a '/' character", i, k,
                                YL_STR_ARG(url));
        }
        if (star && star != url.data + url.size - 1) {
            return yl_error_set(reader->err, YL_EINVALID,
                                "rules[%zu].nonResourceURLs[%zu]: Invalid "
                                "value: \"%.*s\": non-resource URL wildcards "
                                "'*' must be the final character of the "
                                "rule", i, k, YL_STR_ARG(url));
        }
    }
    if (rule->urls.n && (rule->n_resources || rule->namespaces.n)) {
        return yl_error_set(reader->err, YL_EINVALID,
                            "rules[%zu].nonResourceURLs: rules cannot apply "
                            "to both regular resources and non-resource URLs",
                            i);
    }
    return 0;
}

static int
read_strings(struct reader *reader, const struct yl_node *owner,
             const char *name, struct yl_strs *strs)
{
    const struct yl_node *list = yl_node_get(owner, yl_str_c(name)), *child;
    struct yl_str *all;

    strs->n = 0;
    if (!list || list->type == YL_JSON_NULL) {
        return 0;
    }
    if (list->type != YL_JSON_ARRAY) {
        return yl_error_set(reader->err, YL_EINVALID,
                            "%s must be a list of strings", name);
    }
    strs->all = all = yl_arena_array(reader->arena, list->n, sizeof *all);
    YL_NODE_FOR_EACH (child, list) {
        if (yl_node_string(child, reader->arena, &all[strs->n++]) < 0) {
            return yl_error_set(reader->err, YL_EINVALID,
                                "%s must be a list of strings", name);
        }
    }
    return 0;
}

static int
read_bool(struct reader *reader, const struct yl_node *owner,
          const char *name, bool *value)
{
    const struct yl_node *node = yl_node_get(owner, yl_str_c(name));

    return !node || node->type == YL_JSON_NULL
           || yl_node_bool(node, value) == 0
           ? 0 : yl_error_set(reader->err, YL_EINVALID,
                              "%s must be true or false", name);
}

static bool
matches(const struct rule *rule, const struct yl_attributes *attributes)
{
    const struct yl_user *user = attributes->user;
    size_t i;

    if (rule->users.n && (!user || !yl_strs_has(rule->users, user->name))) {
        return false;
    }
    if (rule->groups.n) {
        for (i = 0; user && i < user->n_groups
                    && !yl_strs_has(rule->groups, user->groups[i]); i++) {
            continue;
        }
        if (!user || i == user->n_groups) {
            return false;
        }
    }
    if (rule->verbs.n && !yl_strs_has(rule->verbs, attributes->verb)) {
        return false;
    }
    if (rule->namespaces.n || rule->n_resources) {
        return attributes->is_resource && matches_resource(rule, attributes);
    }
    for (i = 0; i < rule->urls.n; i++) {
        if (!attributes->is_resource
            && yl_url_covers(rule->urls.all[i], attributes->path)) {
            return true;
        }
    }
    return rule->urls.n == 0;
}

static bool
matches_resource(const struct rule *rule,
                 const struct yl_attributes *attributes)
{
    size_t i, k;

    if (rule->namespaces.n
        && !yl_strs_has(rule->namespaces, attributes->namespace_)) {
        return false;
    }
    for (i = 0; i < rule->n_resources; i++) {
        const struct resources *one = &rule->resources[i];

        if (!yl_str_equal(one->group, attributes->group)
            && !yl_str_equal(one->group, YL_STR("*"))) {
            continue;
        }
        if (one->resources.n == 0) {
            return true;
        }
        for (k = 0; k < one->resources.n; k++) {
            if ((one->names.n == 0
                 || yl_strs_has(one->names, attributes->name))
                && is_resource(one->resources.all[k], attributes)) {
                return true;
            }
        }
    }
    return rule->n_resources == 0;
}

/* Patterns: "pods", "pods/log", "*", "pods" with any subresource, or any
 * resource with a certain subresource. */
static bool
is_resource(struct yl_str pattern, const struct yl_attributes *attributes)
{
    struct yl_str resource, sub;

    if (yl_str_equal(pattern, YL_STR("*"))) {
        return true;
    }
    if (!yl_str_cut(pattern, '/', &resource, &sub)) {
        return attributes->subresource.size == 0
               && yl_str_equal(pattern, attributes->resource);
    }
    if (yl_str_equal(sub, YL_STR("*"))
        && yl_str_equal(resource, attributes->resource)) {
        return true;
    }
    return attributes->subresource.size != 0
           && yl_str_equal(sub, attributes->subresource)
           && (yl_str_equal(resource, YL_STR("*"))
               || yl_str_equal(resource, attributes->resource));
}
