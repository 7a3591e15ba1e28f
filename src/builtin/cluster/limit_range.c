/* LimitRange: defaults and validation. */

#include "base/random.h"
#include "builtin/pods/pod.h"
#include "builtin/pods/pod_check.h"
#include "builtin/pods/pod_resources.h"
#include "builtin/rows.h"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, true, false };

/* The amount of a resource in one of an item's lists. */
struct amount {
    struct yl_quantity q;
    bool has;
};

static void copy_missing(struct yl_arena *, struct yl_node *to,
                         const struct yl_node *from);
static void check_limit(struct yl_check *, const struct yl_at *limit,
                        struct yl_node *types);
static void check_limit_type(struct yl_check *, const struct yl_at *type);
static void check_names(struct yl_check *, const struct yl_at *limit,
                        const char *list, struct yl_node *keys);
static void check_key(struct yl_check *, const struct yl_at *limit,
                      struct yl_str key);
static void check_order(struct yl_check *, const struct yl_at *limit,
                        struct yl_str key, const char *list,
                        const struct amount *shown, const char *low_name,
                        const struct amount *low, const char *high_name,
                        const struct amount *high);
static void check_ratio(struct yl_check *, const struct yl_at *limit,
                        struct yl_str key, const struct amount *min,
                        const struct amount *max);
static void read_amount(struct yl_check *, const struct yl_at *limit,
                        const char *list, struct yl_str key, struct amount *);
static void complain(struct yl_check *, const struct yl_at *limit,
                     const char *list, struct yl_str key,
                     const struct yl_quantity *, const char *why);
static const char *text_of(struct yl_check *, const struct yl_quantity *);

void
yl_limit_range_default(struct yl_arena *arena, struct yl_node *object)
{
    static const char *const lists[] = { "max", "min", "default",
                                         "defaultRequest",
                                         "maxLimitRequestRatio" };
    struct yl_node *limit;
    size_t i;

    YL_MEMBER_EACH (limit, yl_member_object(object, "spec"), "limits") {
        struct yl_at at = yl_at_root(limit);

        for (i = 0; i < YL_ARRAY_SIZE(lists); i++) {
            yl_resource_list_default(arena, yl_member_object(limit, lists[i]));
        }
        if (yl_at_get_is(&at, "type", "Container")) {
            struct yl_node *request, *values;

            values = yl_member_make(arena, limit, "default");
            request = yl_member_make(arena, limit, "defaultRequest");
            copy_missing(arena, values, yl_member_object(limit, "max"));
            copy_missing(arena, request, values);
            copy_missing(arena, request, yl_member_object(limit, "min"));
        }
    }
}

/* A LimitRange without a name gets a random one. */
void
yl_limit_range_prepare(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *metadata = yl_member_make(arena, object, "metadata");
    char name[YL_UUID_LENGTH + 1];

    if (yl_member_is_zero(metadata, "name")) {
        yl_random_uuid(name);
        yl_member_set_str(arena, metadata, "name", name);
    }
}

void
yl_limit_range_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at limits = yl_at(&spec, "limits");
    struct yl_node *types = yl_node_new_object(c->arena);

    yl_check_object_meta(c, object, &rule);
    YL_CHECK_FOR_EACH (c, limit, &limits) {
        check_limit(c, &limit, types);
    }
}

void
yl_limit_range_validate_update(struct yl_check *c,
                               const struct yl_node *object,
                               const struct yl_node *old YL_UNUSED)
{
    yl_limit_range_validate(c, object);
}

static void
copy_missing(struct yl_arena *arena, struct yl_node *to,
             const struct yl_node *from)
{
    const struct yl_node *amount;

    if (!to || !from) {
        return;
    }
    YL_NODE_FOR_EACH (amount, from) {
        if (!yl_node_get(to, yl_node_key(amount))) {
            yl_node_set(arena, to, yl_node_key(amount),
                        yl_node_copy(arena, amount));
        }
    }
}

static void
check_limit(struct yl_check *c, const struct yl_at *limit,
            struct yl_node *types)
{
    static const char not_of_pod[] =
        "may not be specified when `type` is 'Pod'";
    struct yl_at type = yl_at(limit, "type");
    struct yl_at values = yl_at(limit, "default");
    struct yl_at requests = yl_at(limit, "defaultRequest");
    struct yl_at min = yl_at(limit, "min"), max = yl_at(limit, "max");
    struct yl_at shown = yl_at_node(limit, "limits", NULL);
    struct yl_node *keys = yl_node_new_object(c->arena);
    const struct yl_node *key;

    check_limit_type(c, &type);
    if (!yl_set_add(c->arena, types, yl_at_str(c, &type))) {
        yl_field_duplicate(c->err, yl_at_path(&type), yl_bad_str(c, &type));
    }
    check_names(c, limit, "max", keys);
    check_names(c, limit, "min", keys);
    if (!yl_at_is(&type, "Pod")) {
        check_names(c, limit, "default", keys);
        check_names(c, limit, "defaultRequest", keys);
    } else {
        if (yl_at_count(&values)) {
            yl_field_forbidden(c->err, yl_at_path(&values), not_of_pod);
        }
        if (yl_at_count(&requests)) {
            yl_field_forbidden(c->err, yl_at_path(&requests), not_of_pod);
        }
    }
    if (yl_at_is(&type, "PersistentVolumeClaim")
        && !yl_at_get_has(&min, "storage")
        && !yl_at_get_has(&max, "storage")) {
        yl_field_required(c->err, yl_at_path(&shown),
                          "either minimum or maximum storage value is "
                          "required, but neither was provided");
    }
    check_names(c, limit, "maxLimitRequestRatio", keys);
    YL_NODE_FOR_EACH (key, keys) {
        check_key(c, limit, yl_node_key(key));
    }
}

static void
check_limit_type(struct yl_check *c, const struct yl_at *type)
{
    if (yl_check_name(c, type, YL_NAME_QUALIFIED)
        && !yl_str_find_char(yl_at_str(c, type), '/')
        && !yl_at_is(type, "Pod") && !yl_at_is(type, "Container")
        && !yl_at_is(type, "PersistentVolumeClaim")) {
        yl_field_invalid(c->err, yl_at_path(type), yl_bad_str(c, type),
                         "must be a standard limit type or fully qualified");
    }
}

static void
check_names(struct yl_check *c, const struct yl_at *limit, const char *name,
            struct yl_node *keys)
{
    struct yl_at list = yl_at(limit, name);
    struct yl_at type = yl_at(limit, "type");
    bool of_container = yl_at_is(&type, "Pod")
                        || yl_at_is(&type, "Container");

    YL_CHECK_FOR_EACH (c, amount, &list) {
        struct yl_str key = yl_at_key(&amount);

        if (of_container) {
            yl_check_container_resource_name(c, &amount, key);
        } else {
            yl_check_resource_name(c, &amount, key);
        }
        yl_set_add(c->arena, keys, key);
    }
}

static void
check_key(struct yl_check *c, const struct yl_at *limit, struct yl_str key)
{
    struct yl_at type = yl_at(limit, "type");
    bool of_pod = yl_at_is(&type, "Pod");
    struct amount min, max, value, request;

    read_amount(c, limit, "min", key, &min);
    read_amount(c, limit, "max", key, &max);
    read_amount(c, limit, of_pod ? "" : "default", key, &value);
    read_amount(c, limit, of_pod ? "" : "defaultRequest", key, &request);
    check_order(c, limit, key, "min", &min, "min", &min, "max", &max);
    check_order(c, limit, key, "defaultRequest", &request, "min", &min,
                "default request", &request);
    check_order(c, limit, key, "defaultRequest", &request, "default request",
                &request, "max", &max);
    check_order(c, limit, key, "defaultRequest", &request, "default request",
                &request, "default limit", &value);
    check_order(c, limit, key, "default", &min, "min", &min, "default",
                &value);
    check_order(c, limit, key, "default", &max, "default", &value, "max",
                &max);
    check_ratio(c, limit, key, &min, &max);
    if (value.has && request.has && !yl_resource_can_overcommit(key)
        && yl_quantity_compare(&value.q, &request.q) != 0) {
        complain(c, limit, "defaultRequest", key, &request.q, yl_arena_printf(
            c->arena, "default value %s must equal to defaultRequest value "
            "%s in %.*s", text_of(c, &value.q), text_of(c, &request.q),
            YL_STR_ARG(key)));
    }
}

/* 'low' must not be greater than 'high'; if it is, the error shows 'shown'. */
static void
check_order(struct yl_check *c, const struct yl_at *limit, struct yl_str key,
            const char *list, const struct amount *shown,
            const char *low_name, const struct amount *low,
            const char *high_name, const struct amount *high)
{
    if (low->has && high->has && yl_quantity_compare(&low->q, &high->q) > 0) {
        complain(c, limit, list, key, &shown->q, yl_arena_printf(
            c->arena, "%s value %s is greater than %s value %s", low_name,
            text_of(c, &low->q), high_name, text_of(c, &high->q)));
    }
}

/* Like upstream, compares in thousandths if all amounts are small enough. */
static void
check_ratio(struct yl_check *c, const struct yl_at *limit, struct yl_str key,
            const struct amount *min, const struct amount *max)
{
    static const char list[] = "maxLimitRequestRatio";
    const int64_t max_milli = INT64_MAX / 1000;
    struct yl_quantity one = yl_quantity_make(1, 0, YL_DECIMAL_SI);
    struct amount ratio;
    double value, low, high;

    read_amount(c, limit, list, key, &ratio);
    if (!ratio.has) {
        return;
    }
    if (yl_quantity_compare(&ratio.q, &one) < 0) {
        complain(c, limit, list, key, &ratio.q, yl_arena_printf(
            c->arena, "ratio %s is less than 1", text_of(c, &ratio.q)));
    }
    if (!min->has || !max->has) {
        return;
    }
    value = (double) yl_quantity_value(&ratio.q);
    low = (double) yl_quantity_value(&min->q);
    high = (double) yl_quantity_value(&max->q);
    if (yl_quantity_value(&ratio.q) < max_milli
        && yl_quantity_value(&min->q) < max_milli
        && yl_quantity_value(&max->q) < max_milli) {
        value = (double) yl_quantity_milli_value(&ratio.q) / 1000;
        low = (double) yl_quantity_milli_value(&min->q);
        high = (double) yl_quantity_milli_value(&max->q);
    }
    if (low != 0 && value > high / low) {
        complain(c, limit, list, key, &ratio.q, yl_arena_printf(
            c->arena, "ratio %s is greater than max/min = %f",
            text_of(c, &ratio.q), high / low));
    }
}

static void
read_amount(struct yl_check *c, const struct yl_at *limit, const char *name,
            struct yl_str key, struct amount *ret)
{
    struct yl_at list = yl_at(limit, name);

    ret->has = yl_node_type(list.node) == YL_JSON_OBJECT
               && yl_node_quantity(c->arena, yl_node_get(list.node, key),
                                   &ret->q);
}

static void
complain(struct yl_check *c, const struct yl_at *limit, const char *name,
         struct yl_str key, const struct yl_quantity *q, const char *why)
{
    struct yl_at list = yl_at_node(limit, name, NULL);
    struct yl_field_path path = yl_field_key(yl_at_path(&list), key);

    yl_field_invalid(c->err, &path, yl_bad_string(yl_str_c(text_of(c, q))),
                     "%s", why);
}

static const char *
text_of(struct yl_check *c, const struct yl_quantity *q)
{
    char room[YL_QUANTITY_TEXT_SIZE];

    return yl_arena_strdup(c->arena, yl_quantity_text(q, room));
}
