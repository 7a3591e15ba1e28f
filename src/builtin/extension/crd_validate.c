/* Validation of CustomResourceDefinition, except for the schemas in it, which
 * are checked where they are compiled.
 *
 * Upstream's internal type has the fields that all versions share above the
 * versions, so causes name "spec.subresources" if there is only one
 * version. */
#include "builtin/common/meta.h"
#include "builtin/extension/crd_check.h"
#include "builtin/go/go_value.h"
#include "builtin/rows.h"
#include "gen/apiextensions_v1_go.h"

#define APPROVED "api-approved.kubernetes.io"
#define MAX_WARNING 256

static void check_name(struct yl_check *, const struct yl_at *metadata,
                       const struct yl_at *spec);
static void check_spec(struct yl_check *, const struct yl_at *spec);
static void check_group(struct yl_check *, const struct yl_at *group);
static void check_versions(struct yl_check *, const struct yl_at *spec);
static void check_version(struct yl_check *, const struct yl_at *version,
                          bool own_subresources, bool own_columns);
static void check_warning(struct yl_check *, const struct yl_at *version);
static struct yl_bad_value bad_versions(struct yl_check *,
                                        const struct yl_at *versions);
static void check_common(struct yl_check *, const struct yl_at *spec);
static void check_names(struct yl_check *, const struct yl_at *names);
static void check_scale(struct yl_check *, const struct yl_at *subresources);
static void check_scale_path(struct yl_check *,
                             const struct yl_at *subresources,
                             const char *field, const char *shown);
static void check_column(struct yl_check *, const struct yl_at *column);
static bool check_json_path(struct yl_check *, const struct yl_at *);
static void check_stored(struct yl_check *, const struct yl_at *root);
static void check_approval(struct yl_check *, const struct yl_at *root);
static bool is_common(const struct yl_at *spec, const char *field);

void
yl_crd_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at status = yl_at(&root, "status");
    struct yl_at accepted = yl_at(&status, "acceptedNames");
    struct yl_at preserve = yl_at(&spec, "preserveUnknownFields");

    check_name(c, &metadata, &spec);
    check_spec(c, &spec);
    check_names(c, &accepted);
    check_stored(c, &root);
    check_approval(c, &root);
    if (yl_at_bool(&preserve)) {
        yl_field_invalid(c->err, yl_at_path(&preserve), yl_bad_bool(true),
                         "cannot set to true, set "
                         "x-kubernetes-preserve-unknown-fields to true in "
                         "spec.versions[*].schema instead");
    }
}

/* Text that must be a DNS-1035 label, with all faults in one cause.  With
 * 'any_case' upper case letters are fine, and the message says so. */
static bool
check_label(struct yl_check *c, const struct yl_at *at, bool any_case)
{
    struct yl_str s = yl_at_str(c, at);
    char *lower = yl_arena_strdup(c->arena, s);
    struct yl_name_faults faults;
    struct yl_buf detail;
    size_t i;

    for (i = 0; any_case && i < s.size; i++) {
        if (lower[i] >= 'A' && lower[i] <= 'Z') {
            lower[i] = (char) (lower[i] + 'a' - 'A');
        }
    }
    if (yl_name_check(YL_NAME_DNS1035_LABEL, yl_str_n(lower, s.size), &faults)
        == 0) {
        return true;
    }
    yl_buf_init(&detail, SIZE_MAX);
    if (any_case) {
        yl_buf_append_c(&detail, "may have mixed case, but should otherwise "
                                 "match: ");
    }
    for (i = 0; i < faults.n_faults; i++) {
        yl_buf_printf(&detail, "%s%s", i ? "," : "", faults.faults[i]);
    }
    yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s), "%s",
                     yl_buf_c_str(&detail));
    yl_buf_release(&detail);
    return false;
}

/* The name must be PLURAL.GROUP. */
static void
check_name(struct yl_check *c, const struct yl_at *metadata,
           const struct yl_at *spec)
{
    static const struct yl_meta_rule rule =
        { YL_NAME_DNS1123_SUBDOMAIN, false, false };
    struct yl_at at = yl_at(metadata, "name");
    struct yl_at names = yl_at(spec, "names");
    struct yl_str name = yl_at_str(c, &at);
    struct yl_str plural = yl_at_get_str(c, &names, "plural");
    struct yl_str group = yl_at_get_str(c, spec, "group");
    const char *want = yl_arena_printf(c->arena, "%.*s.%.*s",
                                       YL_STR_ARG(plural), YL_STR_ARG(group));

    yl_check_meta(c, metadata, &rule);
    if (name.size && !yl_str_equal_c(name, want)) {
        yl_field_invalid(c->err, yl_at_path(&at), yl_bad_string(name),
                         "must be spec.names.plural+\".\"+spec.group");
    }
}

static void
check_spec(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const scopes[] = { "Cluster", "Namespaced", NULL };
    static const char *const required[] = { "plural", "singular", "kind",
                                            "listKind" };
    struct yl_at group = yl_at(spec, "group");
    struct yl_at scope = yl_at(spec, "scope");
    struct yl_at names = yl_at(spec, "names");
    size_t i;

    check_group(c, &group);
    if (yl_check_required(c, &scope)) {
        yl_check_one_of(c, &scope, scopes);
    }
    check_versions(c, spec);
    for (i = 0; i < sizeof required / sizeof required[0]; i++) {
        struct yl_at name = yl_at(&names, required[i]);

        yl_check_required(c, &name);
    }
    check_names(c, &names);
    check_common(c, spec);
    yl_check_crd_conversion(c, spec);
}

static void
check_group(struct yl_check *c, const struct yl_at *group)
{
    struct yl_str s = yl_at_str(c, group);

    if (!yl_check_required(c, group)
        || !yl_check_name(c, group, YL_NAME_DNS1123_SUBDOMAIN)) {
        return;
    }
    if (!yl_str_find_char(s, '.')) {
        yl_field_invalid(c->err, yl_at_path(group), yl_bad_string(s),
                         "should be a domain with at least one dot");
    }
}

static void
check_versions(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at versions = yl_at(spec, "versions");
    struct yl_at first = yl_at_first(&versions);
    struct yl_at name_node = yl_at(&first, "name");
    struct yl_at version = yl_at_node(spec, "version", name_node.node);
    struct yl_node *names = yl_node_new_object(c->arena);
    bool own_subresources = !is_common(spec, "subresources");
    bool own_columns = !is_common(spec, "additionalPrinterColumns");
    bool unique = true;
    int n_stored = 0;

    YL_CHECK_FOR_EACH (c, one, &versions) {
        struct yl_at schema = yl_at(&one, "schema");
        struct yl_at open_api = yl_at(&schema, "openAPIV3Schema");

        if (!yl_at_has(&open_api)) {
            yl_field_required(c->err, yl_at_path(&open_api), NULL);
        }
    }
    YL_CHECK_FOR_EACH (c, one, &versions) {
        struct yl_at name = yl_at(&one, "name");

        n_stored += yl_at_get_bool(&one, "storage");
        unique &= yl_set_add(c->arena, names, yl_at_str(c, &name));
        check_label(c, &name, false);
        check_version(c, &one, own_subresources, own_columns);
    }
    if (!unique) {
        yl_field_invalid(c->err, yl_at_path(&versions),
                         bad_versions(c, &versions),
                         "must contain unique version names");
    }
    if (n_stored != 1) {
        yl_field_invalid(c->err, yl_at_path(&versions),
                         bad_versions(c, &versions),
                         "must have exactly one version marked as storage "
                         "version");
    }
    if (yl_at_has(&version) && !yl_at_is(&version, "")) {
        check_label(c, &version, false);
    }
}

/* Checks the fields in which this version differs from the others. */
static void
check_version(struct yl_check *c, const struct yl_at *version,
              bool own_subresources, bool own_columns)
{
    struct yl_at subresources = yl_at(version, "subresources");
    struct yl_at columns = yl_at(version, "additionalPrinterColumns");

    check_warning(c, version);
    if (own_subresources) {
        check_scale(c, &subresources);
    }
    if (own_columns) {
        YL_CHECK_FOR_EACH (c, column, &columns) {
            check_column(c, &column);
        }
    }
}

static void
check_warning(struct yl_check *c, const struct yl_at *version)
{
    struct yl_at warning = yl_at(version, "deprecationWarning");
    struct yl_str s = yl_at_str(c, &warning);
    size_t i;

    if (!yl_at_has(&warning)) {
        return;
    }
    if (!yl_at_get_bool(version, "deprecated")) {
        yl_field_invalid(c->err, yl_at_path(&warning), yl_bad_string(s),
                         "can only be set for deprecated versions");
        return;
    }
    if (s.size > MAX_WARNING) {
        yl_field_invalid(c->err, yl_at_path(&warning), yl_bad_string(s),
                         "must be <= %d characters long", MAX_WARNING);
    }
    if (!s.size) {
        yl_field_invalid(c->err, yl_at_path(&warning), yl_bad_string(s),
                         "must not be an empty string");
    }
    for (i = 0; i < s.size; i++) {
        if ((unsigned char) s.data[i] < ' ' || s.data[i] == 0x7f) {
            yl_field_invalid(c->err, yl_at_path(&warning), yl_bad_string(s),
                             "must only contain printable UTF-8 characters; "
                             "non-printable character found at index %zu", i);
            break;
        }
    }
}

/* The versions as messages show them, without the fields that they share. */
static struct yl_bad_value
bad_versions(struct yl_check *c, const struct yl_at *versions)
{
    static const char *const common[] = {
        "schema", "subresources", "additionalPrinterColumns",
        "selectableFields",
    };
    struct yl_buf buf;
    struct yl_str text;
    size_t i;

    if (!yl_at_has(versions)) {
        return yl_bad_node(NULL);
    }
    yl_buf_init(&buf, YL_FIELD_TEXT_MAX);
    yl_buf_append_char(&buf, '[');
    YL_CHECK_FOR_EACH (c, version, versions) {
        struct yl_node *shown = yl_node_copy(c->arena, version.node);

        for (i = 0; i < YL_ARRAY_SIZE(common); i++) {
            yl_member_drop(shown, common[i]);
        }
        yl_buf_append_c(&buf, version.path.index ? "," : "");
        yl_bad_value_write(
            &buf, yl_bad_struct(c, shown,
                                YL_GO(apiextensions_v1,
                                      custom_resource_definition_version)));
    }
    yl_buf_append_char(&buf, ']');
    text = yl_arena_copy(c->arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return yl_bad_text(text);
}

/* Checks the fields that all versions share. */
static void
check_common(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at versions = yl_at(spec, "versions");
    struct yl_at first = yl_at_first(&versions);
    struct yl_at node = yl_at(&first, "subresources");
    struct yl_at subresources = yl_at_node(spec, "subresources", node.node);
    struct yl_at list = yl_at(&first, "additionalPrinterColumns");
    struct yl_at columns =
        yl_at_node(spec, "additionalPrinterColumns", list.node);

    if (is_common(spec, "subresources")) {
        check_scale(c, &subresources);
    }
    if (is_common(spec, "additionalPrinterColumns")) {
        YL_CHECK_FOR_EACH (c, column, &columns) {
            check_column(c, &column);
        }
    }
}

static void
check_names(struct yl_check *c, const struct yl_at *names)
{
    static const char *const fields[] = { "plural", "singular", "kind",
                                          "listKind" };
    struct yl_at short_names = yl_at(names, "shortNames");
    struct yl_at categories = yl_at(names, "categories");
    struct yl_at kind = yl_at(names, "kind");
    struct yl_at list_kind = yl_at(names, "listKind");
    size_t i;

    for (i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        struct yl_at name = yl_at(names, fields[i]);

        if (!yl_at_is(&name, "")) {
            check_label(c, &name, i >= 2);
        }
    }
    YL_CHECK_FOR_EACH (c, name, &short_names) {
        check_label(c, &name, false);
    }
    if (!yl_at_is(&kind, "")
        && yl_str_equal(yl_at_str(c, &kind), yl_at_str(c, &list_kind))) {
        yl_field_invalid(c->err, yl_at_path(&list_kind),
                         yl_bad_str(c, &list_kind),
                         "kind and listKind may not be the same");
    }
    YL_CHECK_FOR_EACH (c, category, &categories) {
        check_label(c, &category, false);
    }
}

static void
check_scale(struct yl_check *c, const struct yl_at *subresources)
{
    if (yl_at_get_has(subresources, "scale")) {
        check_scale_path(c, subresources, "specReplicasPath",
                         "scale.specReplicasPath");
        check_scale_path(c, subresources, "statusReplicasPath",
                         "scale.statusReplicasPath");
        check_scale_path(c, subresources, "labelSelectorPath",
                         "scale.labelSelectorPath");
    }
}

static void
check_scale_path(struct yl_check *c, const struct yl_at *subresources,
                 const char *field, const char *shown)
{
    struct yl_at scale = yl_at(subresources, "scale");
    struct yl_at node = yl_at(&scale, field);
    struct yl_at path = yl_at_node(subresources, shown, node.node);
    struct yl_str s = yl_at_str(c, &path);
    bool in_spec = yl_str_starts_with(s, YL_STR(".spec."));
    bool in_status = yl_str_starts_with(s, YL_STR(".status."));

    if (!strcmp(field, "labelSelectorPath")) {
        if (s.size && check_json_path(c, &path) && !in_spec && !in_status) {
            yl_field_invalid(c->err, yl_at_path(&path), yl_bad_string(s),
                             "should be a json path under either .spec or "
                             ".status");
        }
    } else if (yl_check_required(c, &path) && check_json_path(c, &path)
               && !(field[1] == 'p' ? in_spec : in_status)) {
        yl_field_invalid(c->err, yl_at_path(&path), yl_bad_string(s),
                         "should be a json path under %s",
                         field[1] == 'p' ? ".spec" : ".status");
    }
}

static void
check_column(struct yl_check *c, const struct yl_at *column)
{
    static const char types[] = "boolean,date,integer,number,string";
    static const char formats[] =
        "byte,date,date-time,double,float,int32,int64,password";
    struct yl_at name = yl_at(column, "name");
    struct yl_at type = yl_at(column, "type");
    struct yl_at format = yl_at(column, "format");
    struct yl_at node = yl_at(column, "jsonPath");
    struct yl_at path = yl_at_node(column, "JSONPath", node.node);
    const struct {
        const struct yl_at *at;
        const char *words;
    } lists[] = { { &type, types }, { &format, formats } };
    size_t i;

    yl_check_required(c, &name);
    if (yl_at_is(&type, "")) {
        yl_field_required(c->err, yl_at_path(&type), "must be one of %s",
                          types);
    }
    for (i = 0; i < 2; i++) {
        struct yl_str s = yl_at_str(c, lists[i].at), word;
        struct yl_str rest = yl_str_c(lists[i].words);
        bool found = !s.size, more = true;

        while (more && !found) {
            word = rest;
            more = yl_str_cut(rest, ',', &word, &rest);
            found = yl_str_equal(s, word);
        }
        if (!found) {
            yl_field_invalid(c->err, yl_at_path(lists[i].at),
                             yl_bad_string(s), "must be one of %s",
                             lists[i].words);
        }
    }
    if (yl_check_required(c, &path)) {
        check_json_path(c, &path);
    }
}

static bool
check_json_path(struct yl_check *c, const struct yl_at *path)
{
    struct yl_str s = yl_at_str(c, path);

    if (yl_str_starts_with(s, YL_STR("."))) {
        return true;
    }
    yl_field_invalid(c->err, yl_at_path(path), yl_bad_string(s),
                     "must be a simple json path starting with .");
    return false;
}

static void
check_stored(struct yl_check *c, const struct yl_at *root)
{
    struct yl_at status = yl_at(root, "status");
    struct yl_at stored = yl_at(&status, "storedVersions");
    struct yl_at spec = yl_at(root, "spec");
    struct yl_at versions = yl_at(&spec, "versions");
    struct yl_node *names = yl_node_new_object(c->arena);

    if (!yl_at_count(&stored)) {
        yl_field_invalid(c->err, yl_at_path(&stored), yl_bad_at(&stored),
                         "must have at least one stored version");
        return;
    }
    YL_CHECK_FOR_EACH (c, name, &stored) {
        yl_set_add(c->arena, names, yl_at_str(c, &name));
    }
    YL_CHECK_FOR_EACH (c, version, &versions) {
        struct yl_str name = yl_at_get_str(c, &version, "name");

        if (yl_at_get_bool(&version, "storage") && !yl_node_get(names, name)) {
            yl_field_invalid(c->err, yl_at_path(&stored),
                             yl_bad_at(&stored),
                             "must have the storage version %.*s",
                             YL_STR_ARG(name));
        }
        /* Removed, so that a second version with this name is reported. */
        yl_node_remove(names, name);
    }
}

/* Groups of the Kubernetes community (k8s.io, kubernetes.io) need an
 * annotation that points to the review. */
static void
check_approval(struct yl_check *c, const struct yl_at *root)
{
    struct yl_at spec = yl_at(root, "spec");
    struct yl_str group = yl_at_get_str(c, &spec, "group");
    struct yl_at metadata = yl_at(root, "metadata");
    struct yl_at annotations = yl_at(&metadata, "annotations");
    struct yl_str s = yl_at_get_str(c, &annotations, APPROVED), scheme, rest;
    struct yl_field_path path =
        yl_field_key(yl_at_path(&annotations), YL_STR(APPROVED));

    if (!yl_str_equal_c(group, "k8s.io")
        && !yl_str_ends_with(group, YL_STR(".k8s.io"))
        && !yl_str_equal_c(group, "kubernetes.io")
        && !yl_str_ends_with(group, YL_STR(".kubernetes.io"))) {
        return;
    }
    if (!s.size) {
        yl_field_required(c->err, &path,
                          "protected groups must have approval annotation "
                          "\"" APPROVED "\", see https://github.com/"
                          "kubernetes/enhancements/pull/1111");
    } else if (!yl_str_starts_with(s, YL_STR("unapproved"))
               && !(yl_str_cut(s, ':', &scheme, &rest) && scheme.size
                    && yl_str_starts_with(rest, YL_STR("//"))
                    && rest.size > 2 && rest.data[2] != '/')) {
        yl_field_invalid(c->err, &path, yl_bad_string(s),
                         "protected groups must have approval annotation "
                         "\"" APPROVED "\" with either a URL or a reason "
                         "starting with \"unapproved\", see https://"
                         "github.com/kubernetes/enhancements/pull/1111");
    }
}

/* Is the field the same in all versions? */
static bool
is_common(const struct yl_at *spec, const char *field)
{
    struct yl_at versions = yl_at(spec, "versions");
    struct yl_at first = yl_at_first(&versions);
    struct yl_at one = yl_at(&first, field);

    YL_AT_FOR_EACH (version, &versions) {
        struct yl_at other = yl_at(&version, field);

        if (yl_at_has(&one) != yl_at_has(&other)
            || (yl_at_has(&one) && !yl_node_equal(one.node, other.node))) {
            return false;
        }
    }
    return true;
}
