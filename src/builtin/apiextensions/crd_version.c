/* Validation of what a version of a CustomResourceDefinition has besides its
 * schema: a warning that it is deprecated, subresources, columns. */

#include <string.h>

#include "base/quote.h"
#include "builtin/apiextensions/crd_check.h"

#define MAX_WARNING 256

static void check_scale_path(struct yl_check *,
                             const struct yl_at *subresources,
                             const char *field, const char *shown);
static void check_column(struct yl_check *, const struct yl_at *column);
static void check_word(struct yl_check *, const struct yl_at *,
                       const char *words);
static bool check_json_path(struct yl_check *, const struct yl_at *);

void
yl_check_crd_deprecation(struct yl_check *c, const struct yl_at *version)
{
    struct yl_at warning = yl_at(version, "deprecationWarning");
    struct yl_str s = yl_at_str(c, &warning);
    uint32_t rune;
    size_t i, size;

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
    for (i = 0; i < s.size; i += size) {
        size = yl_rune_decode(yl_str_skip(s, i), &rune);
        if (!size || !yl_rune_is_printable(rune)) {
            yl_field_invalid(c->err, yl_at_path(&warning), yl_bad_string(s),
                             "must only contain printable UTF-8 characters; "
                             "non-printable character found at index %zu", i);
            break;
        }
    }
}

void
yl_check_crd_subresources(struct yl_check *c, const struct yl_at *subresources)
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

void
yl_check_crd_columns(struct yl_check *c, const struct yl_at *columns)
{
    YL_CHECK_FOR_EACH (c, column, columns) {
        check_column(c, &column);
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

    yl_check_required(c, &name);
    if (yl_at_is(&type, "")) {
        yl_field_required(c->err, yl_at_path(&type), "must be one of %s",
                          types);
    }
    check_word(c, &type, types);
    check_word(c, &format, formats);
    if (yl_check_required(c, &path)) {
        check_json_path(c, &path);
    }
}

/* One of 'words', which are separated by commas, if there is a value. */
static void
check_word(struct yl_check *c, const struct yl_at *at, const char *words)
{
    struct yl_str s = yl_at_str(c, at), rest = yl_str_c(words), word;
    bool found = !s.size, more = true;

    while (more && !found) {
        word = rest;
        more = yl_str_cut(rest, ',', &word, &rest);
        found = yl_str_equal(s, word);
    }
    if (!found) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "must be one of %s", words);
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
