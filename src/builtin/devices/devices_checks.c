/* Checks of resource.k8s.io.  See builtin/devices/devices_checks.h. */

#include "builtin/devices/devices_checks.h"

#define MAX_POOL_NAME 253
#define MAX_IDENTIFIER 32
#define MAX_SELECTORS 32
#define MAX_EXPRESSION 10240
#define MAX_PARAMETERS 10240
#define MAX_BINDINGS 4

static const char *const effects[] = { "NoExecute", "NoSchedule", "None",
                                       NULL };

static void check_identifier(struct yl_check *, const struct yl_at *,
                             struct yl_str id);
static const char *uuid_fault(struct yl_check *, struct yl_str);
static bool is_uuid(struct yl_str);
static bool is_hex(char);
static bool has_upper(struct yl_str);
static void check_selector(struct yl_check *, const struct yl_at *selector,
                           const void *aux);
static void check_label_name(struct yl_check *, const struct yl_at *name,
                             const void *aux);
static struct yl_node *unique_bindings(struct yl_check *,
                                       const struct yl_at *list,
                                       const struct yl_node *others);

void
yl_check_device_list(struct yl_check *c, const struct yl_at *list,
                     int64_t max, yl_device_item_fn *check, const void *aux)
{
    if (max >= 0 && (int64_t) yl_at_count(list) > max) {
        yl_field_too_many(c->err, yl_at_path(list),
                          (int64_t) yl_at_count(list), max);
        return;
    }
    YL_CHECK_FOR_EACH (c, item, list) {
        check(c, &item, aux);
    }
}

void
yl_check_device_set(struct yl_check *c, const struct yl_at *list, int64_t max,
                    yl_device_item_fn *check, const void *aux,
                    const char *key)
{
    struct yl_node *seen = yl_node_new_object(c->arena);

    yl_check_device_list(c, list, max, check, aux);
    if (max >= 0 && (int64_t) yl_at_count(list) > max) {
        return;
    }
    YL_CHECK_FOR_EACH (c, item, list) {
        struct yl_at at = key ? yl_at(&item, key) : item;

        if (!yl_set_add(c->arena, seen, yl_at_str(c, &at))) {
            yl_field_duplicate(c->err, yl_at_path(&item),
                               yl_bad_str(c, &at));
        }
    }
}

void
yl_check_pool_name(struct yl_check *c, const struct yl_at *name)
{
    struct yl_str rest = yl_at_str(c, name), part;
    bool more = true;

    if (!yl_check_required(c, name)) {
        return;
    }
    if (rest.size > MAX_POOL_NAME) {
        yl_field_too_long(c->err, yl_at_path(name), MAX_POOL_NAME);
    }
    while (more) {
        part = rest;
        more = yl_str_cut(rest, '/', &part, &rest);
        yl_check_name_of(c, yl_at_path(name), YL_NAME_DNS1123_SUBDOMAIN,
                         part);
    }
}

void
yl_check_device_qualified(struct yl_check *c, const struct yl_at *at,
                          struct yl_str name)
{
    struct yl_str domain, id, rest;

    if (!yl_str_cut(name, '/', &domain, &id)) {
        check_identifier(c, at, name);
        return;
    }
    if (yl_str_cut(id, '/', &rest, &rest)) {
        return;                 /* Upstream accepts it. */
    }
    if (!domain.size) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(domain),
                         "the domain must not be empty");
    } else {
        struct yl_at part = *at;

        part.node = yl_node_new_string(c->arena, domain);
        yl_check_csi_driver_name(c, &part);
    }
    if (!id.size) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(id),
                         "the name must not be empty");
    } else {
        check_identifier(c, at, id);
    }
}

void
yl_check_uuid(struct yl_check *c, const struct yl_at *uid)
{
    struct yl_str s = yl_at_str(c, uid);
    const char *fault = uuid_fault(c, s);

    if (fault) {
        yl_field_invalid(c->err, yl_at_path(uid), yl_bad_string(s),
                         "error validating uid: %s", fault);
    } else if (s.size != 36 || has_upper(s)) {
        yl_field_invalid(c->err, yl_at_path(uid), yl_bad_string(s),
                         "uid must be in RFC 4122 normalized form, "
                         "`xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with "
                         "lowercase hexadecimal characters");
    }
}

struct yl_node *
yl_device_request_names(struct yl_check *c, const struct yl_at *devices)
{
    struct yl_node *names = yl_node_new_object(c->arena);
    struct yl_at requests = yl_at(devices, "requests");

    YL_CHECK_FOR_EACH (c, request, &requests) {
        struct yl_str name = yl_at_get_str(c, &request, "name");
        struct yl_at subs = yl_at(&request, "firstAvailable");

        yl_set_add(c->arena, names, name);
        YL_CHECK_FOR_EACH (c, sub, &subs) {
            struct yl_str s = yl_at_get_str(c, &sub, "name");

            yl_set_add(c->arena, names, yl_str_c(yl_arena_printf(
                c->arena, "%.*s/%.*s", YL_STR_ARG(name), YL_STR_ARG(s))));
        }
    }
    return names;
}

void
yl_check_request_ref(struct yl_check *c, const struct yl_at *at,
                     const void *names)
{
    static const char unknown[] =
        "must be the name of a request in the claim or the name of a request "
        "and a subrequest separated by '/'";
    struct yl_str name = yl_at_str(c, at), rest = name, part, other;
    bool more = true;

    if (yl_str_cut(name, '/', &part, &rest)
        && yl_str_cut(rest, '/', &part, &other)) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(name),
                         unknown);
        return;
    }
    rest = name;
    while (more) {
        part = rest;
        more = yl_str_cut(rest, '/', &part, &rest);
        yl_check_name_of(c, yl_at_path(at), YL_NAME_DNS1123_LABEL, part);
    }
    if (!yl_node_get(names, name)) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(name),
                         unknown);
    }
}

void
yl_check_device_config(struct yl_check *c, const struct yl_at *at,
                       bool stored)
{
    struct yl_at opaque = yl_at(at, "opaque");
    struct yl_at driver = yl_at(&opaque, "driver");
    struct yl_at parameters = yl_at(&opaque, "parameters");

    if (yl_check_required(c, &opaque)) {
        yl_check_csi_driver_name(c, &driver);
        yl_check_raw_object(c, &parameters, MAX_PARAMETERS, stored);
    }
}

void
yl_check_raw_object(struct yl_check *c, const struct yl_at *at, size_t max,
                    bool stored)
{
    struct yl_buf buf;

    if (!yl_at_has(at)) {
        yl_field_required(c->err, yl_at_path(at), NULL);
        return;
    }
    yl_buf_init(&buf, SIZE_MAX);
    yl_node_write(&buf, at->node);
    if (!stored && buf.size > max) {
        yl_field_too_long(c->err, yl_at_path(at), (int64_t) max);
    } else if (yl_node_type(at->node) != YL_JSON_OBJECT) {
        yl_field_invalid(c->err, yl_at_path(at),
                         yl_bad_string(YL_STR("<value omitted>")),
                         "must be a valid JSON object");
    }
    yl_buf_release(&buf);
}

void
yl_check_device_selectors(struct yl_check *c, const struct yl_at *selectors)
{
    yl_check_device_list(c, selectors, MAX_SELECTORS, check_selector, NULL);
}

void
yl_check_device_taint(struct yl_check *c, const struct yl_at *taint)
{
    struct yl_at key = yl_at(taint, "key");
    struct yl_at value = yl_at(taint, "value");
    struct yl_at effect = yl_at(taint, "effect");

    yl_check_name(c, &key, YL_NAME_QUALIFIED);
    if (!yl_at_is(&value, "")) {
        yl_check_name(c, &value, YL_NAME_LABEL_VALUE);
    }
    if (yl_check_required(c, &effect)) {
        yl_check_one_of(c, &effect, effects);
    }
}

void
yl_check_device_toleration(struct yl_check *c, const struct yl_at *toleration)
{
    static const char *const operators[] = { "Equal", "Exists", NULL };
    struct yl_at key = yl_at(toleration, "key");
    struct yl_at op = yl_at(toleration, "operator");
    struct yl_at value = yl_at(toleration, "value");
    struct yl_at effect = yl_at(toleration, "effect");

    if (!yl_at_is(&key, "")) {
        yl_check_name(c, &key, YL_NAME_QUALIFIED);
    }
    if (yl_at_is(&op, "Exists")) {
        if (!yl_at_is(&value, "")) {
            yl_field_invalid(c->err, yl_at_path(&value),
                             yl_bad_str(c, &value),
                             "must be empty for operator `Exists`");
        }
    } else if (yl_at_is(&op, "Equal")) {
        yl_check_name(c, &value, YL_NAME_LABEL_VALUE);
    } else if (yl_check_required(c, &op)) {
        yl_check_one_of(c, &op, operators);
    }
    if (!yl_at_is(&effect, "")) {
        yl_check_one_of(c, &effect, effects);
    }
}

void
yl_check_device_bindings(struct yl_check *c, const struct yl_at *at)
{
    struct yl_at good = yl_at(at, "bindingConditions");
    struct yl_at bad = yl_at(at, "bindingFailureConditions");
    struct yl_node *names;

    yl_check_device_list(c, &good, MAX_BINDINGS, check_label_name, NULL);
    yl_check_device_list(c, &bad, MAX_BINDINGS, check_label_name, NULL);
    names = unique_bindings(c, &good, NULL);
    unique_bindings(c, &bad, names);
    if (!yl_at_count(&good) && yl_at_count(&bad)) {
        yl_field_invalid(c->err, yl_at_path(&good), yl_bad_at(&good),
                         "bindingConditions are required to use "
                         "bindingFailureConditions");
    }
    if (!yl_at_count(&bad) && yl_at_count(&good)) {
        yl_field_invalid(c->err, yl_at_path(&bad), yl_bad_at(&bad),
                         "bindingFailureConditions are required to use "
                         "bindingConditions");
    }
}

void
yl_device_tolerations_default(struct yl_arena *arena, struct yl_node *object)
{
    struct yl_node *toleration;

    YL_MEMBER_EACH (toleration, object, "tolerations") {
        yl_member_default_str(arena, toleration, "operator", "Equal");
    }
}

static void
check_identifier(struct yl_check *c, const struct yl_at *at, struct yl_str id)
{
    bool good = id.size != 0;
    size_t i;

    if (id.size > MAX_IDENTIFIER) {
        yl_field_too_long(c->err, yl_at_path(at), MAX_IDENTIFIER);
    }
    for (i = 0; i < id.size; i++) {
        char ch = id.data[i];

        good &= (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z')
                || ch == '_' || (i && ch >= '0' && ch <= '9');
    }
    if (!good) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(id),
                         "a valid C identifier must start with alphabetic "
                         "character or '_', followed by a string of "
                         "alphanumeric characters or '_' (e.g. 'my_name',  "
                         "or 'MY_NAME',  or 'MyName', regex used for "
                         "validation is '[A-Za-z_][A-Za-z0-9_]*')");
    }
}

/* Accepts the forms that upstream's library does: plain, in braces, as a URN,
 * and without dashes. */
static const char *
uuid_fault(struct yl_check *c, struct yl_str s)
{
    static const char format[] = "invalid UUID format";
    size_t i;

    switch (s.size) {
    case 36:
        return is_uuid(s) ? NULL : format;

    case 45:
        if (!yl_str_equal_c(yl_lower_case(c->arena, yl_str_n(s.data, 9)),
                            "urn:uuid:")) {
            return yl_arena_printf(c->arena, "invalid urn prefix: \"%.*s\"",
                                   9, s.data);
        }
        return is_uuid(yl_str_skip(s, 9)) ? NULL : format;

    case 38:
        if (s.data[0] != '{' || s.data[37] != '}') {
            return "invalid bracketed UUID format";
        }
        return is_uuid(yl_str_n(s.data + 1, 36)) ? NULL : format;

    case 32:
        for (i = 0; i < s.size; i++) {
            if (!is_hex(s.data[i])) {
                return format;
            }
        }
        return NULL;

    default:
        return yl_arena_printf(c->arena, "invalid UUID length: %zu", s.size);
    }
}

static bool
is_uuid(struct yl_str s)
{
    size_t i;

    for (i = 0; i < s.size; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;

        if (dash ? s.data[i] != '-' : !is_hex(s.data[i])) {
            return false;
        }
    }
    return true;
}

static bool
is_hex(char ch)
{
    return (ch >= '0' && ch <= '9') || (ch >= 'a' && ch <= 'f')
           || (ch >= 'A' && ch <= 'F');
}

static bool
has_upper(struct yl_str s)
{
    size_t i;

    for (i = 0; i < s.size; i++) {
        if (s.data[i] >= 'A' && s.data[i] <= 'Z') {
            return true;
        }
    }
    return false;
}

static void
check_selector(struct yl_check *c, const struct yl_at *selector,
               const void *aux YL_UNUSED)
{
    struct yl_at cel = yl_at(selector, "cel");
    struct yl_at expression = yl_at(&cel, "expression");

    if (yl_check_required(c, &cel)
        && yl_at_str(c, &expression).size > MAX_EXPRESSION) {
        yl_field_too_long(c->err, yl_at_path(&expression), MAX_EXPRESSION);
    }
}

static void
check_label_name(struct yl_check *c, const struct yl_at *name,
                 const void *aux YL_UNUSED)
{
    yl_check_name(c, name, YL_NAME_QUALIFIED);
}

/* Returns the set of names.  Each must be there once, and not be in
 * 'others'. */
static struct yl_node *
unique_bindings(struct yl_check *c, const struct yl_at *list,
                const struct yl_node *others)
{
    struct yl_node *seen = yl_node_new_object(c->arena);

    YL_CHECK_FOR_EACH (c, name, list) {
        struct yl_str s = yl_at_str(c, &name);

        if (!yl_set_add(c->arena, seen, s)) {
            yl_field_duplicate(c->err, yl_at_path(&name), yl_bad_string(s));
        }
        if (others && yl_node_get(others, s)) {
            yl_field_invalid(c->err, yl_at_path(&name), yl_bad_string(s),
                             "bindingFailureConditions must not overlap with "
                             "bindingConditions");
        }
    }
    return seen;
}
