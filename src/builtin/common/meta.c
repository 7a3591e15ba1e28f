/* Checks of metadata.  See builtin/common/meta.h for the contract. */

#include "builtin/common/meta.h"

#include "base/quote.h"

#define MAX_ANNOTATIONS (256 * 1024)    /* Bytes of keys and values. */
#define MAX_MANAGER 128
#define MAX_SUBRESOURCE 256

static void check_names(struct yl_check *, const struct yl_at *metadata,
                        const struct yl_meta_rule *);
static void check_owner(struct yl_check *, const struct yl_at *owners,
                        const struct yl_at *owner);
static struct yl_bad_value bad_owners(struct yl_check *,
                                      const struct yl_node *);
static void write_owner(struct yl_buf *, const struct yl_node *);
static void check_finalizers(struct yl_check *, const struct yl_at *);

void
yl_check_meta(struct yl_check *c, const struct yl_at *metadata,
              const struct yl_meta_rule *rule)
{
    struct yl_at generation = yl_at(metadata, "generation");
    struct yl_at labels = yl_at(metadata, "labels");
    struct yl_at annotations = yl_at(metadata, "annotations");
    struct yl_at owners = yl_at(metadata, "ownerReferences");
    struct yl_at finalizers = yl_at(metadata, "finalizers");
    struct yl_at managed = yl_at(metadata, "managedFields");

    check_names(c, metadata, rule);
    yl_check_not_negative(c, &generation);
    yl_check_labels(c, &labels);
    yl_check_annotations(c, &annotations);
    yl_check_owners(c, &owners);
    check_finalizers(c, &finalizers);
    yl_check_managed_fields(c, &managed);
    if (rule->any_finalizer) {
        return;
    }
    YL_CHECK_FOR_EACH (c, finalizer, &finalizers) {
        yl_check_finalizer(c, &finalizer, yl_at_str(c, &finalizer));
    }
}

void
yl_check_object_meta(struct yl_check *c, const struct yl_node *object,
                     const struct yl_meta_rule *rule)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");

    yl_check_meta(c, &metadata, rule);
}

void
yl_check_object_meta_update(struct yl_check *c, const struct yl_node *object,
                            const struct yl_node *old,
                            const struct yl_meta_rule *rule)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");

    yl_check_meta_update(c, &metadata, yl_member_object(old, "metadata"),
                         rule);
}

void
yl_check_finalizer(struct yl_check *c, const struct yl_at *at,
                   struct yl_str name)
{
    if (!yl_str_find_char(name, '/') && !yl_str_equal_c(name, "kubernetes")
        && !yl_str_equal_c(name, "orphan")
        && !yl_str_equal_c(name, "foregroundDeletion")) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(name),
                         "name is neither a standard finalizer name nor is "
                         "it fully qualified");
    }
}

void
yl_check_annotations(struct yl_check *c, const struct yl_at *annotations)
{
    size_t size = 0;

    YL_CHECK_FOR_EACH (c, annotation, annotations) {
        struct yl_str key = yl_at_key(&annotation);
        struct yl_str lower = yl_lower_case(c->arena, key);
        struct yl_name_faults faults;
        size_t i;

        size += key.size + yl_at_str(c, &annotation).size;
        if (yl_name_check(YL_NAME_QUALIFIED, lower, &faults) < 0) {
            for (i = 0; i < faults.n_faults; i++) {
                yl_field_invalid(c->err, yl_at_path(annotations),
                                 yl_bad_string(key), "%s", faults.faults[i]);
            }
        }
    }
    if (size > MAX_ANNOTATIONS) {
        yl_field_too_long(c->err, yl_at_path(annotations), MAX_ANNOTATIONS);
    }
}

void
yl_check_owners(struct yl_check *c, const struct yl_at *owners)
{
    const char *first = NULL;

    YL_CHECK_FOR_EACH (c, owner, owners) {
        struct yl_str kind = yl_at_get_str(c, &owner, "kind");
        struct yl_str name = yl_at_get_str(c, &owner, "name");
        const char *this;

        check_owner(c, owners, &owner);
        if (!yl_at_get_bool(&owner, "controller")) {
            continue;
        }
        this = yl_arena_printf(c->arena, "%.*s/%.*s", YL_STR_ARG(kind),
                               YL_STR_ARG(name));
        if (first) {
            yl_field_invalid(c->err, yl_at_path(owners),
                             bad_owners(c, owners->node),
                             "Only one reference can have Controller set to "
                             "true. Found \"true\" in references for %s and "
                             "%s", first, this);
        } else {
            first = this;
        }
    }
}

void
yl_check_managed_fields(struct yl_check *c, const struct yl_at *list)
{
    YL_CHECK_FOR_EACH (c, entry, list) {
        struct yl_at op = yl_at(&entry, "operation");
        struct yl_at type = yl_at(&entry, "fieldsType");
        struct yl_at manager = yl_at(&entry, "manager");
        struct yl_at subresource = yl_at(&entry, "subresource");

        if (!yl_at_is(&op, "Apply") && !yl_at_is(&op, "Update")) {
            yl_field_invalid(c->err, yl_at_path(&op), yl_bad_str(c, &op),
                             "must be `Apply` or `Update`");
        }
        if (!yl_at_is(&type, "") && !yl_at_is(&type, "FieldsV1")) {
            yl_field_invalid(c->err, yl_at_path(&type), yl_bad_str(c, &type),
                             "must be `FieldsV1`");
        }
        yl_check_manager(c->err, yl_at_path(&manager), yl_at_str(c, &manager));
        if (yl_at_str(c, &subresource).size > MAX_SUBRESOURCE) {
            yl_field_too_long(c->err, yl_at_path(&subresource),
                              MAX_SUBRESOURCE);
        }
    }
}

void
yl_check_manager(struct yl_error *err, const struct yl_field_path *path,
                 struct yl_str name)
{
    size_t at, n;

    if (name.size > MAX_MANAGER) {
        yl_field_too_long(err, path, MAX_MANAGER);
    }
    for (at = 0; at < name.size; at += n) {
        uint32_t rune;

        n = yl_rune_decode(yl_str_skip(name, at), &rune);
        if (!n) {
            rune = 0xfffd, n = 1;
        }
        if (!yl_rune_is_printable(rune)) {
            yl_field_invalid(err, path, yl_bad_string(name),
                             "invalid character U+%04X (at position %zu)",
                             rune, at);
        }
    }
}

void
yl_meta_set_generation(struct yl_arena *arena, struct yl_node *object)
{
    yl_member_set(arena, yl_member_make(arena, object, "metadata"),
                  "generation", yl_node_new_int64(arena, 1));
}

void
yl_meta_count_generation(struct yl_arena *arena, struct yl_node *object,
                         const struct yl_node *old)
{
    struct yl_at before = yl_at_root(yl_member_object(old, "metadata"));

    yl_member_set(
        arena, yl_member_make(arena, object, "metadata"), "generation",
        yl_node_new_int64(arena, yl_at_get_int(&before, "generation") + 1));
}

void
yl_meta_keep(struct yl_arena *arena, struct yl_node *object,
             const struct yl_node *old)
{
    static const char *const names[] = { "deletionTimestamp", "labels",
                                         "annotations", "finalizers",
                                         "ownerReferences" };
    struct yl_node *metadata = yl_member_make(arena, object, "metadata");
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        yl_member_keep(arena, metadata, yl_member_object(old, "metadata"),
                       names[i]);
    }
}

static void
check_names(struct yl_check *c, const struct yl_at *metadata,
            const struct yl_meta_rule *rule)
{
    struct yl_at prefix = yl_at(metadata, "generateName");
    struct yl_at name = yl_at(metadata, "name");
    struct yl_at namespace = yl_at(metadata, "namespace");
    struct yl_name_faults faults;
    struct yl_str s = yl_at_str(c, &prefix);
    size_t i;

    if (s.size && yl_name_check_prefix(rule->name, s, &faults) < 0) {
        for (i = 0; i < faults.n_faults; i++) {
            yl_field_invalid(c->err, yl_at_path(&prefix), yl_bad_string(s),
                             "%s", faults.faults[i]);
        }
    }
    if (!yl_at_str(c, &name).size) {
        yl_field_required(c->err, yl_at_path(&name),
                          "name or generateName is required");
    } else {
        yl_check_name(c, &name, rule->name);
    }
    if (!rule->namespaced) {
        if (yl_at_str(c, &namespace).size) {
            yl_field_forbidden(c->err, yl_at_path(&namespace),
                               "not allowed on this type");
        }
    } else if (yl_check_required(c, &namespace)) {
        yl_check_name(c, &namespace, YL_NAME_DNS1123_LABEL);
    }
}

static void
check_owner(struct yl_check *c, const struct yl_at *owners,
            const struct yl_at *owner)
{
    static const char *const fields[] = { "kind", "name", "uid" };
    struct yl_at at = yl_at_node(owners, "apiVersion", NULL);
    struct yl_str version = yl_at_get_str(c, owner, "apiVersion");
    struct yl_str group, rest = version;
    size_t i;

    if (yl_str_cut(version, '/', &group, &rest)
        && yl_str_find_char(rest, '/')) {
        rest = YL_STR("");
    }
    if (!rest.size) {
        yl_field_invalid(c->err, yl_at_path(&at), yl_bad_string(version),
                         "version must not be empty");
    }
    for (i = 0; i < 3; i++) {
        struct yl_str s = yl_at_get_str(c, owner, fields[i]);

        at = yl_at_node(owners, fields[i], NULL);
        if (!s.size) {
            yl_field_invalid(c->err, yl_at_path(&at), yl_bad_string(s),
                             "must not be empty");
        }
    }
    if (yl_str_equal_c(version, "v1")
        && yl_at_get_is(owner, "kind", "Event")) {
        yl_field_invalid(c->err, yl_at_path(owners),
                         bad_owners(c, owner->node),
                         "/v1, Kind=Event is disallowed from being an owner");
    }
}

/* The owners as Go prints them: fields in the order of the Go struct, not
 * sorted. */
static struct yl_bad_value
bad_owners(struct yl_check *c, const struct yl_node *node)
{
    const struct yl_node *owner;
    struct yl_buf buf;
    struct yl_str text;

    yl_buf_init(&buf, SIZE_MAX);
    if (node->type == YL_JSON_ARRAY) {
        YL_NODE_FOR_EACH (owner, node) {
            yl_buf_append_char(&buf, owner == node->first ? '[' : ',');
            write_owner(&buf, owner);
        }
        yl_buf_append_char(&buf, ']');
    } else {
        write_owner(&buf, node);
    }
    text = yl_arena_copy(c->arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return yl_bad_text(text);
}

static void
write_owner(struct yl_buf *buf, const struct yl_node *owner)
{
    static const char *const fields[] = { "apiVersion", "kind", "name", "uid",
                                          "controller",
                                          "blockOwnerDeletion" };
    char before = '{';
    size_t i;

    for (i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (yl_member_is_absent(owner, fields[i])) {
            continue;
        }
        yl_buf_printf(buf, "%c\"%s\":", before, fields[i]);
        if (yl_node_write_canonical(
                buf, yl_node_get(owner, yl_str_c(fields[i]))) < 0) {
            yl_buf_append_c(buf, "null");
        }
        before = ',';
    }
    yl_buf_append_c(buf, before == '{' ? "{}" : "}");
}

static void
check_finalizers(struct yl_check *c, const struct yl_at *finalizers)
{
    bool orphan = false, foreground = false;

    YL_CHECK_FOR_EACH (c, finalizer, finalizers) {
        yl_check_name_of(c, yl_at_path(finalizers), YL_NAME_QUALIFIED,
                         yl_at_str(c, &finalizer));
        orphan |= yl_at_is(&finalizer, "orphan");
        foreground |= yl_at_is(&finalizer, "foregroundDeletion");
    }
    if (orphan && foreground) {
        yl_field_invalid(c->err, yl_at_path(finalizers),
                         yl_bad_at(finalizers),
                         "finalizer orphan and foregroundDeletion cannot be "
                         "both set");
    }
}
