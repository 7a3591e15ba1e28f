/* Reads and checks access reviews.  See reviews_access.h. */

#include "apiserver/auth/reviews_access.h"

#include "apiserver/auth/user.h"
#include "base/quote.h"
#include "json/text.h"
#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/names.h"
#include "yuloh/selector.h"
#include "yuloh/status.h"

#define RESOURCE "spec.resourceAttributes"
#define MAX_TEXT ((size_t) 4 << 20)

struct check {
    struct yl_arena *arena;
    struct yl_error err;        /* Its causes. */
};

static void check_selector(struct check *, const struct yl_node *attributes,
                           bool labels);
static void check_requirement(struct check *, const struct yl_node *,
                              const char *path, bool labels);
static void check_metadata(struct check *, const struct yl_node *review,
                           enum yl_review_scope);
static void invalid(struct check *, const char *field, struct yl_str value,
                    const char *why);
static void fault(struct check *, const char *reason, const char *what,
                  const char *field, const char *why);
static struct yl_str quoted(struct yl_arena *, struct yl_str);
static struct yl_str plain_attributes(struct yl_arena *,
                                      const struct yl_node *);
static struct yl_user *read_user(struct yl_arena *, const struct yl_node *);
static const struct yl_str *read_strings(struct yl_arena *,
                                         const struct yl_node *,
                                         size_t *ret_n);
static const char *selector_error(struct yl_arena *,
                                  const struct yl_node *attributes,
                                  bool labels);
static bool is_good(struct yl_arena *, const struct yl_node *requirement,
                    bool labels);
static const struct yl_node *member(const struct yl_node *, const char *name);
static struct yl_str text(struct yl_arena *, const struct yl_node *,
                          const char *name);

int
yl_review_access_check(struct yl_arena *arena, const struct yl_node *review,
                       enum yl_review_scope scope, struct yl_status *status)
{
    const struct yl_gvk gvk = { YL_STR("authorization.k8s.io"), YL_STR("v1"),
                                YL_STR("") };
    const struct yl_node *spec = member(review, "spec");
    const struct yl_node *resource = member(spec, "resourceAttributes");
    const struct yl_node *other = member(spec, "nonResourceAttributes");
    struct check check = { .arena = arena, .err = YL_ERROR_INIT };
    const struct yl_node *groups = member(spec, "groups");

    if (resource && other) {
        invalid(&check, "spec.nonResourceAttributes",
                plain_attributes(arena, other),
                "cannot be specified in combination with "
                "resourceAttributes");
    }
    if (!resource && !other) {
        invalid(&check, RESOURCE, YL_STR("null"),
                "exactly one of nonResourceAttributes or resourceAttributes "
                "must be specified");
    }
    if (scope != YL_REVIEW_SELF && !text(arena, spec, "user").size
        && !(groups && groups->n)) {
        invalid(&check, "spec.user", YL_STR("\"\""),
                "at least one of user or group must be specified");
    }
    check_selector(&check, resource, false);
    check_selector(&check, resource, true);
    check_metadata(&check, review, scope);
    if (scope == YL_REVIEW_LOCAL) {
        struct yl_str namespace_ = text(arena, member(review, "metadata"),
                                        "namespace");
        struct yl_str asked = text(arena, resource, "namespace");

        if (resource && !yl_str_equal(asked, namespace_)) {
            invalid(&check, RESOURCE ".namespace", quoted(arena, asked),
                    "must match metadata.namespace");
        }
        if (other) {
            invalid(&check, "spec.nonResourceAttributes",
                    plain_attributes(arena, other),
                    "disallowed on this kind of request");
        }
    }
    if (check.err.n_causes == 0) {
        return 0;
    }
    yl_status_invalid(status, gvk, YL_STR(""), &check.err);
    yl_error_clear(&check.err);
    return YL_EINVALID;
}

struct yl_attributes
yl_review_access_read(struct yl_arena *arena, const struct yl_node *review,
                      const struct yl_user *user, struct yl_str *ret_error)
{
    const struct yl_node *spec = member(review, "spec");
    const struct yl_node *resource = member(spec, "resourceAttributes");
    const struct yl_node *other = member(spec, "nonResourceAttributes");
    const char *fields = selector_error(arena, resource, false);
    const char *labels = selector_error(arena, resource, true);

    *ret_error = yl_str_c(yl_arena_printf(arena, "%s%s%s", fields,
                                          *fields && *labels ? "; " : "",
                                          labels));
    if (!user) {
        user = read_user(arena, spec);
    }
    if (!resource) {
        return (struct yl_attributes) {
            .user = user,
            .verb = text(arena, other, "verb"),
            .path = text(arena, other, "path"),
        };
    }
    return (struct yl_attributes) {
        .user = user,
        .verb = text(arena, resource, "verb"),
        .is_resource = true,
        .group = text(arena, resource, "group"),
        .version = text(arena, resource, "version"),
        .resource = text(arena, resource, "resource"),
        .subresource = text(arena, resource, "subresource"),
        .namespace_ = text(arena, resource, "namespace"),
        .name = text(arena, resource, "name"),
    };
}

static void
check_selector(struct check *check, const struct yl_node *attributes,
               bool labels)
{
    const char *path = labels ? RESOURCE ".labelSelector"
                              : RESOURCE ".fieldSelector";
    const struct yl_node *selector = member(attributes,
                                            labels ? "labelSelector"
                                                   : "fieldSelector");
    const struct yl_node *requirements = member(selector, "requirements");
    struct yl_str raw = text(check->arena, selector, "rawSelector");
    const struct yl_node *one;
    size_t n = requirements ? requirements->n : 0, i = 0;

    if (!selector) {
        return;
    }
    if (raw.size && n) {
        invalid(check,
                yl_arena_printf(check->arena, "%s.rawSelector", path),
                quoted(check->arena, raw),
                "may not specified at the same time as requirements");
    }
    if (!raw.size && !n) {
        fault(check, "FieldValueRequired", "Required value",
              yl_arena_printf(check->arena, "%s.requirements", path),
              yl_arena_printf(check->arena, "when %s is specified, "
                              "requirements or rawSelector is required",
                              path));
    }
    if (n) {
        YL_NODE_FOR_EACH (one, requirements) {
            check_requirement(check, one,
                              yl_arena_printf(check->arena,
                                              "%s.requirements[%zu]", path,
                                              i++), labels);
        }
    }
}

static void
check_requirement(struct check *check, const struct yl_node *one,
                  const char *path, bool labels)
{
    struct yl_str op = text(check->arena, one, "operator");
    struct yl_str key = text(check->arena, one, "key");
    const struct yl_node *values = member(one, "values");
    const char *field = yl_arena_printf(check->arena, "%s.values", path);
    size_t n = values ? values->n : 0, i;
    struct yl_name_faults faults;

    if (!labels && !key.size) {
        fault(check, "FieldValueRequired", "Required value",
              yl_arena_printf(check->arena, "%s.key", path),
              "must be specified");
    }
    if ((yl_str_equal(op, YL_STR("In")) || yl_str_equal(op, YL_STR("NotIn")))
        && n == 0) {
        fault(check, "FieldValueRequired", "Required value", field,
              "must be specified when `operator` is 'In' or 'NotIn'");
    }
    if ((yl_str_equal(op, YL_STR("Exists"))
         || yl_str_equal(op, YL_STR("DoesNotExist"))) && n > 0) {
        fault(check, "FieldValueForbidden", "Forbidden", field,
              "may not be specified when `operator` is 'Exists' or "
              "'DoesNotExist'");
    }
    if (labels && yl_name_check(YL_NAME_QUALIFIED, key, &faults) < 0) {
        for (i = 0; i < faults.n_faults; i++) {
            invalid(check, yl_arena_printf(check->arena, "%s.key", path),
                    quoted(check->arena, key), faults.faults[i]);
        }
    }
}

/* Metadata must be empty, except for the namespace of a local review. */
static void
check_metadata(struct check *check, const struct yl_node *review,
               enum yl_review_scope scope)
{
    const struct yl_node *metadata = member(review, "metadata"), *child;
    bool empty = true;
    struct yl_buf json;

    if (!metadata) {
        return;
    }
    YL_NODE_FOR_EACH (child, metadata) {
        if (!(scope == YL_REVIEW_LOCAL
              && yl_str_equal(yl_node_key(child), YL_STR("namespace")))
            && !yl_str_equal(yl_node_key(child), YL_STR("managedFields"))
            && child->type != YL_JSON_NULL
            && !yl_node_string_is(child, YL_STR(""))) {
            empty = false;
        }
    }
    if (!empty) {
        yl_buf_init(&json, MAX_TEXT);
        yl_node_write_canonical(&json, metadata);
        invalid(check, "metadata",
                yl_arena_copy(check->arena, yl_buf_str(&json)),
                scope == YL_REVIEW_LOCAL ? "must be empty except for "
                                           "namespace" : "must be empty");
        yl_buf_release(&json);
    }
}

static void
invalid(struct check *check, const char *field, struct yl_str value,
        const char *why)
{
    fault(check, "FieldValueInvalid",
          yl_arena_printf(check->arena, "Invalid value: %.*s",
                          YL_STR_ARG(value)), field, why);
}

static void
fault(struct check *check, const char *reason, const char *what,
      const char *field, const char *why)
{
    yl_error_add_cause(&check->err, yl_str_c(reason),
                       yl_str_c(yl_arena_printf(check->arena, "%s: %s", what,
                                                why)),
                       yl_str_c(field));
}

static struct yl_str
quoted(struct yl_arena *arena, struct yl_str s)
{
    struct yl_buf out;
    struct yl_str copy;

    yl_buf_init(&out, MAX_TEXT);
    yl_quote(&out, s);
    copy = yl_arena_copy(arena, yl_buf_str(&out));
    yl_buf_release(&out);
    return copy;
}

/* The attributes as Go prints upstream's internal struct, whose members have
 * no JSON names. */
static struct yl_str
plain_attributes(struct yl_arena *arena, const struct yl_node *node)
{
    struct yl_buf out;
    struct yl_str copy;

    yl_buf_init(&out, MAX_TEXT);
    yl_buf_append_c(&out, "{\"Path\":");
    yl_json_write_text(&out, text(arena, node, "path"));
    yl_buf_append_c(&out, ",\"Verb\":");
    yl_json_write_text(&out, text(arena, node, "verb"));
    yl_buf_append_char(&out, '}');
    copy = yl_arena_copy(arena, yl_buf_str(&out));
    yl_buf_release(&out);
    return copy;
}

static struct yl_user *
read_user(struct yl_arena *arena, const struct yl_node *spec)
{
    struct yl_user *user = yl_arena_zalloc(arena, sizeof *user);
    const struct yl_node *map = member(spec, "extra"), *child;

    user->name = text(arena, spec, "user");
    user->uid = text(arena, spec, "uid");
    user->groups = read_strings(arena, member(spec, "groups"),
                                &user->n_groups);
    if (yl_node_type(map) == YL_JSON_OBJECT) {
        struct yl_user_extra *extra = yl_arena_array(arena, map->n,
                                                     sizeof *extra);

        user->extra = extra;
        YL_NODE_FOR_EACH (child, map) {
            struct yl_user_extra *one = &extra[user->n_extra++];

            one->key = yl_node_key(child);
            one->values = read_strings(arena, child, &one->n_values);
        }
    }
    return user;
}

static const struct yl_str *
read_strings(struct yl_arena *arena, const struct yl_node *list,
             size_t *ret_n)
{
    struct yl_str *all;
    const struct yl_node *child;
    size_t n = 0;

    *ret_n = 0;
    if (yl_node_type(list) != YL_JSON_ARRAY) {
        return NULL;
    }
    all = yl_arena_array(arena, list->n, sizeof *all);
    YL_NODE_FOR_EACH (child, list) {
        all[n] = YL_STR("");
        yl_node_string(child, arena, &all[n++]);
    }
    *ret_n = n;
    return all;
}

/* What is wrong with a selector.  RBAC ignores selectors, so the only thing to
 * do with them is to report errors. */
static const char *
selector_error(struct yl_arena *arena, const struct yl_node *attributes,
               bool labels)
{
    const char *name = labels ? "labelSelector" : "fieldSelector";
    const struct yl_node *selector = member(attributes, name);
    const struct yl_node *requirements = member(selector, "requirements");
    struct yl_str raw = text(arena, selector, "rawSelector");
    const struct yl_selector *by_labels;
    const struct yl_field_selector *by_fields;
    const struct yl_node *one;
    size_t n_good = 0, n = 0;

    if (requirements) {
        YL_NODE_FOR_EACH (one, requirements) {
            n_good += is_good(arena, one, labels);
            n++;
        }
    } else if (raw.size) {
        n = 1;
        n_good = (labels ? yl_selector_parse(raw, arena, &by_labels, NULL)
                         : yl_field_selector_parse(raw, arena, &by_fields,
                                                   NULL)) == 0;
    }
    return n_good == n ? ""
           : yl_arena_printf(arena, RESOURCE ".%s %signored due to parse "
                             "error", name, n_good ? "partially " : "");
}

static bool
is_good(struct yl_arena *arena, const struct yl_node *requirement,
        bool labels)
{
    struct yl_str op = text(arena, requirement, "operator");
    const struct yl_node *values = member(requirement, "values"), *value;
    bool sets = yl_str_equal(op, YL_STR("In"))
                || yl_str_equal(op, YL_STR("NotIn"));
    bool exists = yl_str_equal(op, YL_STR("Exists"))
                  || yl_str_equal(op, YL_STR("DoesNotExist"));

    if (!labels) {
        return sets && values && values->n == 1;
    }
    if (!sets) {
        return exists;
    }
    YL_NODE_FOR_EACH (value, values) {
        struct yl_str v = YL_STR("");

        yl_node_string(value, arena, &v);
        if (yl_name_check(YL_NAME_LABEL_VALUE, v, NULL) < 0) {
            return false;
        }
    }
    return true;
}

/* A member that is there and not null. */
static const struct yl_node *
member(const struct yl_node *object, const char *name)
{
    const struct yl_node *node = yl_node_get(object, yl_str_c(name));

    return node && node->type != YL_JSON_NULL ? node : NULL;
}

static struct yl_str
text(struct yl_arena *arena, const struct yl_node *object, const char *name)
{
    struct yl_str value = YL_STR("");

    yl_node_string(member(object, name), arena, &value);
    return value;
}
