/* Validation of projected volumes, and of claim templates in volumes. */

#include "builtin/common/meta.h"
#include "builtin/pods/pod_check.h"

#define CONFLICT "conflicting duplicate paths"

/* One projected volume and the paths in it. */
struct projection {
    struct yl_check *c;
    const struct yl_at *volume;
    struct yl_node *paths;
};

static void check_key_source(struct projection *, const struct yl_at *source);
static void check_token(struct projection *, const struct yl_at *source);
static void add_path(struct projection *, struct yl_str path,
                     struct yl_str shown);
static void check_storage(struct yl_check *, const struct yl_at *spec);
static void check_data_source(struct yl_check *, const struct yl_at *spec);
static void check_sources_agree(struct yl_check *, const struct yl_at *spec);

void
yl_check_projected(struct yl_check *c, const struct yl_at *projected)
{
    struct projection p = { c, projected, yl_node_new_object(c->arena) };
    struct yl_at mode = yl_at(projected, "defaultMode");
    struct yl_at sources = yl_at(projected, "sources");

    yl_check_mode(c, &mode);
    YL_CHECK_FOR_EACH (c, source, &sources) {
        struct yl_at secret = yl_at(&source, "secret");
        struct yl_at config = yl_at(&source, "configMap");
        struct yl_at downward = yl_at(&source, "downwardAPI");
        struct yl_at files = yl_at(&downward, "items");
        struct yl_at token = yl_at(&source, "serviceAccountToken");
        int n = yl_at_has(&secret) + yl_at_has(&config) + yl_at_has(&downward)
                + yl_at_has(&token);

        check_key_source(&p, &secret);
        check_key_source(&p, &config);
        YL_CHECK_FOR_EACH (c, file, &files) {
            struct yl_at shown = downward;
            struct yl_str path = yl_at_get_str(c, &file, "path");

            shown.node = file.node;
            yl_check_downward_file(c, &shown);
            add_path(&p, path, path);
        }
        if (yl_at_has(&token)) {
            check_token(&p, &token);
        }
        if (n > 1) {
            yl_field_forbidden(c->err, yl_at_path(&source),
                               "may not specify more than 1 volume type per "
                               "source");
        }
    }
}

void
yl_check_key_to_path(struct yl_check *c, const struct yl_at *item)
{
    struct yl_at key = yl_at(item, "key");
    struct yl_at path = yl_at(item, "path");
    struct yl_at mode = yl_at(item, "mode");

    yl_check_required(c, &key);
    yl_check_required(c, &path);
    yl_check_local_path_not_reserved(c, &path);
    yl_check_mode(c, &mode);
}

void
yl_check_downward_file(struct yl_check *c, const struct yl_at *file)
{
    struct yl_at path = yl_at(file, "path");
    struct yl_at field = yl_at(file, "fieldRef");
    struct yl_at resource = yl_at(file, "resourceFieldRef");
    struct yl_at mode = yl_at(file, "mode");

    yl_check_required(c, &path);
    yl_check_local_path_not_reserved(c, &path);
    if (yl_at_has(&field)) {
        yl_check_field_ref(c, &field, true);
        if (yl_at_has(&resource)) {
            yl_field_invalid(c->err, yl_at_path(file),
                             yl_bad_string(YL_STR("resource")),
                             "fieldRef and resourceFieldRef can not be "
                             "specified simultaneously");
        }
    } else if (yl_at_has(&resource)) {
        yl_check_resource_ref(c, &resource, true);
    } else {
        yl_field_required(c->err, yl_at_path(file),
                          "one of fieldRef and resourceFieldRef is required");
    }
    yl_check_mode(c, &mode);
}

void
yl_check_claim_spec(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const modes[] = { "ReadOnlyMany", "ReadWriteMany",
                                         "ReadWriteOnce", "ReadWriteOncePod",
                                         NULL };
    static const char *const volume_modes[] = { "Block", "Filesystem", NULL };
    struct yl_at access = yl_at(spec, "accessModes");
    struct yl_at selector = yl_at(spec, "selector");
    struct yl_at class = yl_at(spec, "storageClassName");
    struct yl_at mode = yl_at(spec, "volumeMode");
    struct yl_at attributes = yl_at(spec, "volumeAttributesClassName");
    bool once = false, other = false;

    if (!yl_at_count(&access)) {
        yl_field_required(c->err, yl_at_path(&access),
                          "at least 1 access mode is required");
    }
    yl_check_label_selector(c, &selector);
    YL_CHECK_FOR_EACH (c, one, &access) {
        struct yl_at shown = access;

        shown.node = one.node;
        if (yl_check_one_of(c, &shown, modes)) {
            once |= yl_at_is(&one, "ReadWriteOncePod");
            other |= !yl_at_is(&one, "ReadWriteOncePod");
        }
    }
    if (once && other) {
        yl_field_forbidden(c->err, yl_at_path(&access),
                           "may not use ReadWriteOncePod with other access "
                           "modes");
    }
    check_storage(c, spec);
    if (!yl_at_is(&class, "")) {
        yl_check_name(c, &class, YL_NAME_DNS1123_SUBDOMAIN);
    }
    if (yl_at_has(&mode)) {
        yl_check_one_of(c, &mode, volume_modes);
    }
    check_data_source(c, spec);
    if (!yl_at_is(&attributes, "")) {
        yl_check_name(c, &attributes, YL_NAME_DNS1123_SUBDOMAIN);
    }
}

/* Secrets and ConfigMaps in a projected volume. */
static void
check_key_source(struct projection *p, const struct yl_at *source)
{
    struct yl_at name = yl_at(source, "name");
    struct yl_at items = yl_at(source, "items");

    if (yl_at_has(source)) {
        yl_check_required(p->c, &name);
    }
    YL_CHECK_FOR_EACH (p->c, item, &items) {
        yl_check_key_to_path(p->c, &item);
        add_path(p, yl_at_get_str(p->c, &item, "path"),
                 yl_at_str(p->c, &name));
    }
}

static void
check_token(struct projection *p, const struct yl_at *source)
{
    struct yl_at seconds = yl_at(source, "expirationSeconds");
    struct yl_at path = yl_at(source, "path");
    struct yl_at shown = yl_at_node(p->volume, "path", path.node);
    int64_t n = yl_at_int(&seconds);

    if (n < 600) {
        yl_field_invalid(p->c->err, yl_at_path(&seconds), yl_bad_int(n),
                         "may not specify a duration less than 10 minutes");
    }
    if (n > INT64_C(1) << 32) {
        yl_field_invalid(p->c->err, yl_at_path(&seconds), yl_bad_int(n),
                         "may not specify a duration larger than 2^32 "
                         "seconds");
    }
    if (yl_check_required(p->c, &shown)) {
        yl_check_local_path_not_reserved(p->c, &shown);
    }
}

static void
add_path(struct projection *p, struct yl_str path, struct yl_str shown)
{
    if (path.size && !yl_set_add(p->c->arena, p->paths, path)) {
        yl_field_invalid(p->c->err, yl_at_path(p->volume),
                         yl_bad_string(shown), CONFLICT);
    }
}

static void
check_storage(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at resources = yl_at(spec, "resources");
    struct yl_at requests = yl_at(&resources, "requests");
    struct yl_at storage = yl_at(&requests, "storage");
    struct yl_field_path path =
        yl_field_key(yl_at_path(&resources), YL_STR("storage"));
    char room[YL_QUANTITY_TEXT_SIZE];
    struct yl_quantity q;

    if (!yl_at_has(&storage)) {
        yl_field_required(c->err, &path, NULL);
    } else if (yl_node_quantity(c->arena, storage.node, &q)
               && yl_quantity_sign(&q) <= 0) {
        yl_field_invalid(c->err, &path,
                         yl_bad_string(yl_quantity_text(&q, room)),
                         "must be greater than zero");
    }
}

/* The older field 'dataSource' allows only some kinds. */
static void
check_data_source(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const fields[] = { "dataSource", "dataSourceRef" };
    size_t i;

    for (i = 0; i < 2; i++) {
        struct yl_at source = yl_at(spec, fields[i]);
        struct yl_at name = yl_at(&source, "name");
        struct yl_at kind = yl_at(&source, "kind");
        struct yl_at group = yl_at(&source, "apiGroup");

        if (!yl_at_has(&source)) {
            continue;
        }
        yl_check_required(c, &name);
        yl_check_required(c, &kind);
        if (yl_at_is(&group, "")
            && !yl_at_is(&kind, "PersistentVolumeClaim")) {
            yl_field_invalid(c->err, yl_at_path(&source),
                             yl_bad_str(c, &kind),
                             "must be 'PersistentVolumeClaim' when "
                             "referencing the default apiGroup");
        }
        if (!yl_at_is(&group, "")) {
            yl_check_name(c, &group, YL_NAME_DNS1123_SUBDOMAIN);
        }
        if (i == 1 && !yl_at_get_is(&source, "namespace", "")) {
            struct yl_at namespace = yl_at(&source, "namespace");

            yl_check_name(c, &namespace, YL_NAME_DNS1123_LABEL);
        }
    }
    check_sources_agree(c, spec);
}

/* 'dataSource' and 'dataSourceRef' must agree.  In this error upstream shows
 * the value as "{}". */
static void
check_sources_agree(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const parts[] = { "apiGroup", "kind", "name" };
    struct yl_at source = yl_at(spec, "dataSource");
    struct yl_at ref = yl_at(spec, "dataSourceRef");
    const char *why = NULL;
    size_t i;

    if (!yl_at_has(&source) || !yl_at_has(&ref)) {
        return;
    }
    if (!yl_at_get_is(&ref, "namespace", "")) {
        why = "may not be specified when dataSourceRef.namespace is specified";
    }
    for (i = 0; !why && i < YL_ARRAY_SIZE(parts); i++) {
        struct yl_at a = yl_at(&source, parts[i]), b = yl_at(&ref, parts[i]);

        if (!yl_node_same(a.node, b.node)) {
            why = "must match dataSourceRef";
        }
    }
    if (why) {
        yl_field_invalid(c->err, yl_at_path(spec),
                         yl_bad_text(YL_STR("{}")), "%s", why);
    }
}
